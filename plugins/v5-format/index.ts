import { definePlugin, type JsonSchema } from '../../core/index.js'
import { inOwnWords, type Words } from './query.js'

const name = 'v5'
const header = 'Strapi-Response-Format'
const isWanted = (value: string) => value.trim() === name

const responseOf = (data: JsonSchema, meta: JsonSchema) => ({
  type: 'object',
  properties: { data, meta },
  required: ['data', 'meta'],
})

/** Responses as Strapi 5 shapes them, for requests that ask for it: a front end can move page by page. */
export const v5Format = definePlugin({
  name: 'v5-format',
  describe: 'responses in the shape of Strapi 5, for requests that ask for it and for apps that set it',
  formats: {
    [name]: {
      entry: 'plain',
      idText: 'documentId',
      one: (entry, meta) => ({ data: entry, meta }),
      many: (entries, meta) => ({ data: entries, meta }),
      wants: { header, test: isWanted },
      shape: {
        one: entry => responseOf(entry, { type: 'object' }),
        many: (entry, meta) => responseOf({ type: 'array', items: entry }, meta),
      },
    },
  },
  register: ({ app, types, outline: { params } }) => {
    const own = [...types.types.values()].find(
      ({ fields, links }) => fields.has('documentId') || links.has('documentId'),
    )
    const has = (param: string) => params.some(one => one.name === param)
    const words: Words = { documentId: own === undefined, state: has('publicationState'), locale: has('locale') }
    return { words, isUsual: app.api.rest.format === name }
  },
  middleware: [
    {
      before: 'routing',
      run:
        ({ words, isUsual }) =>
        (ctx, next) => {
          if (ctx.querystring !== '' && (isUsual || isWanted(ctx.get(header))))
            ctx.querystring = inOwnWords(ctx.querystring, words)
          return next()
        },
    },
  ],
})
