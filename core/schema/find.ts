import type { ContentType, Link } from './types.js'

/** Finds a type by a uid that is known to exist. */
export type Find = (uid: string) => ContentType

export const finderOf =
  (types: ReadonlyMap<string, ContentType>): Find =>
  uid => {
    const type = types.get(uid)
    if (!type) throw new Error(`no content type ${uid}`)
    return type
  }

/** Types lead to each other in circles, so where a link leads is looked up when it is first followed. */
export function resolved(link: Omit<Link, 'types'>, find: Find): Link {
  let types: readonly ContentType[] | undefined
  return { ...link, types: () => (types ??= (link.targets ?? []).map(find)) }
}
