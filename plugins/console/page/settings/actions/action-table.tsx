import { type Signal, useSignal } from '@preact/signals'
import { meta } from '../../shell/session.js'
import { t } from '../../text.js'
import { FilterBox } from '../filter-box.js'

/** A permission of the API. */
export interface Action {
  readonly uid: string
  readonly action: string
  /** It may not be given, or taken, by the account. */
  readonly isFixed?: boolean
}

export const nameOf = ({ uid, action }: Action): string => `${uid}.${action}`

/** The actions that most types have. */
const usual = ['find', 'findOne', 'create', 'update', 'delete'] as const

/** Actions by type, each with a checkbox. */
export function ActionTable({
  label,
  actions,
  chosen,
  isFixed = false,
}: {
  label: string
  actions: readonly Action[]
  /** Names of actions: `api::article.article.find`. */
  chosen: Signal<ReadonlySet<string>>
  isFixed?: boolean
}) {
  const text = useSignal('')
  const groups = groupsOf(actions).filter(({ name }) => name.toLowerCase().includes(text.value.trim().toLowerCase()))
  const box = (group: Group, action: Action | undefined, isNamed = false) =>
    action && (
      <ActionBox
        key={action.action}
        group={group}
        action={action}
        chosen={chosen}
        isFixed={isFixed}
        isNamed={isNamed}
      />
    )
  return (
    <section class="actions" aria-label={label}>
      <FilterBox text={text} />
      <div class="table-place">
        <table class="settings-table" aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t('actions.type')}</th>
              {usual.map(name => (
                <th key={name} scope="col">
                  {t(`actions.${name}`)}
                </th>
              ))}
              <th scope="col">{t('actions.others')}</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(group => (
              <tr key={group.uid}>
                <th scope="row">{group.name}</th>
                {usual.map(name => (
                  <td key={name} data-label={t(`actions.${name}`)}>
                    {box(
                      group,
                      group.actions.find(({ action }) => action === name),
                    )}
                  </td>
                ))}
                <td>
                  {group.actions
                    .filter(({ action }) => !(usual as readonly string[]).includes(action))
                    .map(action => box(group, action, true))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

interface Group {
  readonly uid: string
  readonly name: string
  readonly actions: readonly Action[]
}

/** Types by their names first, and then what has no entries. */
function groupsOf(actions: readonly Action[]): readonly Group[] {
  const types = new Map(meta.value?.types.map(({ uid, name }) => [uid, name]))
  const groups = [...new Set(actions.map(({ uid }) => uid))].map(uid => ({
    ...{ uid, name: types.get(uid) ?? uid },
    actions: actions.filter(one => one.uid === uid),
  }))
  const isType = ({ uid }: Group) => (types.has(uid) ? 0 : 1)
  return groups.sort((one, other) => isType(one) - isType(other) || one.name.localeCompare(other.name))
}

function ActionBox({
  group,
  action,
  chosen,
  isFixed,
  isNamed,
}: {
  group: Group
  action: Action
  chosen: Signal<ReadonlySet<string>>
  isFixed: boolean
  isNamed: boolean
}) {
  const name = nameOf(action)
  const known = usual.find(one => one === action.action)
  const does = known ? t(`actions.${known}`) : action.action
  return (
    <label class="check action">
      <input
        type="checkbox"
        aria-label={t('actions.of', { type: group.name, action: does })}
        checked={chosen.value.has(name)}
        disabled={isFixed || action.isFixed === true}
        onChange={({ currentTarget: { checked } }) => {
          const next = new Set(chosen.peek())
          if (checked) next.add(name)
          else next.delete(name)
          chosen.value = next
        }}
      />
      {isNamed && <span aria-hidden="true">{does}</span>}
    </label>
  )
}
