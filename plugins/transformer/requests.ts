import type { BodyPlace, BodyType, Registry, TypeOutline } from '../../core/index.js'
import { actionsOf, type Settings } from './settings.js'

/** Requests that are neither transformed themselves nor get transformed responses. */
export const isIgnoring = { header: 'Strapi-Transformer-Ignore', test: (value: string) => value === 'true' }

interface Service {
  readonly config: Settings
  readonly types: Registry
}

/** Bodies that may be the data themselves, where the settings say so. */
export function wrapped(type: string): BodyType<Service, Settings> {
  return {
    type,
    read: async (place, { config, types }) => {
      const body = await place.parsed()
      return { body: isWrapped(place, config, types) ? wrap(body) : body }
    },
    shape: ({ type, action, data }, settings) => (wraps(settings, type, action) ? data : undefined),
  }
}

function isWrapped({ ctx, uid, action }: BodyPlace, config: Settings, { types }: Registry): boolean {
  const type = uid === undefined ? undefined : types.get(uid)
  const wantsNone = isIgnoring.test(ctx.get(isIgnoring.header))
  return type !== undefined && action !== undefined && !wantsNone && wraps(config, type, action)
}

/** Creates and updates alone have data. */
const wraps = (settings: Settings, type: Pick<TypeOutline, 'uid'>, action: string): boolean =>
  settings.requestTransforms.wrapBodyWithDataKey &&
  (action === 'create' || action === 'update') &&
  actionsOf(settings, type).includes(action)

/** A body with nothing but `data` is taken for one that has its envelope. */
function wrap(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const [name, ...others] = Object.keys(body)
  return name === 'data' && others.length === 0 ? body : { data: body }
}
