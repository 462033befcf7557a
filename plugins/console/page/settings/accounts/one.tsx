import { useSignal } from '@preact/signals'
import { Moment } from '../../list/field-value.js'
import { say } from '../../shell/messages.js'
import { addressOfSection } from '../../shell/routes.js'
import { View } from '../../shell/view.js'
import { t } from '../../text.js'
import { BackTo } from '../back-to.js'
import { Shown, useLoaded } from '../loaded.js'
import { Problems, useSending } from '../sending.js'
import { useUnsaved } from '../unsaved.js'
import { AccountActions } from './actions.js'
import { AccountFields, labels, sentOf } from './fields.js'
import {
  type Account,
  type AllAccounts,
  accountsUrl,
  type GivenRole,
  isOwn,
  mayChange,
  nameOf,
  urlOf,
} from './model.js'
import { AccountState } from './state.js'

/** One account, with what may be done to it. */
export function OneAccount({ id }: { id: string }) {
  const loaded = useLoaded<AllAccounts>(accountsUrl)
  const all = loaded.value.value
  const account = all?.accounts.find(one => String(one.id) === id)
  const reload = () => void loaded.reload()
  return (
    <View
      title={account ? nameOf(account) : t('settings.accounts')}
      beside={account && !isOwn(account) && <AccountActions account={account} onChange={reload} />}
    >
      <BackTo section="accounts" />
      <Shown loaded={loaded}>
        {({ roles }) =>
          account ? (
            <>
              <section class="settings-part">
                <p>
                  <AccountState account={account} />
                  {account.lastSignIn !== null && (
                    <span class="quiet">
                      {' '}
                      · {t('accounts.lastSignIn')}: <Moment time={account.lastSignIn} />
                    </span>
                  )}
                </p>
                <WhyFixed account={account} />
              </section>
              <section class="settings-part">
                <AccountForm account={account} roles={roles} onSaved={reload} />
              </section>
            </>
          ) : (
            <p class="empty">{t('accounts.gone')}</p>
          )
        }
      </Shown>
    </View>
  )
}

function WhyFixed({ account }: { account: Account }) {
  if (isOwn(account))
    return (
      <p class="hint">
        {t('accounts.own')} <a href={addressOfSection('profile')}>{t('settings.profile')}</a>
      </p>
    )
  if (account.isLast) return <p class="hint">{t('accounts.last')}</p>
  return account.mayChange ? null : <p class="hint">{t('accounts.beyond')}</p>
}

function AccountForm({
  account,
  roles,
  onSaved,
}: {
  account: Account
  roles: readonly GivenRole[]
  onSaved: () => void
}) {
  const typed = {
    ...{ firstname: useSignal(account.firstname ?? ''), lastname: useSignal(account.lastname ?? '') },
    email: useSignal(account.email),
    roles: useSignal<readonly string[]>(account.roles.map(({ id }) => String(id))),
  }
  const sending = useSending()
  const settle = useUnsaved(() => sentOf(typed))
  const isFixed = isOwn(account) || account.isLast || !mayChange(account)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!(await sending.send({ method: 'PUT', url: urlOf(account.id), body: sentOf(typed) }))) return
    settle()
    say(t('settings.saved'))
    onSaved()
  }
  return (
    <form class="settings-form" aria-label={t('accounts.form')} onSubmit={event => void submit(event)}>
      <AccountFields typed={typed} roles={roles} held={account.roles} isFixed={isFixed} />
      <Problems of={sending} labels={labels()} />
      {!isFixed && (
        <button type="submit" class="button primary" disabled={sending.isSending}>
          {t('settings.save')}
        </button>
      )}
    </form>
  )
}
