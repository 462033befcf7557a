import { ApplicationError, type Entry, type Filters, NotFoundError, type Session } from '../../core/index.js'
import { nameOf, readCode, wrong } from './codes.js'
import { isLocalized, localeUid } from './content-types.js'
import type { I18nHost } from './settings.js'

/** A locale, as it is returned. */
export interface Locale extends Entry {
  readonly id: number
  readonly name: string
  readonly code: string
  readonly isDefault: boolean
}

/** The locales of the app, in memory: read again by the kernel, and after every change that is made here. */
export class Locales {
  readonly #host: I18nHost
  #list: readonly Locale[] = []
  #default = ''
  #entriesOf: ReadonlyMap<unknown, Filters> = new Map()

  constructor(host: I18nHost) {
    this.#host = host
  }

  get list(): readonly Locale[] {
    return this.#list
  }

  get codes(): readonly string[] {
    return this.#list.map(({ code }) => code)
  }

  get default(): string {
    return this.#default
  }

  has(code: unknown): boolean {
    return this.#list.some(locale => locale.code === code)
  }

  /** The filter that most queries need. */
  entriesOf(code: unknown): Filters | undefined {
    return this.#entriesOf.get(code)
  }

  /** The locale of an id, or of a code. */
  get(name: unknown): Locale {
    const found = this.#list.find(({ id, code }) => code === name || String(id) === name)
    if (!found) throw new NotFoundError()
    return found
  }

  /** Reads them from the database. Plans look at them while they are made. */
  async refresh(): Promise<void> {
    const code = await this.#host.shares.stored.get('default_locale')
    const rows = (await this.#host.entries(localeUid).find({ sort: 'id' })) as Locale[]
    const list = rows.map(row => ({ ...row, isDefault: row.code === code }))
    if (code === this.#default && JSON.stringify(list) === JSON.stringify(this.#list)) return
    this.#default = code
    this.#list = list
    this.#entriesOf = new Map(list.map(({ code }) => [code, Object.freeze({ locale: Object.freeze({ $eq: code }) })]))
    this.#host.forgetPlans()
  }

  /** A new database gets its default locale; every start makes sure of those that the settings name. */
  async prepare(): Promise<void> {
    await this.refresh()
    const { defaultLocale, locales } = this.#host.config
    if (this.#list.length === 0) {
      const first = defaultLocale ?? process.env.STRAPI_PLUGIN_I18N_INIT_LOCALE_CODE ?? 'en'
      await this.#ensure(first)
      await this.setDefault(first)
    }
    for (const code of locales) await this.#ensure(code)
  }

  async #ensure(code: string): Promise<void> {
    if (this.has(code)) return
    try {
      await this.add(code)
    } catch (error) {
      // A concurrent start of another process may have been first.
      await this.refresh()
      if (!this.has(code)) throw error
    }
  }

  async add(code: unknown, name?: unknown): Promise<Locale> {
    const right = readCode(code)
    if (this.has(right)) throw new ApplicationError('This locale already exists')
    await this.#host.entries(localeUid).create({ code: right, name: name ?? nameOf(right) })
    await this.refresh()
    return this.get(right)
  }

  async rename({ id, code }: Locale, name: unknown): Promise<Locale> {
    await this.#host.entries(localeUid).update(id, { name })
    await this.refresh()
    return this.get(code)
  }

  async setDefault(code: string): Promise<Locale> {
    const { code: known } = this.get(code)
    await this.#host.shares.stored.set('default_locale', known)
    await this.refresh()
    return this.get(known)
  }

  /** Removes a locale. Entries in it are deleted or kept out of sight, as is said; nothing is guessed. */
  async remove({ id, code }: Locale, entries: unknown): Promise<void> {
    if (code === this.#default) throw new ApplicationError('Cannot delete the default locale')
    if (entries !== undefined && entries !== 'delete' && entries !== 'keep')
      throw wrong('entries', 'entries is delete or keep')
    await this.#host.store.transaction(async session => {
      if (entries !== 'keep') await this.#empty(code, entries, session)
      await this.#host.entries(localeUid, session).delete(id)
    })
    await this.refresh()
  }

  /** The number of entries in a locale, by type; types without any are left out. */
  async entriesIn({ code }: Locale): Promise<readonly { uid: string; name: string; count: number }[]> {
    const localized = [...this.#host.types.types.values()].filter(isLocalized)
    const counted = await Promise.all(
      localized.map(async ({ uid, displayName }) => ({
        ...{ uid, name: displayName },
        count: await this.#host.entries(uid).count({ locale: { $eq: code } }),
      })),
    )
    return counted.filter(({ count }) => count > 0)
  }

  async #empty(code: string, entries: 'delete' | undefined, session: Session): Promise<void> {
    for (const type of this.#host.types.types.values()) {
      if (!isLocalized(type)) continue
      const ofType = this.#host.entries(type.uid, session)
      const found = await ofType.find({ where: { locale: code }, fields: ['locale'], sort: 'id' })
      if (found.length > 0 && entries === undefined)
        throw new ApplicationError(
          `The locale ${code} has entries (${type.singularName}: ${found.length}); entries=delete deletes them, entries=keep keeps them unseen`,
        )
      for (const { id } of found) await ofType.delete(Number(id))
    }
  }
}
