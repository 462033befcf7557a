import { type Host, optional } from '../../../core/index.js'
import { type I18n, i18n } from '../../i18n/index.js'

/** The locales of the app; none where it has one language only. */
export class Locales {
  readonly #host: Pick<Host, 'service'>

  constructor(host: Pick<Host, 'service'>) {
    this.#host = host
  }

  /** Localizations that requests ask for are made by code, where it hears of that. */
  makeBy(make: NonNullable<I18n['byCode']>): void {
    const service = this.#host.service(optional(i18n))
    if (service) service.byCode = make
  }

  get default(): string | undefined {
    return this.#host.service(optional(i18n))?.locales.default
  }

  has(code: unknown): boolean {
    return this.#host.service(optional(i18n))?.locales.has(code) ?? false
  }
}
