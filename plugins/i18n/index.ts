import { type Caller, type ContentType, definePlugin, type Entries, type Entry } from '../../core/index.js'
import { adoptEntries } from './adopt.js'
import { checks } from './checks.js'
import { commands } from './commands.js'
import { isLocalized, localeType } from './content-types.js'
import { inMeta } from './entry-meta.js'
import { listRoute, managing } from './locale-routes.js'
import { Locales } from './locales.js'
import { localizationRoutes } from './localization-routes.js'
import { localizations } from './localizations.js'
import { origin } from './localizing.js'
import { fallback, locale } from './parameters.js'
import { type Chains, narrow } from './reading.js'
import { words } from './schema-words.js'
import { type I18nHost, schema, stored } from './settings.js'
import { finishWrite, shapeWrite } from './writing.js'

export { createLocalization, type RequestedLocalization } from './localization-routes.js'
export { localeIn } from './reading.js'

/** The service of the plugin's hooks and routes. */
export interface I18n extends I18nHost, Pick<Locales, 'refresh'> {
  readonly locales: Locales
  /** Makes a localization of an entry; `data` names its locale. */
  localize(entries: Entries, id: number, data: Readonly<Record<string, unknown>>): Promise<Entry>
  /** Code of the app that makes localizations of some types; undefined where it leaves one to the server. */
  byCode?: (asked: AskedLocalization) => Promise<Entry> | undefined
}

/** A localization that a request asks for: its permission has been checked. */
export interface AskedLocalization {
  readonly type: ContentType
  readonly id: number
  readonly sent: Readonly<Record<string, unknown>>
  readonly locale: string
  readonly caller: Caller
}

/** Entries in several locales: each is an entry of its own, linked with the others, sharing attributes that are not localized. */
export const i18n = definePlugin({
  name: 'i18n',
  describe: 'entries in several locales',
  config: schema,
  standardIn: { strapi4: '@strapi/plugin-i18n' },
  shares: { stored },
  words,
  appliesTo: isLocalized,
  contentTypes: [localeType],
  attributes: {
    locale: { type: 'string', writable: false, input: 'create', index: true, uniqueWithin: true },
    localizations: { type: 'localizations', writable: false, inMeta },
  },
  fieldTypes: [localizations],
  params: { locale, fallback },
  register: async (host): Promise<I18n> => {
    const locales = new Locales(host)
    const looks = host.purpose === 'look'
    if (looks) await locales.refresh()
    else await locales.prepare()
    // Strapi 4 shows no entry without a locale either, and a start changes nothing in its database.
    if (host.app.project === 'stele' && !looks) await adoptEntries(host, locales.default)
    warnOfUnknown(host, locales)
    return {
      ...host,
      locales,
      localize: (entries, id, data) => entries.create({ ...data, [origin]: id }),
      refresh: () => locales.refresh(),
    }
  },
  hooks: {
    beforeFind: { readsValues: false, run: narrow },
    beforeWrite: shapeWrite,
    afterWrite: finishWrite,
  },
  routes: ({ manageLocales }) => [listRoute, ...managing(manageLocales), localizationRoutes],
  commands,
  checks,
})

/** A chain may name a locale that is added later, or one that is written wrongly. */
function warnOfUnknown({ config, log }: I18nHost, locales: Locales): void {
  const named = Object.values(config.fallback as Chains).flat() as string[]
  const unknown = [...new Set(named)].filter(code => !locales.has(code))
  if (unknown.length > 0) log.warn(`config/plugins: i18n.config.fallback names ${unknown.join(', ')}: no such locale`)
}
