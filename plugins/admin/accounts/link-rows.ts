import { createHash, randomBytes } from 'node:crypto'
import type { Host, Session } from '../../../core/index.js'
import { stampUid } from '../content-types.js'

/** The purpose of a link: its owner may take an invited account, or choose a new password. */
export type LinkPurpose = 'invitation' | 'password'

type LinkHost = Pick<Host, 'entries'>

/** A link that is valid once; the database has a hash of its code. */
export interface Link {
  readonly code: string
  readonly expires: Date
}

const lifetimes: Readonly<Record<LinkPurpose, number>> = {
  invitation: 7 * 24 * 60 * 60 * 1000,
  password: 60 * 60 * 1000,
}

const hashed = (code: string): string => createHash('sha256').update(code).digest('hex')

/** Makes a link in place of the earlier ones of an account. */
export async function makeLink(
  host: LinkHost,
  { purpose, account }: { readonly purpose: LinkPurpose; readonly account: number },
  session: Session,
): Promise<Link> {
  await dropLinks(host, account, session)
  const code = randomBytes(32).toString('base64url')
  const expires = new Date(Date.now() + lifetimes[purpose])
  await host.entries(stampUid, session).create({ purpose, account, hash: hashed(code), expires: expires.toISOString() })
  return { code, expires }
}

/** The id of the account that a valid link is for. */
export async function readLink(
  { entries }: LinkHost,
  { purpose, code }: { readonly purpose: LinkPurpose; readonly code: string },
  session?: Session,
): Promise<number | undefined> {
  const where = { purpose: { $eq: purpose }, hash: { $eq: hashed(code) } }
  const found = await entries(stampUid, session).first({ where, fields: ['account', 'expires'] })
  return found && Date.parse(String(found.expires)) > Date.now() ? Number(found.account) : undefined
}

/** The time until which an account may be taken by its invitation. */
export async function invitedUntil({ entries }: LinkHost): Promise<ReadonlyMap<number, Date>> {
  const where = { purpose: { $eq: 'invitation' } }
  const found = await entries(stampUid).find({ where, fields: ['account', 'expires'] })
  return new Map(found.map(({ account, expires }) => [Number(account), new Date(String(expires))]))
}

/** Makes the links of an account void. */
export async function dropLinks({ entries }: LinkHost, account: number, session: Session): Promise<void> {
  const stamps = entries(stampUid, session)
  for (const { id } of await stamps.find({ where: { account: { $eq: account } }, fields: [] }))
    await stamps.delete(Number(id))
}
