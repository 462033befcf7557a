import { computed, type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Dialog } from '../../../../pages/page/dialog.js'
import { errorMessageOf, isDone } from '../../../../pages/page/request.js'
import { ask } from '../../api.js'
import { meta } from '../../shell/session.js'
import { language, t } from '../../text.js'
import { ChoiceBox } from '../fields.js'
import { Table } from '../table.js'
import { urlOf } from './model.js'
import type { RoleStore } from './store.js'

interface Shown {
  readonly seen: number
  readonly of: number
  readonly fields: number
  readonly ofFields: number
  readonly names: readonly string[]
  readonly entries: readonly (Readonly<Record<string, unknown>> & { readonly id: number })[]
}

/** Milliseconds without a change until the server is asked. */
const pause = 300

/** The entries of a type that the role would show, asked for again after each change of the form. */
function useTrial(store: RoleStore, type: Signal<string>) {
  const shown = useSignal<Shown | undefined>(undefined)
  const problem = useSignal('')
  const body = useMemo(() => computed(() => ({ type: type.value, permissions: store.changes.value })), [store])
  useEffect(() => {
    const stop = new AbortController()
    if (type.value === '') return undefined
    const timer = setTimeout(async () => {
      const url = `${urlOf(store.role.id)}/try`
      const reply = await ask({ method: 'POST', url, body: body.peek(), signal: stop.signal })
      if (stop.signal.aborted) return
      shown.value = isDone(reply) ? (reply.body as Shown) : undefined
      problem.value = isDone(reply) ? '' : (errorMessageOf(reply) ?? t('failed'))
    }, pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [body.value])
  return { found: shown.value, problem: problem.value }
}

/** The part of a type that the role would show, as it stands in the form. */
export function Trying({ store }: { store: RoleStore }) {
  const { role } = store
  const readable = role.types.filter(({ uid }) => meta.value?.types.some(type => type.uid === uid && type.can.read))
  const type = useSignal(readable[0]?.uid ?? '')
  const { found, problem } = useTrial(store, type)
  const isOpen = useSignal(false)
  if (readable.length === 0) return null
  return (
    <section class="role-part" aria-label={t('roles.try')}>
      <h2>{t('roles.try')}</h2>
      <div class="trying">
        <ChoiceBox
          label={t('roles.try.as')}
          value={type}
          choices={readable.map(({ uid, name }) => ({ value: uid, label: name }))}
        />
        <p role="status" aria-label={t('roles.try')}>
          {problem}
          {found &&
            t('roles.try.shows', {
              ...{ seen: found.seen.toLocaleString(language()), count: found.of },
              ...{ fields: found.fields, all: found.ofFields },
            })}
        </p>
        {found && found.entries.length > 0 && (
          <button
            type="button"
            class="button"
            onClick={() => {
              isOpen.value = true
            }}
          >
            {t('roles.try.list')}
          </button>
        )}
      </div>
      <p class="quiet">{t('roles.try.own')}</p>
      {found && isOpen.value && (
        <EntriesDialog
          title={t('roles.try.listOf', {
            role: role.name,
            type: role.types.find(one => one.uid === type.value)?.name ?? '',
          })}
          found={found}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </section>
  )
}

/** The first entries that the role would show, in a table. */
const EntriesDialog = ({ title, found, onClose }: { title: string; found: Shown; onClose: () => void }) => (
  <Dialog title={title} closeLabel={t('close')} onClose={onClose}>
    {found.seen > found.entries.length && <p class="quiet">{t('roles.try.first', { count: found.entries.length })}</p>}
    <Table
      label={t('roles.try.entries')}
      keyOf={({ id }) => id}
      rows={found.entries}
      columns={[
        { label: 'id', show: ({ id }) => id },
        ...found.names.map(name => ({
          label: name,
          show: (entry: Shown['entries'][number]) => (entry[name] === null ? '–' : String(entry[name])),
        })),
      ]}
    />
  </Dialog>
)
