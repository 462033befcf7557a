/** A module: a file of the folder, by its path in it. */
const module = { type: 'string', pattern: '^[\\w-][\\w.-]*(/[\\w-][\\w.-]*)*\\.js$' } as const
const text = { type: 'string', minLength: 1, maxLength: 200 } as const
const title = { anyOf: [text, { type: 'object', minProperties: 1, additionalProperties: text }] } as const
/** `plugin::colour.report.read` */
const right = { type: 'string', pattern: '^[^\\s.]+\\..+$' } as const

/** The attributes of a custom field, or those of a type with an option. */
const attributes = {
  anyOf: [
    text,
    {
      type: 'object',
      required: ['type', 'option', 'is'],
      additionalProperties: false,
      properties: { type: text, option: text, is: {} },
    },
  ],
} as const

const list = (required: readonly string[], properties: object) => ({
  type: 'array',
  items: { type: 'object', required, additionalProperties: false, properties },
})

/** The part `console` of plugins: additions to the page. Core reads this file in every app, so it stays valid where it is disabled. */
export const words = {
  parts: {
    console: {
      type: 'object',
      additionalProperties: false,
      properties: {
        folder: text,
        fields: list(['for', 'module'], { for: attributes, module }),
        cells: list(['for', 'module'], { for: attributes, module }),
        pages: list(['path', 'title', 'module'], {
          path: { type: 'string', pattern: '^[a-z0-9-]+$' },
          ...{ title, module, right },
        }),
        actions: list(['where', 'title', 'module'], {
          where: { enum: ['list', 'entry'] },
          types: { type: 'array', items: text },
          ...{ title, module, right },
        }),
        widgets: list(['title', 'module'], { title, module, right }),
        texts: {
          type: 'object',
          additionalProperties: { type: 'string', pattern: '^[\\w-][\\w.-]*(/[\\w-][\\w.-]*)*\\.json$' },
        },
        connects: { type: 'array', items: { type: 'string', pattern: '^(https?|wss?)://[^/?#\\s;,]+$' } },
      },
    },
  },
}
