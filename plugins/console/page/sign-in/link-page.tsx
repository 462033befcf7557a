import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { errorMessageOf, isDone, send } from '../../../pages/page/request.js'
import { isRecord } from '../../../pages/values/records.js'
import { address, base, go } from '../shell/address.js'
import { Brand } from '../shell/brand.js'
import type { LinkPurpose } from '../shell/routes.js'
import { load } from '../shell/session.js'
import { t } from '../text.js'
import { useAttempt } from './attempt.js'
import { PasswordField, TextField } from './field.js'
import { Forgotten } from './forgotten.js'
import { Problem } from './problem.js'

/** The view of a link: its code stands behind `#`, where no server and no log sees it. */
export function LinkPage({ purpose }: { purpose: LinkPurpose }) {
  const code = address.value.hash.slice(1)
  useEffect(() => {
    document.title = t(`link.${purpose}`)
  }, [purpose])
  return (
    <main class="message">
      <Brand />
      {code === '' && purpose === 'password' ? (
        <Forgotten />
      ) : purpose === 'first-account' ? (
        <FirstAccount code={code} />
      ) : (
        <NewPassword purpose={purpose} code={code} />
      )}
    </main>
  )
}

async function enter(): Promise<void> {
  await load()
  go(base, { isSame: true })
}

const paths = { invitation: `${base}/invitation`, password: `${base}/password/new` }

/** Chooses a password: the first one by an invitation, or a new one. */
function NewPassword({ purpose, code }: { purpose: keyof typeof paths; code: string }) {
  const owner = useSignal<string | undefined>(undefined)
  const invalid = useSignal('')
  const password = useSignal('')
  const attempt = useAttempt()
  useEffect(() => {
    void send({ method: 'POST', url: `${paths[purpose]}/owner`, body: { code } }).then(reply => {
      const account = isRecord(reply.body) && isRecord(reply.body.account) ? reply.body.account : undefined
      if (isDone(reply) && account) owner.value = String(account.firstname ?? account.email)
      else invalid.value = errorMessageOf(reply) ?? t('failed')
    })
  }, [purpose, code, owner, invalid])
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await attempt.post(paths[purpose], { code, password: password.value })) await enter()
  }
  if (invalid.value !== '')
    return (
      <>
        <h1>{t(`link.${purpose}`)}</h1>
        <p role="alert">{invalid.value}</p>
        <a href={base}>{t('signIn')}</a>
      </>
    )
  if (owner.value === undefined) return <p role="status">{t('loading')}</p>
  return (
    <form class="sign-in" onSubmit={event => void submit(event)}>
      <h1>{t(`link.${purpose}.welcome`, { name: owner.value })}</h1>
      <PasswordField
        label={t('signIn.password')}
        complete="new-password"
        note={t('link.rules')}
        value={password.value}
        onType={value => {
          password.value = value
        }}
      />
      <Problem attempt={attempt} />
      <button type="submit" class="button primary" disabled={attempt.isSending || attempt.wait > 0}>
        {t(`link.${purpose}.do`)}
      </button>
    </form>
  )
}

/** Makes the first account, with the code that the terminal has shown. */
function FirstAccount({ code }: { code: string }) {
  const [firstname, lastname, email, password] = [useSignal(''), useSignal(''), useSignal(''), useSignal('')]
  const attempt = useAttempt()
  const submit = async (event: Event) => {
    event.preventDefault()
    const account = { email: email.value, password: password.value }
    const names = { firstname: firstname.value, lastname: lastname.value }
    const given = Object.entries(names).filter(([, name]) => name !== '')
    if (await attempt.post(`${base}/first-account`, { code, ...account, ...Object.fromEntries(given) })) await enter()
  }
  const typed = (place: { value: string }) => (value: string) => {
    place.value = value
  }
  return (
    <form class="sign-in" onSubmit={event => void submit(event)}>
      <h1>{t('link.first-account')}</h1>
      <p class="quiet">{t('link.first-account.text')}</p>
      <TextField
        label={t('signIn.firstname')}
        complete="given-name"
        value={firstname.value}
        onType={typed(firstname)}
        isRequired={false}
      />
      <TextField
        label={t('signIn.lastname')}
        complete="family-name"
        value={lastname.value}
        onType={typed(lastname)}
        isRequired={false}
      />
      <TextField type="email" label={t('signIn.email')} complete="username" value={email.value} onType={typed(email)} />
      <PasswordField
        label={t('signIn.password')}
        complete="new-password"
        note={t('link.rules')}
        value={password.value}
        onType={typed(password)}
      />
      <Problem attempt={attempt} />
      <button type="submit" class="button primary" disabled={attempt.isSending || attempt.wait > 0}>
        {t('link.first-account.do')}
      </button>
    </form>
  )
}
