import { Moment } from '../../list/field-value.js'
import { t } from '../../text.js'
import type { Token } from './model.js'

/** The end of a token, which is said where it is over. */
export function Expiry({ token: { expiresAt } }: { token: Pick<Token, 'expiresAt'> }) {
  if (expiresAt === null) return <>{t('tokens.never')}</>
  return (
    <>
      <Moment time={expiresAt} />
      {Date.parse(expiresAt) < Date.now() && <span class="problem"> {t('tokens.over')}</span>}
    </>
  )
}
