import { useSignal } from '@preact/signals'
import { Fragment } from 'preact'
import { actionOf, isOfFields, type Right, type RoleType, rights } from '../../../model/roles/types.js'
import { t } from '../../text.js'
import { FilterBox } from '../filter-box.js'
import { Box } from './box.js'
import { Details, makers } from './details.js'
import { RightsHead, RightsRow } from './rights-table.js'
import type { RoleStore } from './store.js'
import { Warnings } from './warnings.js'

/** The permissions of a role to entries: types by actions, each with its details. */
export function Grid({ store }: { store: RoleStore }) {
  const text = useSignal('')
  const open = useSignal<ReadonlySet<string>>(new Set())
  const wanted = text.value.trim().toLowerCase()
  const types = store.role.types.filter(({ name, uid }) => `${name} ${uid}`.toLowerCase().includes(wanted))
  const toggle = (uid: string) => {
    const next = new Set(open.peek())
    if (!next.delete(uid)) next.add(uid)
    open.value = next
  }
  return (
    <section class="role-part" aria-label={t('roles.entries')}>
      <h2>{t('roles.entries')}</h2>
      <FilterBox text={text} />
      <div class="table-place">
        <table class="role-grid" aria-label={t('roles.entries')}>
          <RightsHead title={t('actions.type')} />
          <tbody>
            {types.map(type => (
              <Fragment key={type.uid}>
                <RightsRow
                  cell={right =>
                    type.rights.includes(right) ? <RightBox store={store} type={type} right={right} /> : '–'
                  }
                >
                  <button
                    type="button"
                    class="text-button"
                    aria-expanded={open.value.has(type.uid)}
                    aria-label={t('roles.details', { type: type.name })}
                    onClick={() => toggle(type.uid)}
                  >
                    <span aria-hidden="true">{open.value.has(type.uid) ? '▾' : '▸'} </span>
                    {type.name}
                  </button>
                  <Summary store={store} type={type} />
                </RightsRow>
                <Warnings store={store} type={type} />
                {open.value.has(type.uid) && (
                  <tr>
                    <td colSpan={rights.length + 1} class="details-cell">
                      <Details store={store} type={type} />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** The languages and makers to which the rights to a type are limited, in a few words. */
function Summary({ store, type }: { store: RoleStore; type: RoleType }) {
  const drafts = type.rights.flatMap(right => store.of({ action: actionOf(right), subject: type.uid }) ?? [])
  const languages = drafts.some(({ locales }) => locales) ? drafts.flatMap(({ locales }) => locales ?? []) : []
  const words = [
    ...(languages.length > 0 ? [[...new Set(languages)].sort().join(', ')] : []),
    ...makers
      .filter(maker => drafts.some(({ where }) => where.includes(maker)))
      .map(maker => t(`roles.where.${maker}`)),
  ]
  return words.length > 0 && <span class="role-summary">{words.join(' · ')}</span>
}

function RightBox({ store, type, right }: { store: RoleStore; type: RoleType; right: Right }) {
  const about = { action: actionOf(right), subject: type.uid }
  const draft = store.of(about)
  const isOpen = store.isOpen(about)
  if (!draft && !isOpen) return <>–</>
  const [some, all] = [draft?.fields?.length ?? type.fields.length, type.fields.length]
  const note = draft && isOfFields(right) ? (some === all ? t('roles.all') : `${some}/${all}`) : undefined
  return (
    <Box
      label={`${type.name}: ${t(`roles.right.${right}`)}`}
      note={note}
      state={!draft ? 'none' : some === all ? 'all' : 'some'}
      isFixed={!isOpen}
      onChange={isWanted => {
        const before = draft?.fields?.length
        if (isWanted) store.give(about)
        // All that the account may give was there already: then it is taken away.
        if (!isWanted || (before !== undefined && before === store.of(about)?.fields?.length))
          store.change(about, undefined)
      }}
    />
  )
}
