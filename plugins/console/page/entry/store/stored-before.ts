import { isDone } from '../../../../pages/page/request.js'
import type { PlainItem, Values } from '../../../model/form/plain.js'
import { entryOf, type Head, headOf, plainOf } from '../../../model/form/read.js'
import { isStoredAs } from '../../../model/merge/same.js'
import { ask } from '../../api.js'
import type { EntryState } from './state.js'

/** A write that was refused, as the entry is not in the state that it is based on. */
export interface RepeatedWork {
  /** The values that it was to store. */
  readonly mine: PlainItem | undefined
  readonly isMeant: (head: Head) => boolean
}

/**
 * The entry, where this account has stored the same before: the response to a former attempt may have been lost, and the repeated
 * one is then refused.
 */
export async function storedBefore(
  { kinds, type, account }: Pick<EntryState, 'kinds' | 'type' | 'account'>,
  url: string,
  { mine, isMeant }: RepeatedWork,
): Promise<Values | undefined> {
  if (!mine) return undefined
  const reply = await ask({ url })
  const entry = isDone(reply) ? entryOf(reply.body) : undefined
  const head = entry && headOf(entry)
  if (!entry || head?.updatedBy?.id !== account.id) return undefined
  return isMeant(head) && isStoredAs(kinds, mine, plainOf(kinds, type.uid, entry)) ? entry : undefined
}
