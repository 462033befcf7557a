/** Options of content types for this plugin. Core reads this file in every app, so they stay valid where it is disabled. */
export const words = { options: { versions: { type: 'boolean' } } } as const
