/** `config/plugins: console.config` */
export const settingsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Origins of files that are stored elsewhere, such as `https://files.example.com`: the page may show pictures of them. */
    files: { type: 'array', items: { type: 'string', pattern: '^https?://[^/?#\\s;,]+$' }, default: [] },
  },
} as const
