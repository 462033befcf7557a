import { useSignal } from '@preact/signals'
import { Moment } from '../../list/field-value.js'
import { addressOfSection } from '../../shell/routes.js'
import { mayIn } from '../../shell/sections.js'
import { View } from '../../shell/view.js'
import { t } from '../../text.js'
import { Shown, useLoaded } from '../loaded.js'
import type { SectionProps } from '../settings.js'
import { Table } from '../table.js'
import { InviteDialog } from './invite.js'
import { type Account, type AllAccounts, accountsUrl, isOwn, nameOf } from './model.js'
import { OneAccount } from './one.js'
import { AccountState } from './state.js'

/** The accounts of editors: all, or one of them. */
export function Accounts({ id }: SectionProps) {
  return id === undefined ? <EveryAccount /> : <OneAccount id={id} />
}

function EveryAccount() {
  const loaded = useLoaded<AllAccounts>(accountsUrl)
  const isInviting = useSignal(false)
  const all = loaded.value.value
  const invite = all && mayIn('accounts', 'create') && (
    <button
      type="button"
      class="button primary"
      onClick={() => {
        isInviting.value = true
      }}
    >
      {t('accounts.invite')}
    </button>
  )
  return (
    <View title={t('settings.accounts')} beside={invite}>
      <Shown loaded={loaded}>
        {({ accounts }) => (
          <Table
            label={t('settings.accounts')}
            keyOf={({ id }) => id}
            rows={accounts}
            columns={[
              { label: t('accounts.name'), show: account => <Name account={account} /> },
              { label: t('accounts.email'), show: ({ email }) => email },
              { label: t('accounts.roles'), show: ({ roles }) => roles.map(({ name }) => name).join(', ') || '–' },
              { label: t('accounts.state'), show: account => <AccountState account={account} /> },
              {
                label: t('accounts.lastSignIn'),
                show: ({ lastSignIn }) => (lastSignIn === null ? '–' : <Moment time={lastSignIn} />),
              },
            ]}
          />
        )}
      </Shown>
      {all && isInviting.value && (
        <InviteDialog
          all={all}
          onMade={() => void loaded.reload()}
          onClose={() => {
            isInviting.value = false
          }}
        />
      )}
    </View>
  )
}

/** The own account has a section of its own. */
const Name = ({ account }: { account: Account }) =>
  isOwn(account) ? (
    <>
      <a href={addressOfSection('profile')}>{nameOf(account)}</a> <span class="quiet">({t('accounts.you')})</span>
    </>
  ) : (
    <a href={addressOfSection('accounts', account.id)}>{nameOf(account)}</a>
  )
