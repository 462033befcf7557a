import { ValidationError } from '../../../core/index.js'
import { commonPasswords } from './common-passwords.js'

interface Rules {
  /** The address of the account. */
  readonly email: string
  /** Least number of characters. */
  readonly min: number
}

/** Refuses a password that is too short, too long to be read in full, or among the first that are tried. */
export function checkPassword(password: string, rules: Rules): void {
  const message = wrongIn(password, rules)
  if (message !== undefined) throw ValidationError.of([{ path: ['password'], message, name: 'ValidationError' }])
}

function wrongIn(password: string, { email, min }: Rules): string | undefined {
  if ([...password].length < min) return `password must be at least ${min} characters`
  // bcrypt reads 72 bytes and stops at a null byte.
  if (Buffer.byteLength(password) > 72) return 'password must be at most 72 bytes long'
  if (password.includes('\0')) return 'password must not contain a null character'
  const plain = password.toLowerCase()
  const [name = ''] = email.toLowerCase().split('@')
  if (plain === email.toLowerCase() || plain === name) return 'password must not be the e-mail address'
  if (isCommon(plain)) return 'password is one of the most used ones; choose another'
  return undefined
}

/** One of the most used passwords, alone or with digits and signs behind it, or one character again and again. */
const isCommon = (plain: string): boolean =>
  commonPasswords().has(plain) || commonPasswords().has(plain.replace(/[^\p{L}]+$/u, '')) || new Set(plain).size === 1
