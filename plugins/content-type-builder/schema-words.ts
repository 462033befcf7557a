/** Options of content types for this plugin. Core reads this file in every app, so they stay valid where it is disabled. */
export const words = { pluginOptions: { visible: { type: 'boolean' } } } as const
