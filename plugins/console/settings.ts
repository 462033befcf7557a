/** `config/plugins: console.config` */
export const settingsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Origins of files that are stored elsewhere, such as `https://files.example.com`: the page may show pictures of them. */
    files: { type: 'array', items: { type: 'string', pattern: '^https?://[^/?#\\s;,]+$' }, default: [] },
    /** Changes that are not saved are kept in the browser. */
    keepDrafts: { type: 'boolean', default: true },
    /** Groups of types in the navigation: `{ Blog: ['article', 'tag'] }`. */
    groups: {
      type: 'object',
      propertyNames: { minLength: 1, maxLength: 60 },
      additionalProperties: { type: 'array', items: { type: 'string' } },
      default: {},
    },
    /** Addresses of previews: `{ article: 'https://example.com/preview?slug={slug}' }`. */
    preview: { type: 'object', additionalProperties: { type: 'string' }, default: {} },
    /** The app in its page: name, logo (a picture in its folder) and colour, which is darkened until it can be read. */
    brand: {
      type: 'object',
      additionalProperties: false,
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 60 },
        logo: { type: 'string', minLength: 1 },
        accent: { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$' },
      },
      default: {},
    },
    /** Labels by language: `{ de: { article: 'Artikel', 'article.title': 'Titel' } }`. */
    labels: {
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' },
      additionalProperties: { type: 'object', additionalProperties: { type: 'string', minLength: 1 } },
      default: {},
    },
  },
} as const
