/** What content types say to this plugin. Core reads this file in every app: the words stay known where it is disabled. */
export const words = { pluginOptions: { localized: { type: 'boolean' } } } as const
