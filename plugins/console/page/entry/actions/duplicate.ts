import { isDone } from '../../../../pages/page/request.js'
import { copyOf } from '../../../model/form/copy.js'
import { entryQuery } from '../../../model/form/query.js'
import { entryOf, plainOf } from '../../../model/form/read.js'
import { ask } from '../../api.js'
import { go, inThisVisit } from '../../shell/address.js'
import { say } from '../../shell/messages.js'
import { addressOfEntry } from '../../shell/routes.js'
import { t } from '../../text.js'
import type { EntryStore } from '../store/store.js'
import { beginWith } from './pending-copy.js'

export const canDuplicate = ({ type, isSingle }: EntryStore): boolean => !isSingle && type.can.create !== null

/** Opens a new entry with everything that the stored one has, also what its layout leaves out. */
export async function duplicate({ kinds, type, requests, head, locale }: EntryStore): Promise<void> {
  const whole = kinds.whole()
  const wholeType = whole.type(type.uid)
  const id = head.peek()?.id
  if (!wholeType || id === undefined) return
  const isHere = inThisVisit()
  const reply = await ask({ url: requests.entry({ id }, entryQuery(whole, wholeType)) })
  const entry = isDone(reply) ? entryOf(reply.body) : undefined
  if (!entry) {
    say(t('failed'))
    return
  }
  if (!isHere()) return
  beginWith(type.uid, copyOf(whole, plainOf(whole, type.uid, entry)))
  const language = locale.peek()
  go(`${addressOfEntry(type, 'new')}${language === null ? '' : `?locale=${encodeURIComponent(language)}`}`)
}
