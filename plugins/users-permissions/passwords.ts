/** A hash of no account: comparing with it takes as long as comparing with a real one. */
const noHash = '$2b$10$KbvfLUduXEzplGSR8JnmzeyD117QPbjgCE62dz5QicaE55l.yucDW'

/**
 * True if a password belongs to a hash. It takes the same time without a hash to compare with, so that no client can
 * measure which accounts exist. bcrypt reads 72 bytes and stops at a null byte; a password that it would not read in full
 * is wrong.
 */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const { default: bcrypt } = await import('@node-rs/bcrypt')
  const readable = Buffer.byteLength(password) <= 72 && !password.includes('\0')
  const known = typeof hash === 'string' && hash !== ''
  const same = await bcrypt.verify(readable ? password : '', known ? hash : noHash)
  return same && readable && known
}
