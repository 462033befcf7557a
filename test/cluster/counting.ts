import { change, definePlugin, type Host, rowsOf } from '../../core/index.js'

const uid = 'api::counter.counter'

export const counterTypes = {
  counter: {
    attributes: {
      name: { type: 'string' },
      code: { type: 'string', unique: true },
      // No index: its column is too long for one.
      label: { type: 'text', unique: true },
      count: { type: 'integer', default: 0 },
      writes: { type: 'integer', default: 0 },
    },
  },
}

/**
 * Reads a number, adds one and writes it: by a route, in a transaction that locks the row first, and by a hook, in the
 * transaction of a write. The hook also catches the errors of its statements, as a careless one would.
 */
export const counting = definePlugin({
  name: 'counting',
  appliesTo: type => type.uid === uid,
  register: ({ store }: Host) => store,
  hooks: {
    async afterWrite({ id }, { write, session }, { knex }) {
      if (write.action !== 'update') return
      try {
        const [row] = await rowsOf(session, knex('counters').select('writes').where({ id }))
        await change(
          session,
          knex('counters')
            .where({ id })
            .update({ writes: Number(row?.[0]) + 1 }),
        )
      } catch {
        // A transaction whose statement failed must not be committed.
      }
    },
  },
  routes: [
    {
      method: 'POST',
      path: '/counters/:id/count',
      action: null,
      body: 'none',
      run: ({ params: { id }, service: { knex, transaction } }) =>
        transaction(async session => {
          const [row] = await rowsOf(session, knex('counters').select('count').where({ id }).forUpdate())
          const count = Number(row?.[0]) + 1
          await change(session, knex('counters').where({ id }).update({ count }))
          return { count }
        }),
    },
  ],
})
