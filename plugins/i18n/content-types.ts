import type { Definition, TypeOutline } from '../../core/index.js'

export const localeUid = 'plugin::i18n.locale'

/** The locales of an app are entries like any other, in the table of Strapi 4. */
export const localeType: Definition = {
  uid: localeUid,
  source: 'plugins/i18n',
  schema: {
    kind: 'collectionType',
    collectionName: 'i18n_locale',
    info: { singularName: 'locale', pluralName: 'locales', displayName: 'Locale' },
    attributes: {
      name: { type: 'string', minLength: 1, maxLength: 50 },
      code: { type: 'string', unique: true, required: true },
    },
  },
}

/** The options `pluginOptions.i18n` of a type or an attribute. */
interface Options {
  readonly localized?: boolean
}

export const optionsOf = ({ pluginOptions }: { readonly pluginOptions?: Readonly<Record<string, unknown>> }): Options =>
  (pluginOptions?.i18n as Options | undefined) ?? {}

export const isLocalized = (type: Pick<TypeOutline, 'pluginOptions'>): boolean => optionsOf(type).localized === true
