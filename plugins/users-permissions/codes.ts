import { createHash, randomBytes } from 'node:crypto'

/** The prefix of stored hashes: a stored form can never be sent in as if it were the code itself. */
const mark = 'sha256$'

const hashed = (code: string): string => mark + createHash('sha256').update(code).digest('hex')

/** A code for a mail, and its stored form: reading the database is not enough to use it. */
export interface Code {
  readonly sent: string
  readonly stored: string
}

/** Random digits, with the second in which the code expires as their last eight. */
export function makeCode(length: number, lifetime: number): Code {
  const expires = Math.floor(Date.now() / 1000) + lifetime
  const sent = randomBytes(length / 2 - 4).toString('hex') + expires.toString(16).padStart(8, '0')
  return { sent, stored: hashed(sent) }
}

/** The stored forms of a code. Codes that Strapi stored are the text itself and never expire; `plain` accepts those too. */
export function storedForms(code: string, plain: boolean): string[] {
  const forms = isExpired(code) ? [] : [hashed(code)]
  if (plain && !code.startsWith(mark)) forms.push(code)
  return forms
}

function isExpired(code: string): boolean {
  const expires = Number.parseInt(code.slice(-8), 16)
  return !(expires * 1000 > Date.now())
}
