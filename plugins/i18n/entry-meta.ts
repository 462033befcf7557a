/** The meta attributes that list the other locales of an entry. Core reads this file for every app: without locales the list is empty. */
export const inMeta = { availableLocales: ['locale'] } as const
