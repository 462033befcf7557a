import { useSignal } from '@preact/signals'
import { Dialog } from '../../../pages/page/dialog.js'
import { type Conflict as Meeting, merge, type Side } from '../../model/merge/merge.js'
import { nameOfAccount } from '../account-name.js'
import { saveBoth } from '../entry/store/both.js'
import type { ConflictState } from '../entry/store/state.js'
import type { EntryStore } from '../entry/store/store.js'
import { Moment } from '../list/field-value.js'
import { leaveFor } from '../shell/address.js'
import { addressOfType } from '../shell/routes.js'
import { t } from '../text.js'
import { Comparison } from './comparison.js'
import { pathKey } from './path-label.js'

/** Shows the changes of others since the form was opened, and lets the editor choose. */
export function Conflict({ store, conflict }: { store: EntryStore; conflict: ConflictState }) {
  return conflict.theirs ? (
    <Changed store={store} conflict={conflict} theirs={conflict.theirs} />
  ) : (
    <Deleted store={store} conflict={conflict} />
  )
}

interface ChangedProps {
  readonly store: EntryStore
  readonly conflict: ConflictState
  readonly theirs: NonNullable<ConflictState['theirs']>
}

function Changed({ store, conflict, theirs }: ChangedProps) {
  const { base, mine, merged } = conflict
  const choices = useSignal<ReadonlyMap<string, Side>>(new Map())
  const choose = ({ path, what }: Pick<Meeting, 'path' | 'what'>): Side =>
    choices.value.get(pathKey(path, what)) ?? 'mine'
  const close = () => {
    store.conflict.value = undefined
  }
  const take = (side: typeof choose) =>
    store.takeMerged(merge(store.kinds, { base, theirs: theirs.plain, mine }, side), theirs.head)
  const takeBoth = () => {
    take(choose)
    // The entry in another language waits for this one.
    void (conflict.isPublishing ? store.publish() : saveBoth(store))
  }
  const takeTheirs = () => store.takeMerged({ read: theirs.plain, plain: theirs.plain }, theirs.head)
  const { updatedAt } = theirs.head
  const name = nameOfAccount(conflict.by)
  const count = merged.conflicts.length
  const isMine = count > 0 || merged.changes.some(({ by }) => by !== 'theirs')
  return (
    <Dialog title={t('conflict')} closeLabel={t('close')} onClose={close}>
      <div class="conflict">
        <p>
          {name === '' ? t('conflict.saved') : t('conflict.savedBy', { name })}{' '}
          {updatedAt !== undefined && <Moment time={updatedAt} />}
          {'. '}
          {!isMine ? t('conflict.onlyTheirs') : count === 0 ? t('conflict.none') : t('conflict.some', { count })}
        </p>
        <Comparison
          store={store}
          merged={merged}
          sideOf={choose}
          onChoose={({ path, what }, side) => {
            choices.value = new Map([...choices.value, [pathKey(path, what), side]])
          }}
        />
        <div class="row dialog-buttons">
          <button type="button" class={isMine ? 'button' : 'button primary'} onClick={takeTheirs}>
            {t('conflict.theirs')}
          </button>
          <button type="button" class="button" onClick={close}>
            {t('conflict.keep')}
          </button>
          {isMine && (
            <button type="button" class="button primary" onClick={takeBoth}>
              {t(conflict.isPublishing ? 'conflict.bothPublish' : 'conflict.both')}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

/** The entry is gone: what is in the form can become a new one. */
function Deleted({ store, conflict }: { store: EntryStore; conflict: ConflictState }) {
  const { base, mine, absence = 'deleted' } = conflict
  const canBeNew = store.may('create') && !store.isSingle
  const close = () => {
    store.conflict.value = undefined
  }
  const discard = () => {
    close()
    store.show(base)
    leaveFor(addressOfType(store.type))
  }
  const saveAsNew = () => {
    store.takeAsNew(mine)
    void store.save()
  }
  return (
    <Dialog title={t(`conflict.${absence}`, { type: store.type.plural })} closeLabel={t('close')} onClose={close}>
      <p>
        {t('conflict.kept')} {canBeNew && t('conflict.canBeNew')}
      </p>
      <div class="row dialog-buttons">
        <button type="button" class="button" onClick={close}>
          {t('conflict.keep')}
        </button>
        {!store.isSingle && (
          <button type="button" class="button danger" onClick={discard}>
            {t('leaving.discard')}
          </button>
        )}
        {canBeNew && (
          <button type="button" class="button primary" onClick={saveAsNew}>
            {t('conflict.asNew')}
          </button>
        )}
      </div>
    </Dialog>
  )
}
