import { batch } from '@preact/signals'
import { isDone, type Reply } from '../../../../pages/page/request.js'
import { type KeptDraft, type Restored, restored } from '../../../model/drafts.js'
import type { Form } from '../../../model/form/form.js'
import type { PlainItem } from '../../../model/form/plain.js'
import { entryOf, type Head, plainOf } from '../../../model/form/read.js'
import { type Merged, merge } from '../../../model/merge/merge.js'
import { ask } from '../../api.js'
import { failureText, type WriteAction } from '../store/failures.js'
import { type ConflictState, EntryState } from '../store/state.js'
import { absenceOf } from './absence.js'
import { savedBy } from './author.js'

/** The form, where it meets changes that others have stored, or those that the browser has kept. */
export class EntryMeeting extends EntryState {
  protected fail(reply: Reply, action?: WriteAction): void {
    this.report([], [failureText(reply, this.type, action)])
  }

  /** Values that all languages share were stored with another one since the entry was read. */
  isOutdated = false

  /** Takes over what was stored since. Where that meets what is in the form, it is compared: true if nothing is left to choose. */
  async renew(): Promise<boolean> {
    const form = this.form.peek()
    const found = form && (await this.#found(form))
    if (!found?.theirs || found.merged.conflicts.length > 0) {
      if (found) this.conflict.value = found
      return false
    }
    this.takeMerged(found.merged, found.theirs.head)
    return true
  }

  /** Reads the entry again, and compares what others have changed with what is in the form. */
  async compare(form: Form): Promise<void> {
    const found = await this.#found(form)
    if (found) this.conflict.value = found
  }

  /** The stored entry, compared with the form; undefined where it could not be read, which is said. */
  async #found(form: Form): Promise<ConflictState | undefined> {
    const reply = await ask({ url: this.requests.entry(this.stored) })
    const entry = isDone(reply) ? entryOf(reply.body) : undefined
    const base = form.base()
    const isGone = reply.status === 404 || reply.status === 403
    if (!base || (!entry && !isGone)) {
      this.fail(reply)
      return undefined
    }
    const mine = form.root.plain()
    if (!entry) {
      const absence = await absenceOf(this.type, this.locale.peek())
      return { absence, base, mine, merged: { read: base, plain: mine, conflicts: [], changes: [] } }
    }
    const plain = plainOf(this.kinds, this.type.uid, entry)
    const merged = merge(this.kinds, { base, theirs: plain, mine })
    const head = this.headOf(entry)
    const by = savedBy(this.head.peek(), head)
    return { theirs: { plain, head }, base, mine, merged, ...(by && { by }) }
  }

  /** Shows an entry as others have stored it, with the changes of the editor on top. */
  takeMerged({ read, plain }: Pick<Merged, 'read' | 'plain'>, head: Head): void {
    this.isOutdated = false
    batch(() => {
      this.takeHead(read, head)
      this.form.value = this.formWith(read, plain)
      this.problems.value = []
      this.failures.value = []
      this.conflict.value = undefined
    })
  }

  /** The entry was deleted by others: what is in the form becomes a new one. */
  takeAsNew(mine: PlainItem): void {
    batch(() => {
      this.place.value = { locale: this.locale.peek() }
      this.head.value = undefined
      this.conflict.value = undefined
      this.form.value = this.formWith(undefined, mine)
    })
  }

  /** Shows changes that were kept by the browser. */
  restore(draft: KeptDraft): void {
    const form = this.form.peek()
    const head = this.head.peek()
    const theirs = form?.base()
    const found: Restored = restored(this.kinds, draft, theirs)
    if (!head || !theirs || !found.read || !draft.base) {
      this.form.value = this.formWith(undefined, found.plain)
      return
    }
    const merged = { ...found, read: found.read }
    if (found.conflicts.length === 0) this.takeMerged(merged, head)
    else this.conflict.value = { theirs: { plain: theirs, head }, base: draft.base, mine: draft.mine, merged }
  }
}
