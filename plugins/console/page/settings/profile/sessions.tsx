import { useSignal } from '@preact/signals'
import { Dialog } from '../../../../pages/page/dialog.js'
import { browserName } from '../../../model/browser-name.js'
import { Moment } from '../../list/field-value.js'
import { base } from '../../shell/address.js'
import { say } from '../../shell/messages.js'
import { signOutEverywhere } from '../../shell/session.js'
import { t } from '../../text.js'
import { Shown, useLoaded } from '../loaded.js'
import { Problems, useSending } from '../sending.js'
import { Table } from '../table.js'

interface Session {
  readonly id: number
  readonly created: string
  readonly seen: string
  readonly address: string | null
  readonly agent: string | null
  readonly isCurrent: boolean
}

const url = `${base}/sessions`
const nameOf = ({ agent }: Session): string => browserName(agent) ?? t('profile.sessions.unknown')

/** The browsers in which the account is signed in. */
export function Sessions() {
  const loaded = useLoaded<{ readonly sessions: readonly Session[] }>(url)
  const sending = useSending()
  const isAsking = useSignal(false)
  const end = async ({ id }: Session) => {
    if (await sending.send({ method: 'DELETE', url: `${url}/${id}` })) say(t('profile.sessions.ended'))
    await loaded.reload()
  }
  return (
    <>
      <Problems of={sending} />
      <Shown loaded={loaded}>
        {({ sessions }) => (
          <Table
            label={t('profile.sessions')}
            keyOf={({ id }) => id}
            rows={sessions}
            columns={[
              {
                label: t('profile.sessions.browser'),
                show: session => (
                  <>
                    {nameOf(session)}
                    {session.isCurrent && <span class="quiet"> ({t('profile.sessions.current')})</span>}
                  </>
                ),
              },
              { label: t('profile.sessions.address'), show: ({ address }) => address },
              { label: t('profile.sessions.created'), show: ({ created }) => <Moment time={created} /> },
              { label: t('profile.sessions.seen'), show: ({ seen }) => <Moment time={seen} /> },
            ]}
            actions={{
              label: t('settings.actions'),
              show: session =>
                !session.isCurrent && (
                  <button
                    type="button"
                    class="button"
                    disabled={sending.isSending}
                    aria-label={t('profile.sessions.end', { name: nameOf(session) })}
                    onClick={() => void end(session)}
                  >
                    {t('account.signOut')}
                  </button>
                ),
            }}
          />
        )}
      </Shown>
      <button
        type="button"
        class="button"
        onClick={() => {
          isAsking.value = true
        }}
      >
        {t('profile.sessions.everywhere')}
      </button>
      {isAsking.value && (
        <SignOutDialog
          onClose={() => {
            isAsking.value = false
          }}
        />
      )}
    </>
  )
}

function SignOutDialog({ onClose }: { onClose: () => void }) {
  const signOut = () => {
    onClose()
    void signOutEverywhere()
  }
  return (
    <Dialog title={t('profile.sessions.everywhere')} closeLabel={t('close')} onClose={onClose}>
      <p>{t('profile.sessions.everywhere.sure')}</p>
      <div class="row dialog-buttons">
        <button type="button" class="button" onClick={onClose}>
          {t('cancel')}
        </button>
        <button type="button" class="button danger" onClick={signOut}>
          {t('profile.sessions.everywhere')}
        </button>
      </div>
    </Dialog>
  )
}
