import type { Tls } from '../../config/address.js'
import { merge } from '../../config/merge.js'

/** Options as a driver takes them. */
type Options = Record<string, unknown>

const copies = new WeakMap<object, Options>()

/**
 * A copy of the settings, as drivers write into their arguments. All connections have the same one, because drivers know by it
 * which certificates they have parsed, and which sessions can be resumed.
 */
export function tlsOptions(ssl: Exclude<Tls, boolean | string>): Options {
  const copy = copies.get(ssl) ?? (merge(undefined, ssl) as Options)
  copies.set(ssl, copy)
  return copy
}

/** The part of an error that tells its kind; `errno` is a number of MySQL. */
interface TlsFailure {
  readonly code?: unknown
  readonly errno?: unknown
  readonly message: string
}

const unchecked = 'ssl: { rejectUnauthorized: false } encrypts without verifying who the server is'

/**
 * Advice on the settings of `config/database`, by the refusal of TLS or a server: drivers keep the words of it, and not its code.
 */
const advices: readonly { readonly isMeant: (error: TlsFailure) => boolean; readonly says: string }[] = [
  {
    isMeant: ({ message }) =>
      /self.signed certificate|unable to (verify the first|get (local )?issuer) certificate/.test(message),
    says: `its certificate is signed by an authority that is not known here: set ssl: { ca } to the PEM text of that authority's certificate; ${unchecked}`,
  },
  {
    isMeant: ({ message }) => /does not match certificate's altnames/.test(message),
    says: `its certificate is for another name: set host to a name that is in it; ssl: { checkServerIdentity: () => undefined } on PostgreSQL and ssl: { verifyIdentity: false } on MySQL compare no names; ${unchecked}`,
  },
  {
    isMeant: ({ message }) => /certificate (has expired|is not yet valid)/.test(message),
    says: `its certificate is not valid now: compare the clocks, and renew it; ${unchecked}`,
  },
  {
    isMeant: ({ code, message }) => code === 'HANDSHAKE_NO_SSL_SUPPORT' || /does not support SSL/.test(message),
    says: 'the server has no TLS: set ssl: false (DATABASE_SSL=false), or enable TLS on the server',
  },
  {
    isMeant: ({ errno, message }) => errno === 3159 || /no encryption|SSL off/.test(message),
    says: 'the server wants an encrypted connection: set ssl: true (DATABASE_SSL=true), or ssl: { ca } where it has an authority of its own',
  },
  {
    isMeant: ({ message }) => /client certificate|certificate required/.test(message),
    says: 'the server wants a certificate of its client: set ssl: { cert, key } to the PEM texts of one and of its key',
  },
  {
    isMeant: ({ code, message }) =>
      /^ERR_OSSL/.test(String(code)) || /PEM routines|key values mismatch|DECODER routines/.test(message),
    says: 'ca, cert and key of ssl are PEM texts, such as readFileSync(file) gives, and not the names of files; cert and key belong together',
  },
]

/** The advice on a failure of TLS; undefined for other failures. */
export const tlsAdvice = (error: TlsFailure): string | undefined => advices.find(({ isMeant }) => isMeant(error))?.says
