import type { ContentType, Field, Link } from '../../../core/index.js'
import { isName } from './names.js'

export const isLink = (one: Field | Link): one is Link => 'shape' in one

const last = ['createdAt', 'updatedAt', 'publishedAt', 'localizations', 'locale']

/** The attributes of a type: those of its schema file, then those that the server keeps, then those of plugins. */
export function attributesOf(type: ContentType): (Field | Link)[] {
  const { fields, links, added } = type
  const own = Object.keys(type.attributes).filter(name => !added.includes(name))
  const names = new Set([...own, ...last, ...added, ...fields.keys(), ...links.keys()])
  return [...names].flatMap(name => {
    const one = fields.get(name) ?? links.get(name)
    return one && isShown(type, one) ? [one] : []
  })
}

/** Private attributes of schema files stand in inputs and filters; those of plugins are of no concern to clients. */
const isShown = ({ added }: ContentType, one: Field | Link): boolean =>
  isName(one.name) && (one.readable || isHidden(one) || !added.includes(one.name))

/** A password that is not private: clients may ask for it, and never get it. */
export const isHidden = (one: Field | Link): boolean =>
  !isLink(one) && one.type.secret === true && one.attribute.private !== true

/** The kinds of links, by what stands behind them in the schema. */
export type Way =
  | { readonly is: 'component' | 'media' | 'relation'; readonly target: ContentType }
  | { readonly is: 'zone'; readonly targets: readonly ContentType[] }
  | { readonly is: 'any' }

/** The place that a link leads to; undefined where the schema has none. */
export function wayOf(link: Link, has: (uid: string) => boolean): Way | undefined {
  const { shape, targets, only, attribute, embedded, listed } = link
  if (only !== undefined) return undefined
  if (shape === 'zone') {
    const types = link.types()
    const uids = listed ?? targets ?? []
    return { is: 'zone', targets: uids.flatMap(uid => types.filter(type => type.uid === uid)) }
  }
  if (targets === undefined) return { is: 'any' }
  const [target, another] = link.types()
  if (!target || another || !has(target.uid)) return undefined
  if (embedded) return { is: 'component', target }
  if (attribute.type === 'media') return { is: 'media', target }
  return attribute.morphBy === undefined ? { is: 'relation', target } : undefined
}
