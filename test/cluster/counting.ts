import { folderOf } from '../support/terminal.js'

/**
 * A plugin that reads a number, adds one and writes it: by a route, in a transaction that locks the row first, and by a
 * hook, in the transaction of a write. The hook also catches the errors of its statements, as a careless one would.
 */
const plugin = `import { change, definePlugin, rowsOf } from 'stele'

const uid = 'api::counter.counter'

export const counting = definePlugin({
  name: 'counting',
  appliesTo: type => type.uid === uid,
  register: host => host,
  routes: [{
    method: 'POST',
    path: '/counters/:id/count',
    action: null,
    body: 'none',
    run: ({ params, service: { store } }) => store.transaction(async session => {
      const { knex } = store
      const [row] = await rowsOf(session, knex('counters').select('count').where({ id: params.id }).forUpdate())
      await change(session, knex('counters').where({ id: params.id }).update({ count: Number(row[0]) + 1 }))
      return { count: Number(row[0]) + 1 }
    }),
  }],
  hooks: {
    async afterWrite({ id }, { write, session }, { store: { knex } }) {
      if (write.action !== 'update') return
      try {
        const [row] = await rowsOf(session, knex('counters').select('writes').where({ id }))
        await change(session, knex('counters').where({ id }).update({ writes: Number(row[0]) + 1 }))
      } catch {
        // Nothing may come of a transaction whose statement failed.
      }
    },
  },
})
`

const counter = {
  kind: 'collectionType',
  collectionName: 'counters',
  info: { singularName: 'counter', pluralName: 'counters' },
  attributes: {
    name: { type: 'string' },
    code: { type: 'string', unique: true },
    count: { type: 'integer', default: 0 },
    writes: { type: 'integer', default: 0 },
  },
}

/** An app with little to make at its start, gone when the test ends. */
export const countingApp = (): string =>
  folderOf({
    'content-types/counter.json': JSON.stringify(counter),
    'plugins/counting.ts': plugin,
    'config/plugins.json': JSON.stringify({ counting: { resolve: './plugins/counting.ts' } }),
    'config/api.json': JSON.stringify({ rest: { public: true } }),
  })
