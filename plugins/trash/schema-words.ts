/** What content types say to this plugin. Core reads this file in every app: the word stays known where it is disabled. */
export const words = { options: { trash: { type: 'boolean' } } } as const
