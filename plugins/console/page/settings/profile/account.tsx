import { useSignal } from '@preact/signals'
import { ownName } from '../../../model/language.js'
import { base } from '../../shell/address.js'
import { say } from '../../shell/messages.js'
import { accountIs } from '../../shell/session.js'
import { languages, t } from '../../text.js'
import { ChoiceBox, TextBox } from '../fields.js'
import { Shown, useLoaded } from '../loaded.js'
import { Problems, useSending } from '../sending.js'
import { useUnsaved } from '../unsaved.js'

interface Account {
  readonly name: string
  readonly email: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly language: string | null
}

interface Session {
  readonly account: Account
}

/** A language by its own name, as far as its code is one. */
const nameOf = (code: string): string => (languages.includes(code) ? ownName(code) : code)

const orNull = (text: string): string | null => text.trim() || null

/** The names of the own account, and the language of the page. */
export function OwnAccount() {
  const loaded = useLoaded<Session>(`${base}/session`)
  return <Shown loaded={loaded}>{({ account }) => <Form account={account} />}</Shown>
}

function Form({ account }: { account: Account }) {
  const [firstname, lastname] = [useSignal(account.firstname ?? ''), useSignal(account.lastname ?? '')]
  const language = useSignal(account.language ?? '')
  const sending = useSending()
  const dataOf = () => ({
    ...{ firstname: orNull(firstname.value), lastname: orNull(lastname.value) },
    language: orNull(language.value),
  })
  const settle = useUnsaved(dataOf)
  const submit = async (event: Event) => {
    event.preventDefault()
    const reply = await sending.send({ method: 'PUT', url: `${base}/session/account`, body: dataOf() })
    if (!reply) return
    settle()
    const { name, language: chosen } = (reply.body as Session).account
    await accountIs({ name, language: chosen })
    say(t('settings.saved'))
  }
  const labels = { firstname: t('signIn.firstname'), lastname: t('signIn.lastname'), language: t('profile.language') }
  // The panel of Strapi may have stored another one, which is kept as long as it is not changed.
  const others = [account.language ?? ''].filter(one => one !== '' && !languages.includes(one))
  return (
    <form class="settings-form" aria-label={t('profile.account')} onSubmit={event => void submit(event)}>
      <p class="quiet">{account.email}</p>
      <TextBox label={labels.firstname} value={firstname} />
      <TextBox label={labels.lastname} value={lastname} />
      <ChoiceBox
        label={labels.language}
        value={language}
        choices={[
          { value: '', label: t('profile.language.none') },
          ...[...languages, ...others].map(value => ({ value, label: nameOf(value) })),
        ]}
      />
      <Problems of={sending} labels={labels} />
      <button type="submit" class="button" disabled={sending.isSending}>
        {t('settings.save')}
      </button>
    </form>
  )
}
