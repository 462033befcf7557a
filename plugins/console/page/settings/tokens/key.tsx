import { useEffect, useRef } from 'preact/hooks'
import { meta } from '../../shell/session.js'
import { t } from '../../text.js'
import { Copied } from '../copied.js'
import type { FreshToken } from './model.js'

/** The key of a token, which is shown this once. */
export function Key({ token }: { token: FreshToken }) {
  const place = useRef<HTMLElement>(null)
  // The form that made it is gone, and the focus with it.
  useEffect(() => place.current?.focus(), [token.accessKey])
  return (
    <section ref={place} class="settings-part fresh" aria-label={t('tokens.key')} tabIndex={-1}>
      <p class="hint" role="alert">
        {t('tokens.key.once')}
      </p>
      <Copied label={t('tokens.key')} text={token.accessKey} />
      <Copied label={t('tokens.sample')} text={sample(token)} />
    </section>
  )
}

/** A request that the token may make. */
function sample({ type, permissions, accessKey }: FreshToken): string {
  const { types = [], app } = meta.peek() ?? {}
  const mayFind = (uid: string) => type !== 'custom' || permissions.includes(`${uid}.find`)
  const path = types.find(one => one.path !== undefined && mayFind(one.uid))?.path ?? ''
  return `curl '${location.origin}${app?.publicApi ?? ''}${path}' -H 'Authorization: Bearer ${accessKey}'`
}
