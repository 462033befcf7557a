import type { Entry, Host, Session } from '../../../core/index.js'
import { isMedia, type StoredEvent } from '../event.js'

/** The payload of an entry: without hidden attributes, and with its relations one level deep. */
export async function sightOf(
  host: Host,
  uid: string,
  id: number,
  { populate, session }: { readonly populate: boolean; readonly session?: Session },
): Promise<Entry | undefined> {
  const type = host.types.types.get(uid)
  if (!type) return undefined
  const links = [...type.links.values()].filter(({ readable, targets }) => readable && targets !== undefined)
  const query = { where: { id: { $eq: id } }, limit: 1 }
  const all = populate && links.length > 0 ? { populate: links.map(({ name }) => name) } : {}
  try {
    return await host.entries(uid, session).first({ ...query, ...all })
  } catch (error) {
    // An entry that leads to more than a response may hold is sent without that.
    if (!populate || (error as { status?: number }).status === undefined) throw error
    return host.entries(uid, session).first(query)
  }
}

/** The body that a receiver gets, in the words of Strapi 4. */
export function bodyOf(name: string, { uid, at }: StoredEvent, entry: unknown, host: Host): string {
  const createdAt = at
  if (name.startsWith('content.')) return JSON.stringify({ event: name, createdAt })
  if (isMedia(uid)) return JSON.stringify({ event: name, createdAt, media: entry })
  const model = host.types.types.get(uid)?.singularName ?? uid.split(/[.:]/).at(-1)
  return JSON.stringify({ event: name, createdAt, model, uid, entry })
}
