import { type Host, optional } from '../../../core/index.js'
import { i18n } from '../../i18n/index.js'

/** The locales of the app; none where it has one language only. */
export class Locales {
  readonly #host: Pick<Host, 'service'>

  constructor(host: Pick<Host, 'service'>) {
    this.#host = host
  }

  get default(): string | undefined {
    return this.#host.service(optional(i18n))?.locales.default
  }

  has(code: unknown): boolean {
    return this.#host.service(optional(i18n))?.locales.has(code) ?? false
  }
}
