/** What content types say to this plugin. Core reads this file in every app: the words stay known where it is disabled. */
export const words = { options: { draftAndPublish: { type: 'boolean' }, scheduling: { type: 'boolean' } } } as const
