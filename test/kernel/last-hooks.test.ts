import assert from 'node:assert/strict'
import { expect, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin } from '../../core/index.js'

const types = { note: { attributes: { text: { type: 'string' } } } }

it('hooks that are last run after those of plugins that follow, each at its stage', async () => {
  const order: string[] = []
  const note = (name: string, stop: string) => void order.push(`${stop} ${name}`)
  /** A hook of a stage that gives its subject on. */
  const same = (name: string, stop: string) => ({
    last: true as const,
    run: <Subject>(subject: Subject) => {
      note(name, stop)
      return subject
    },
  })
  const lasting = (name: string) =>
    definePlugin({
      name,
      hooks: {
        parseQuery: same(name, 'parseQuery'),
        beforeFind: { ...same(name, 'beforeFind'), readsValues: false },
        afterFind: { last: true, run: () => note(name, 'afterFind') },
        serialize: { last: true, run: () => note(name, 'serialize') as undefined },
        meta: { last: true, run: () => ({ [name]: order.push(`meta ${name}`) > 0 }) },
        beforeWrite: same(name, 'beforeWrite'),
        inTransaction: {
          last: true,
          before: true,
          run: (write, { before }) => {
            note(name, `inTransaction ${before?.text}`)
            return write
          },
        },
        afterWrite: {
          last: true,
          before: true,
          run: ({ id }, call) => {
            note(name, 'afterWrite')
            call.afterCommit(() => note(name, `afterCommit ${id}`))
          },
        },
      },
    })
  const usual = definePlugin({
    name: 'usual',
    uses: [lasting('first')],
    hooks: {
      parseQuery(raw) {
        note('usual', 'parseQuery')
        return raw
      },
      beforeFind(query) {
        note('usual', 'beforeFind')
        return query
      },
      afterFind: () => note('usual', 'afterFind'),
      serialize: () => note('usual', 'serialize') as undefined,
      meta: meta => {
        note('usual', 'meta')
        return { seen: Object.keys(meta) }
      },
      beforeWrite(write) {
        note('usual', 'beforeWrite')
        return write
      },
      inTransaction(write) {
        note('usual', 'inTransaction a')
        return write
      },
      afterWrite({ id }, call) {
        note('usual', 'afterWrite')
        call.afterCommit(() => note('usual', `afterCommit ${id}`))
      },
    },
  })
  const app = await createTestApp({ types, plugins: [lasting('first'), usual, lasting('second')] })
  onTestFinished(() => app.close())
  await app.entries('api::note.note').create({ text: 'a' })
  order.length = 0
  await app.entries('api::note.note').update(1, { text: 'b' })
  for (const stop of ['beforeWrite', 'inTransaction a', 'afterWrite', 'afterCommit 1'])
    assert.deepEqual(
      order.filter(one => one.startsWith(stop)),
      ['usual', 'first', 'second'].map(name => `${stop} ${name}`),
    )
  order.length = 0
  const { meta } = (await app.inject('/api/notes')).json()
  assert.deepEqual([meta.first, meta.second, meta.seen], [true, true, ['pagination']])
  for (const stop of ['parseQuery', 'beforeFind', 'afterFind', 'serialize', 'meta'])
    assert.deepEqual(
      order.filter(one => one.startsWith(stop)),
      ['usual', 'first', 'second'].map(name => `${stop} ${name}`),
    )
})

it('a hook says so with true, and with a function', async () => {
  const start = (hooks: object) => createTestApp({ types, plugins: [definePlugin({ name: 'clumsy', hooks } as never)] })
  const run = () => undefined
  await expect(start({ afterFind: { last: 1, run } })).rejects.toThrow(
    'plugin clumsy: the hook afterFind has of type number for "last", which can only be true',
  )
  await expect(start({ afterFind: { last: true } })).rejects.toThrow('the hook afterFind is of type object')
  await expect(start({ serialize: { last: true, run: async () => undefined } })).rejects.toThrow('serialize is async')
  await expect(start({ afterFind: { last: true, before: true, run } })).rejects.toThrow('afterFind is of type object')
})
