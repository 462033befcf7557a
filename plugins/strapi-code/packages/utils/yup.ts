import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Bag, Loose } from '../../types.js'
import { YupValidationError } from './errors.js'

/** The package `yup` of the project; without it, a stand-in whose use is an error that says what to do. */
export function yupOf(appDir: string): Loose {
  const require = createRequire(join(appDir, 'package.json'))
  try {
    return extended(require('yup'))
  } catch {
    return absent
  }
}

const says =
  'this code uses "yup" of @strapi/utils, and the project does not have that package; install it: npm install yup@0.32.9'

/** Any part of it may be read, and calling one fails. */
const absent: Loose = new Proxy(
  () => {
    throw new Error(says)
  },
  { get: (_, key) => (typeof key === 'symbol' || key === 'then' ? undefined : absent) },
)

/** With the schema of ids, which code takes from there. */
function extended(yup: Loose): Loose {
  const strapiID = () =>
    yup.mixed().test('strapiID', `$\{path} must be an ID`, (value: Loose) => {
      return typeof value === 'string' || (Number.isInteger(value) && value >= 0)
    })
  return new Proxy(yup, { get: (target, key) => (key === 'strapiID' ? strapiID : target[key]) })
}

export function handleYupError(error: Loose, message?: string): never {
  throw new YupValidationError(error, message)
}

const usual = { strict: true, abortEarly: false }

/** Checks a value by a schema: what is wrong with it becomes a response with the places. */
export const validateYupSchema =
  (schema: Loose, options: Bag = {}) =>
  async (value: Loose, message?: string): Promise<Loose> => {
    try {
      return await schema.validate(value, { ...usual, ...options })
    } catch (error) {
      return handleYupError(error, message)
    }
  }

export const validateYupSchemaSync =
  (schema: Loose, options: Bag = {}) =>
  (value: Loose, message?: string): Loose => {
    try {
      return schema.validateSync(value, { ...usual, ...options })
    } catch (error) {
      return handleYupError(error, message)
    }
  }

export const formatYupErrors = (error: Loose): Bag => new YupValidationError(error).details
