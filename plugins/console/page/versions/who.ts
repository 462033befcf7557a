import { signal } from '@preact/signals'
import { isDone } from '../../../pages/page/request.js'
import { withQuery } from '../../../pages/values/query-text.js'
import { entriesAt } from '../../model/form/read.js'
import { nameOfAccount } from '../account-name.js'
import { ask } from '../api.js'
import { base } from '../shell/address.js'

const names = signal<ReadonlyMap<string, string>>(new Map())

/** The name of who did something; as it is recorded, where that is no account of editors. */
export const whoIs = (actor: string): string => names.value.get(actor) ?? actor

/** Reads the names of editors: `admin 2` is one. */
export async function learnNames(actors: readonly string[]): Promise<void> {
  const ids = [...new Set(actors.flatMap(actor => /^admin (\d+)$/.exec(actor)?.[1] ?? []))]
  if (ids.length === 0) return
  const query = { filters: { id: { $in: ids } }, pagination: { limit: ids.length } }
  const reply = await ask({ url: withQuery(`${base}/choices/admin::user`, query) })
  if (!isDone(reply)) return
  const found = entriesAt(reply.body).map(one => [`admin ${one.id}`, nameOfAccount(one)] as const)
  names.value = new Map([...names.peek(), ...found.filter(([, name]) => name !== '')])
}
