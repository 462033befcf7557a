import { useEffect, useMemo } from 'preact/hooks'
import type { Role } from '../../../model/roles/types.js'
import { guardLeaving } from '../../shell/address.js'
import { say } from '../../shell/messages.js'
import { mayIn } from '../../shell/sections.js'
import { View } from '../../shell/view.js'
import { t } from '../../text.js'
import { BackTo } from '../back-to.js'
import { DeleteButton } from '../delete-button.js'
import { TextBox } from '../fields.js'
import { Shown, useLoaded } from '../loaded.js'
import { Problems, useSending } from '../sending.js'
import { CodeButton } from './code-button.js'
import { Grid } from './grid.js'
import { urlOf } from './model.js'
import { PartsTable } from './parts.js'
import { RoleStore } from './store.js'
import { Trying } from './trying.js'

/** One role with what it may. */
export function OneRole({ id }: { id: string }) {
  const loaded = useLoaded<Role>(urlOf(id))
  const role = loaded.value.value
  const store = useMemo(
    () => role && new RoleStore(role, role.isSuper || role.isDeclared || !mayIn('roles', 'update')),
    [role],
  )
  return (
    <View title={role?.name ?? t('settings.roles')} beside={store && <Actions store={store} />}>
      <BackTo section="roles" />
      <Shown loaded={loaded}>{() => store && <RoleForm store={store} onSaved={() => void loaded.reload()} />}</Shown>
    </View>
  )
}

function RoleForm({ store, onSaved }: { store: RoleStore; onSaved: () => void }) {
  const { role, isFixed } = store
  const sending = useSending()
  useEffect(() => guardLeaving(() => store.isChanged), [store])
  const submit = async (event: Event) => {
    event.preventDefault()
    store.isSaving.value = true
    const reply = await sending.send({ method: 'PUT', url: urlOf(role.id), body: store.body() })
    store.isSaving.value = false
    if (!reply) return
    say(t('settings.saved'))
    onSaved()
  }
  const labels = { name: t('roles.name'), description: t('roles.description') }
  return (
    <form id={formId} class="role-form" aria-label={t('roles.form')} onSubmit={event => void submit(event)}>
      <Problems of={sending} labels={labels} />
      <p class="quiet">{t('roles.held', { count: role.accounts })}</p>
      {role.isDeclared && <p class="hint">{t('roles.declared', { code: role.code })}</p>}
      <div class="settings-form">
        <TextBox label={labels.name} value={store.name} isRequired isFixed={isFixed} />
        <TextBox label={labels.description} value={store.description} isFixed={isFixed} />
      </div>
      {role.isSuper ? (
        <p class="hint">{t('roles.super')}</p>
      ) : (
        <>
          <Grid store={store} />
          <PartsTable store={store} />
          <Kept role={role} />
          {mayIn('roles', 'update') && <Trying store={store} />}
        </>
      )}
    </form>
  )
}

/** Rows that have no meaning here. */
function Kept({ role: { kept } }: { role: Role }) {
  if (kept.length === 0) return null
  return (
    <details class="kept-rows">
      <summary>{t('roles.kept', { count: kept.length })}</summary>
      <p class="quiet">{t('roles.kept.text')}</p>
      <ul>
        {kept.map(({ action, subject }, index) => (
          <li key={index}>
            <code>{action}</code> {subject !== null && <code>{subject}</code>}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The button that saves stands beside the heading: the form is long. */
const formId = 'role-form'

function Actions({ store }: { store: RoleStore }) {
  const { role } = store
  const mayDelete = mayIn('roles', 'delete') && !role.isSuper && !role.isDeclared && role.accounts === 0
  return (
    <div class="row">
      {!role.isSuper && <CodeButton store={store} />}
      {mayDelete && (
        <DeleteButton
          url={urlOf(role.id)}
          title={t('roles.delete', { name: role.name })}
          text={t('roles.delete.text')}
          done={t('roles.deleted', { name: role.name })}
          section="roles"
        />
      )}
      {!store.isFixed && (
        <button type="submit" form={formId} class="button primary" disabled={store.isSaving.value || !store.isChanged}>
          {t('settings.save')}
        </button>
      )}
    </div>
  )
}
