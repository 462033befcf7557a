/** Where the other locales of an entry are listed. Core reads this file for every app: entries of one without locales list none. */
export const inMeta = { availableLocales: ['locale'] } as const
