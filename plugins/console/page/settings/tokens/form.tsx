import { useSignal } from '@preact/signals'
import { say } from '../../shell/messages.js'
import { t } from '../../text.js'
import { ActionTable } from '../actions/action-table.js'
import { ChoiceBox, TextBox } from '../fields.js'
import { Shown, useLoaded } from '../loaded.js'
import { Problems, useSending } from '../sending.js'
import { useUnsaved } from '../unsaved.js'
import { type FreshToken, type Givable, lifespans, type Token, tokensUrl, tokenTypes } from './model.js'

interface FormProps {
  readonly token?: Token
  readonly isFixed?: boolean
  readonly onSaved: (token: FreshToken) => void
}

/** The form of a token. The account gives what it may do itself, and no more. */
export function TokenForm(props: FormProps) {
  const givable = useLoaded<Givable>(`${tokensUrl}/actions`)
  return <Shown loaded={givable}>{known => <Form {...props} givable={known} />}</Shown>
}

function Form({ token, isFixed = false, onSaved, givable }: FormProps & { givable: Givable }) {
  const { mayGiveAll } = givable.meta
  const [name, description] = [useSignal(token?.name ?? ''), useSignal(token?.description ?? '')]
  const type = useSignal<string>(token?.type ?? (mayGiveAll ? 'read-only' : 'custom'))
  const lifespan = useSignal<string>('90d')
  const chosen = useSignal<ReadonlySet<string>>(new Set(token?.permissions))
  const sending = useSending()
  const dataOf = () => ({
    ...{ name: name.value, description: description.value, type: type.value },
    ...(type.value === 'custom' && { permissions: [...chosen.value].sort() }),
    ...(!token && { lifespan: lifespan.value }),
  })
  const settle = useUnsaved(dataOf)
  const submit = async (event: Event) => {
    event.preventDefault()
    const data = dataOf()
    const place = token ? { method: 'PUT', url: `${tokensUrl}/${token.id}` } : { method: 'POST', url: tokensUrl }
    const reply = await sending.send({ ...place, body: { data } })
    if (!reply) return
    settle()
    if (token) say(t('settings.saved'))
    onSaved((reply.body as { data: FreshToken }).data)
  }
  const types = tokenTypes.filter(one => mayGiveAll || one === 'custom' || one === token?.type)
  const labels = { name: t('tokens.name'), description: t('tokens.description') }
  return (
    <form aria-label={t('tokens.form')} onSubmit={event => void submit(event)}>
      <div class="settings-form">
        <TextBox label={labels.name} value={name} isRequired isFixed={isFixed} />
        <TextBox label={labels.description} value={description} isFixed={isFixed} />
        {!token && (
          <ChoiceBox
            label={t('tokens.lifespan')}
            value={lifespan}
            choices={lifespans.map(value => ({ value, label: t(`tokens.lifespan.${value}`) }))}
          />
        )}
        <ChoiceBox
          label={t('tokens.type')}
          value={type}
          isFixed={isFixed}
          choices={types.map(value => ({ value, label: t(`tokens.type.${value}`) }))}
        />
      </div>
      {type.value === 'custom' && (
        <ActionTable
          label={t('tokens.actions')}
          actions={actionsOf(givable, token)}
          chosen={chosen}
          isFixed={isFixed}
        />
      )}
      <Problems of={sending} labels={labels} />
      {!isFixed && (
        <button type="submit" class="button primary" disabled={sending.isSending}>
          {t(token ? 'settings.save' : 'tokens.create')}
        </button>
      )}
    </form>
  )
}

/** The actions that can be given, and those that the token has: what it has stays where the account may not give it. */
function actionsOf({ data }: Givable, token: Token | undefined) {
  const known = new Set(data.map(({ uid, action }) => `${uid}.${action}`))
  const others = (token?.permissions ?? [])
    .filter(name => !known.has(name))
    .map(name => {
      const cut = name.lastIndexOf('.')
      return { uid: name.slice(0, cut), action: name.slice(cut + 1) }
    })
  const all = data.map(({ uid, action, mayGive }) => ({ uid, action, isFixed: !mayGive }))
  return [...all, ...others]
}
