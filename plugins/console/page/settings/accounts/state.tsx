import { exactTime } from '../../../model/when.js'
import { language, t } from '../../text.js'
import type { Account } from './model.js'

const signs = { active: '●', invited: '○', blocked: '✕' } as const

/** The state of an account by a sign and words. */
export const AccountState = ({ account }: { account: Account }) => (
  <>
    <span aria-hidden="true">{signs[account.state]} </span>
    {textOf(account)}
  </>
)

function textOf({ state, invitedUntil }: Account): string {
  if (state !== 'invited' || invitedUntil === null) return t(`accounts.state.${state}`)
  const until = new Date(invitedUntil)
  if (until.getTime() < Date.now()) return t('accounts.state.ended')
  return t('accounts.state.until', { time: exactTime(until, language()) })
}
