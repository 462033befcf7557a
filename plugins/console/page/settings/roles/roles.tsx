import { useSignal } from '@preact/signals'
import { Dialog } from '../../../../pages/page/dialog.js'
import type { RoleInfo } from '../../../model/roles/types.js'
import { go } from '../../shell/address.js'
import { addressOfSection } from '../../shell/routes.js'
import { mayIn } from '../../shell/sections.js'
import { View } from '../../shell/view.js'
import { t } from '../../text.js'
import { TextBox } from '../fields.js'
import { Shown, useLoaded } from '../loaded.js'
import { Problems, useSending } from '../sending.js'
import type { SectionProps } from '../settings.js'
import { Table } from '../table.js'
import { rolesUrl } from './model.js'
import { OneRole } from './one.js'
import './roles.css'

/** The roles of editors: all, or one of them. */
export function Roles({ id }: SectionProps) {
  return id === undefined ? <EveryRole /> : <OneRole id={id} />
}

function EveryRole() {
  const loaded = useLoaded<{ readonly roles: readonly RoleInfo[] }>(rolesUrl)
  const isMaking = useSignal(false)
  const add = mayIn('roles', 'create') && (
    <button
      type="button"
      class="button primary"
      onClick={() => {
        isMaking.value = true
      }}
    >
      {t('roles.new')}
    </button>
  )
  return (
    <View title={t('settings.roles')} beside={add}>
      <Shown loaded={loaded}>
        {({ roles }) => (
          <Table
            label={t('settings.roles')}
            keyOf={({ id }) => id}
            rows={roles}
            columns={[
              {
                label: t('roles.name'),
                show: ({ id, name }) => (
                  <a href={addressOfSection('roles', id)} dir="auto">
                    {name}
                  </a>
                ),
              },
              {
                label: t('roles.description'),
                show: ({ description, isDeclared }) => (
                  <>
                    <span dir="auto">{description}</span>
                    {isDeclared && <span class="quiet"> ({t('roles.inFile')})</span>}
                  </>
                ),
              },
              { label: t('roles.accounts'), show: ({ accounts }) => accounts },
            ]}
          />
        )}
      </Shown>
      {isMaking.value && (
        <NewRole
          onClose={() => {
            isMaking.value = false
          }}
        />
      )}
    </View>
  )
}

function NewRole({ onClose }: { onClose: () => void }) {
  const [name, description] = [useSignal(''), useSignal('')]
  const sending = useSending()
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = { name: name.value, description: description.value.trim() || null }
    const reply = await sending.send({ method: 'POST', url: rolesUrl, body })
    if (reply) go(addressOfSection('roles', (reply.body as RoleInfo).id))
  }
  const labels = { name: t('roles.name'), description: t('roles.description') }
  return (
    <Dialog title={t('roles.new')} closeLabel={t('close')} onClose={onClose}>
      <form class="settings-form" aria-label={t('roles.new')} onSubmit={event => void submit(event)}>
        <TextBox label={labels.name} value={name} isRequired />
        <TextBox label={labels.description} value={description} />
        <Problems of={sending} labels={labels} />
        <div class="row dialog-buttons">
          <button type="button" class="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" class="button primary" disabled={sending.isSending}>
            {t('roles.make')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
