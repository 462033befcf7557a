/** The settings of the plugin in `config/plugins`. */
export const settingsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    passwords: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        /** Characters. bcrypt reads 72 bytes. */
        min: { type: 'integer', minimum: 8, maximum: 72, default: 10 },
      },
    },
  },
} as const
