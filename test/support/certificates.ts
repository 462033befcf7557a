import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountOf } from './workplace.js'

/** The files of a certificate and of its key. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** An authority that signs certificates, and goes away with its folder. */
export class Authority {
  readonly #openssl: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'stele-certificates-'))
  readonly #own: Certificate
  #count = 0

  constructor(openssl: string, name: string) {
    this.#openssl = openssl
    // Servers run as accounts of their own.
    chmodSync(this.#folder, 0o755)
    this.#own = this.#make(['-subj', `/CN=${name}`])
  }

  get file(): string {
    return this.#own.cert
  }

  get pem(): string {
    return readFileSync(this.file, 'utf8')
  }

  /** `alternatives` are the names it is for, such as `DNS:localhost,IP:127.0.0.1`; the account is the one that may read its key. */
  sign(name: string, alternatives: string, account?: string): Certificate {
    const signing = ['-CA', this.#own.cert, '-CAkey', this.#own.key]
    const certificate = this.#make([
      ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=${alternatives}`, '-addext', 'basicConstraints=CA:FALSE'],
      ...signing,
    ])
    const ids = account === undefined || process.getuid?.() !== 0 ? undefined : accountOf(account)
    if (ids) chownSync(certificate.key, ids.uid, ids.gid)
    return certificate
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #make(args: readonly string[]): Certificate {
    this.#count += 1
    const [key, cert] = [`key-${this.#count}.pem`, `cert-${this.#count}.pem`].map(name => join(this.#folder, name)) as [
      string,
      string,
    ]
    execFileSync(
      this.#openssl,
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
        ...['-keyout', key, '-out', cert, ...args],
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    chmodSync(key, 0o600)
    return { cert, key }
  }
}

/** The texts of the files, as settings have them. */
export const pemsOf = ({ cert, key }: Certificate) => ({
  cert: readFileSync(cert, 'utf8'),
  key: readFileSync(key, 'utf8'),
})
