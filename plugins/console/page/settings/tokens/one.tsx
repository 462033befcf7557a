import { useSignal } from '@preact/signals'
import { leaveFor } from '../../shell/address.js'
import { say } from '../../shell/messages.js'
import { addressOfSection } from '../../shell/routes.js'
import { mayIn } from '../../shell/sections.js'
import { View } from '../../shell/view.js'
import { t } from '../../text.js'
import { BackTo } from '../back-to.js'
import { Confirm } from '../confirm.js'
import { Shown, useLoaded } from '../loaded.js'
import { useSending } from '../sending.js'
import { Expiry } from './expiry.js'
import { TokenForm } from './form.js'
import { Key } from './key.js'
import { type FreshToken, type Token, tokensUrl } from './model.js'

/** A new token: its form, and then its key. */
export function NewToken() {
  const made = useSignal<FreshToken | undefined>(undefined)
  return (
    <View title={made.value?.name ?? t('tokens.new')}>
      <BackTo section="tokens" />
      {made.value ? (
        <Key token={made.value} />
      ) : (
        <TokenForm
          onSaved={token => {
            made.value = token
          }}
        />
      )}
    </View>
  )
}

/** A token that is there. */
export function StoredToken({ id }: { id: string }) {
  const loaded = useLoaded<{ readonly data: Token }>(`${tokensUrl}/${encodeURIComponent(id)}`)
  const fresh = useSignal<FreshToken | undefined>(undefined)
  const token = loaded.value.value?.data
  const onFresh = (made: FreshToken) => {
    fresh.value = made
    void loaded.reload()
  }
  return (
    <View title={token?.name ?? t('settings.tokens')} beside={token && <Actions token={token} onFresh={onFresh} />}>
      <BackTo section="tokens" />
      {fresh.value && <Key token={fresh.value} />}
      <Shown loaded={loaded}>
        {({ data }) => (
          <>
            <p class="settings-part">
              {t('tokens.expires')}: <Expiry token={data} />
            </p>
            <TokenForm token={data} isFixed={!mayIn('tokens', 'update')} onSaved={() => void loaded.reload()} />
          </>
        )}
      </Shown>
    </View>
  )
}

function Actions({ token, onFresh }: { token: Token; onFresh: (token: FreshToken) => void }) {
  const asking = useSignal<'regenerate' | 'revoke' | undefined>(undefined)
  const sending = useSending()
  const url = `${tokensUrl}/${token.id}`
  const close = () => {
    asking.value = undefined
  }
  const regenerate = async () => {
    const reply = await sending.send({ method: 'POST', url: `${url}/regenerate` })
    if (!reply) return
    close()
    onFresh((reply.body as { data: FreshToken }).data)
  }
  const revoke = async () => {
    if (!(await sending.send({ method: 'DELETE', url }))) return
    say(t('tokens.revoked', { name: token.name }))
    // Changes in the form are lost with what they are changes of.
    leaveFor(addressOfSection('tokens'))
  }
  const does = asking.value
  return (
    <div class="row">
      {(['regenerate', 'revoke'] as const)
        .filter(name => mayIn('tokens', name))
        .map(name => (
          <button
            key={name}
            type="button"
            class={name === 'revoke' ? 'button danger' : 'button'}
            onClick={() => {
              asking.value = name
            }}
          >
            {t(`tokens.${name}`)}
          </button>
        ))}
      {does && (
        <Confirm
          title={t(`tokens.${does}.title`, { name: token.name })}
          label={t(`tokens.${does}`)}
          sending={sending}
          onDo={() => void (does === 'revoke' ? revoke() : regenerate())}
          onClose={close}
        >
          <p>{t(`tokens.${does}.text`)}</p>
        </Confirm>
      )}
    </div>
  )
}
