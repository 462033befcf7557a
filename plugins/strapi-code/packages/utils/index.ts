import { withAbsent } from '../../not-carried.js'
import type { Bag, Loose, Strapi } from '../../types.js'
import { forEachAsync, mapAsync, pipeAsync, reduceAsync } from './async.js'
import { contentApi } from './content-api.js'
import { contentTypes, relations } from './content-types.js'
import { env } from './env.js'
import { errors } from './errors.js'
import { file } from './file.js'
import { parseMultipartData } from './multipart.js'
import { pagination } from './pagination.js'
import { parseType } from './parse-type.js'
import { policy } from './policy.js'
import { hooks, providerFactory } from './provider-factory.js'
import * as text from './text.js'
import { traverse, traverseEntity } from './traverse-entity.js'
import { getAbsoluteAdminUrl, getAbsoluteServerUrl, getConfigUrls } from './urls.js'
import { formatYupErrors, handleYupError, validateYupSchema, validateYupSchemaSync, yupOf } from './yup.js'

/** The authors of an entry, from the account of the admin panel that is given. */
export const setCreatorFields =
  ({ user, isEdition = false }: { user: Loose; isEdition?: boolean }) =>
  (data: Bag): Bag => ({
    ...data,
    ...(!isEdition && { createdBy: user.id }),
    updatedBy: user.id,
  })

/** The module that `require('@strapi/utils')` gives to the code of one app. */
export function makeUtils(strapi: Strapi): Bag {
  const { sanitize, validate } = contentApi(uid => strapi.getModel(uid))
  let yup: Loose
  const utils: Bag = {
    errors,
    sanitize,
    validate,
    contentTypes,
    relations,
    pagination,
    policy,
    hooks,
    providerFactory,
    file,
    env,
    parseMultipartData,
    parseType,
    setCreatorFields,
    getAbsoluteServerUrl,
    getAbsoluteAdminUrl,
    getConfigUrls,
    traverseEntity,
    traverse: { traverseEntity: traverse },
    pipeAsync,
    mapAsync,
    reduceAsync,
    forEachAsync,
    validateYupSchema,
    validateYupSchemaSync,
    handleYupError,
    formatYupErrors,
    importDefault: (module: Loose) => (module?.__esModule ? module : { default: module }),
    ...text,
    webhook: { webhookEvents: webhookEvents() },
  }
  withAbsent("require('@strapi/utils')", utils)
  Object.defineProperty(utils, 'yup', {
    enumerable: true,
    get: () => {
      yup ??= yupOf(strapi.dirs.app.root)
      return yup
    },
  })
  return utils
}

const webhookEvents = () =>
  Object.fromEntries(
    ['create', 'update', 'delete', 'publish', 'unpublish'].map(event => [
      `ENTRY_${event.toUpperCase()}`,
      `entry.${event}`,
    ]),
  )
