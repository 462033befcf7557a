import { useSignal } from '@preact/signals'
import { go } from '../../shell/address.js'
import { say } from '../../shell/messages.js'
import { addressOfSection } from '../../shell/routes.js'
import { mayIn } from '../../shell/sections.js'
import { View } from '../../shell/view.js'
import { t } from '../../text.js'
import { ActionTable } from '../actions/action-table.js'
import { BackTo } from '../back-to.js'
import { DeleteButton } from '../delete-button.js'
import { TextBox } from '../fields.js'
import { Shown, useLoaded } from '../loaded.js'
import { Problems, useSending } from '../sending.js'
import { useUnsaved } from '../unsaved.js'
import { type ActionTree, actionsIn, enabledIn, rolesUrl, treeOf, type WholeRole } from './model.js'

export function NewApiRole() {
  const loaded = useLoaded<{ readonly permissions: ActionTree }>('/console/api/users-permissions/permissions')
  return (
    <View title={t('apiRoles.new')}>
      <BackTo section="api-roles" />
      <Shown loaded={loaded}>
        {({ permissions }) => (
          <RoleForm tree={permissions} isFixed={false} onSaved={() => go(addressOfSection('api-roles'))} />
        )}
      </Shown>
    </View>
  )
}

export function StoredApiRole({ id }: { id: string }) {
  const loaded = useLoaded<{ readonly role: WholeRole }>(`${rolesUrl}/${encodeURIComponent(id)}`)
  const role = loaded.value.value?.role
  const mayDelete = role && !role.declared && role.type !== 'public' && mayIn('api-roles', 'deleteRole')
  return (
    <View title={role?.name ?? t('settings.api-roles')} beside={mayDelete && <DeleteRole role={role} />}>
      <BackTo section="api-roles" />
      <Shown loaded={loaded}>
        {({ role }) => (
          <>
            {role.declared && <p class="hint">{t('apiRoles.declared')}</p>}
            <RoleForm
              role={role}
              tree={role.permissions}
              isFixed={role.declared === true || !mayIn('api-roles', 'updateRole')}
              onSaved={() => void loaded.reload()}
            />
          </>
        )}
      </Shown>
    </View>
  )
}

interface FormProps {
  readonly role?: WholeRole
  readonly tree: ActionTree
  readonly isFixed: boolean
  readonly onSaved: () => void
}

function RoleForm({ role, tree, isFixed, onSaved }: FormProps) {
  const [name, description] = [useSignal(role?.name ?? ''), useSignal(role?.description ?? '')]
  const chosen = useSignal(enabledIn(tree))
  const sending = useSending()
  const actions = actionsIn(tree)
  const settle = useUnsaved(() => [name.value, description.value, [...chosen.value].sort()])
  const submit = async (event: Event) => {
    event.preventDefault()
    const permissions = treeOf(actions, chosen.value)
    const place = role ? { method: 'PUT', url: `${rolesUrl}/${role.id}` } : { method: 'POST', url: rolesUrl }
    const body = { name: name.value, description: description.value, permissions }
    if (!(await sending.send({ ...place, body }))) return
    settle()
    say(t('settings.saved'))
    onSaved()
  }
  const labels = { name: t('apiRoles.name'), description: t('apiRoles.description') }
  return (
    <form aria-label={t('apiRoles.form')} onSubmit={event => void submit(event)}>
      <div class="settings-form">
        <TextBox label={labels.name} value={name} isRequired isFixed={isFixed} />
        <TextBox label={labels.description} value={description} isFixed={isFixed} />
      </div>
      <ActionTable label={t('apiRoles.actions')} actions={actions} chosen={chosen} isFixed={isFixed} />
      {/* The server makes the type of a role from its name. */}
      <Problems of={sending} labels={{ ...labels, type: labels.name }} />
      {!isFixed && (
        <button type="submit" class="button primary" disabled={sending.isSending}>
          {t('settings.save')}
        </button>
      )}
    </form>
  )
}

const DeleteRole = ({ role: { id, name } }: { role: WholeRole }) => (
  <DeleteButton
    url={`${rolesUrl}/${id}`}
    title={t('apiRoles.delete', { name })}
    text={t('apiRoles.delete.text')}
    done={t('apiRoles.deleted', { name })}
    section="api-roles"
  />
)
