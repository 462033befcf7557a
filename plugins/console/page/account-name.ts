import type { Values } from '../model/form/plain.js'

/** The name of an account, as far as it may be read. */
export const nameOfAccount = (account: Values | undefined): string =>
  [account?.firstname, account?.lastname].filter(Boolean).join(' ') || String(account?.username ?? '')
