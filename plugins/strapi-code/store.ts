import type { Bag, Loose } from './types.js'

interface Place {
  readonly type?: string
  readonly name?: string
  readonly key?: string
  readonly environment?: string
  readonly tag?: string
}

const uid = 'strapi::core-store'

/**
 * `strapi.store`: values in the table of settings that Strapi has, under keys such as `plugin_mine_k`. Settings of this
 * server's plugins are as they count (`known`), stored or not.
 */
export function createStore(
  query: (uid: string) => Loose,
  known: (key: string) => Promise<unknown> = async () => undefined,
): Loose {
  const rowOf = ({ type, name, key, environment, tag }: Place) => ({
    key: `${type}${name ? `_${name}` : ''}_${key}`,
    environment: environment || null,
    tag: tag || null,
  })
  const of = (place: Place) => ({
    async get(given: Place = {}) {
      const where = rowOf({ type: 'core', ...place, ...given })
      const value = await known(where.key)
      if (value !== undefined) return structuredClone(value)
      const row = await query(uid).findOne({ where })
      return row ? readValue(row) : null
    },
    async set(given: Place & { value?: Loose } = {}) {
      const { value, ...to } = given
      const where = rowOf({ ...place, ...to })
      const data = { ...where, type: (typeof value).toString(), value: textOf(value) }
      const found = await query(uid).findOne({ where })
      return found ? query(uid).update({ where: { id: found.id }, data }) : query(uid).create({ data })
    },
    delete: (given: Place = {}) => query(uid).delete({ where: rowOf({ ...place, ...given }) }),
  })
  return Object.assign((place: Place = {}) => of(place), of({}))
}

const textOf = (value: Loose): string => JSON.stringify(value) ?? String(value)

function readValue({ type, value }: Bag): Loose {
  if (!['object', 'array', 'boolean', 'string', 'number'].includes(type)) return null
  try {
    return JSON.parse(value)
  } catch {
    // A row that something else has written may hold bare text.
    return type === 'string' ? value : null
  }
}
