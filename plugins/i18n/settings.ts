import type { Host, SettingsOf } from '../../core/index.js'

const codes = { type: 'array', items: { type: 'string' } } as const

/** The plugin's settings in `config/plugins`. */
export const schema = {
  type: 'object',
  properties: {
    /** The default locale of a database that has none yet. */
    defaultLocale: { type: 'string' },
    /** Locales that every start makes sure of. */
    locales: { ...codes, default: [] },
    /** Locales to look in, one after the other, for entries that the wanted one lacks: a list, or one for each locale. */
    fallback: { anyOf: [codes, { type: 'object', additionalProperties: codes }], default: [] },
    /** A locale that does not exist, and another one than the entry's, are refused; otherwise they find or change nothing. */
    strictLocales: { type: 'boolean', default: { spec: true, strapi4: false } },
    /** A new entry of a collection takes its locale from the query, where its body names none. */
    localeFromQuery: { type: 'boolean', default: { spec: true, strapi4: false } },
    /** The moment when localizations share values: every write, or as in Strapi 4, updates that populate `localizations`. */
    sharing: { enum: ['always', 'populated'], default: { spec: 'always', strapi4: 'populated' } },
    /** Locales can be managed through the API; the `locale` commands do it in any case. */
    manageLocales: { type: 'boolean', default: { spec: true, strapi4: false } },
    /** A localization is sent without `data` around it, and returned so. */
    bareLocalizations: { type: 'boolean', default: { spec: false, strapi4: true } },
  },
} as const

/** The settings that live in the database, where Strapi 4 keeps them. */
export const stored = { default_locale: 'en' }

export type Settings = SettingsOf<typeof schema>
export type I18nHost = Host<Settings, { readonly default_locale: string }>
