import { signal } from '@preact/signals'
import { isDone } from '../../../pages/page/request.js'
import { isRecord } from '../../../pages/values/records.js'
import { Kinds } from '../../model/form/kinds.js'
import { entryOf } from '../../model/form/read.js'
import type { Meta, Permissions, TypeMeta } from '../../model/meta.js'
import { ask } from '../api.js'
import { failureText } from '../entry/store/failures.js'
import type { EntryPlace } from '../entry/store/requests.js'
import { nothing } from '../entry/store/state.js'
import { EntryStore } from '../entry/store/store.js'

/** An entry in the trash: it is looked at, and restored. */
export class TrashedStore extends EntryStore {
  readonly isRestoring = signal(false)

  static of(meta: Meta, type: TypeMeta, place: EntryPlace): TrashedStore {
    // An empty trash of a single type has nothing to begin with.
    const seen: TypeMeta = { ...type, can: { ...type.can, create: null } }
    return new TrashedStore(meta, new Kinds(meta), seen, { ...place, isTrashed: true })
  }

  /** The server has one permission to delete and to restore. */
  protected override get permissions(): Permissions {
    return { ...nothing, delete: super.permissions.delete }
  }

  override get stored(): EntryPlace {
    return { ...super.stored, isTrashed: true }
  }

  /** Restores the entry: gives the attributes whose entries others have taken, undefined where it was refused. */
  async recover(): Promise<readonly string[] | undefined> {
    const updatedAt = this.head.peek()?.updatedAt
    this.isRestoring.value = true
    const reply = await ask({
      method: 'POST',
      url: this.requests.action('restore', super.stored),
      headers: updatedAt === undefined ? {} : { 'If-Match': `"${updatedAt}"` },
    })
    this.isRestoring.value = false
    if (isDone(reply) && entryOf(reply.body)) return lostIn(reply.body)
    this.report([], [failureText(reply, this.type)])
    return undefined
  }
}

function lostIn(body: unknown): readonly string[] {
  const lost = isRecord(body) && isRecord(body.meta) ? body.meta.lost : undefined
  return Array.isArray(lost) ? lost.map(String) : []
}
