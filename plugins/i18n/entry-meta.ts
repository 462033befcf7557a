/** Where the other locales of an entry are listed. Core reads this file for every app: entries of one without locales list none. */
export const entryMeta = { availableLocales: { link: 'localizations', fields: ['locale'] } } as const
