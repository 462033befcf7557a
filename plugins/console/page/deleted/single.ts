import { isDone, type Reply } from '../../../pages/page/request.js'
import type { TypeMeta } from '../../model/meta.js'
import { ask } from '../api.js'
import type { EntryRequests } from '../entry/store/requests.js'
import type { Version } from '../versions/store.js'
import type { DeletedEntry } from './store.js'

interface Found {
  readonly entry?: DeletedEntry
  /** The response for which the entry is not known. */
  readonly failed?: Reply
}

/** The entry of a single type that can be made anew: the one that was deleted last, while no other one is there or in the trash. */
export async function deletedSingle(
  requests: EntryRequests,
  { options }: TypeMeta,
  locale: string | null,
): Promise<Found> {
  const places = [{ locale }, ...(options.trash ? [{ locale, isTrashed: true }] : [])]
  const others = await Promise.all(places.map(place => ask({ url: requests.state(place) })))
  const unknown = others.find(isUnknown)
  if (unknown || others.some(isDone)) return { ...(unknown && { failed: unknown }) }
  const list = await ask({ url: requests.versions({ locale }) })
  if (!isDone(list)) return { ...(isUnknown(list) && { failed: list }) }
  const [last] = (list.body as { readonly data: readonly Version[] }).data
  const one = await ask({ url: requests.versions({ locale }, `/${last?.number}`) })
  if (!isDone(one)) return { failed: one }
  const { data } = one.body as { readonly data: Omit<DeletedEntry, 'id'> }
  return { entry: { id: 0, ...data } }
}

const isUnknown = (reply: Reply): boolean => !isDone(reply) && reply.status !== 404
