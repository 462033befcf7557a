import { randomUUID } from 'node:crypto'
import { change, definePlugin } from '../../../core/index.js'
import { i18n } from '../../../plugins/i18n/index.js'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Responses are flat and have a documentId, which all localizations of an entry share and which addresses it. */
export const documents = definePlugin({
  name: 'documents',
  uses: [i18n],
  appliesTo: ({ uid, kind }) => uid.startsWith('api::') && kind === 'collectionType',
  attributes: { documentId: { type: 'string', writable: false, index: true } },
  formats: {
    flat: {
      entry: 'plain',
      one: (entry, meta) => ({ data: entry, meta }),
      many: (entries, meta) => ({ data: entries, meta }),
      wants: { header: 'X-Format', test: value => value === 'flat' },
      shape: {
        one: entry => ({ type: 'object', properties: { data: entry, meta: { type: 'object' } } }),
        many: (entry, meta) => ({ type: 'object', properties: { data: { type: 'array', items: entry }, meta } }),
      },
    },
  },
  register: host => host,
  hooks: {
    async afterWrite({ id }, { write, type, session }, { entries, store }) {
      if (write.action !== 'create') return
      // By now the entry is linked with its other localizations.
      const populate = type.links.has('localizations') ? { localizations: { fields: ['documentId'] } } : {}
      const entry = await entries(type.uid, session).first({ where: { id }, populate })
      const others = (entry?.localizations ?? []) as readonly { readonly documentId?: string }[]
      const documentId = others.find(one => one.documentId)?.documentId ?? randomUUID()
      await change(
        session,
        store
          .knex(type.table)
          .where({ id })
          .update({ [columnOf(type.fields)]: documentId }),
      )
    },
  },
  middleware: [
    {
      before: 'routing',
      run:
        ({ app, types, entries }) =>
        async (ctx, next) => {
          const [plural, documentId = '', ...rest] = ctx.path.slice(app.api.prefix.length + 1).split('/')
          const type = [...types.types.values()].find(type => type.routed && type.pluralName === plural)
          if (type?.fields.has('documentId') && uuid.test(documentId)) {
            const { locale } = ctx.query
            const params = typeof locale === 'string' && type.fields.has('locale') ? { locale } : {}
            const entry = await entries(type.uid).first({ where: { documentId }, sort: 'id', params })
            ctx.path = [app.api.prefix, plural, String(entry?.id ?? 0), ...rest].join('/')
          }
          await next()
        },
    },
  ],
})

const columnOf = (fields: ReadonlyMap<string, { readonly column: string }>): string =>
  fields.get('documentId')?.column ?? ''
