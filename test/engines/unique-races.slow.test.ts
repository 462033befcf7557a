import assert from 'node:assert/strict'
import { it, vi } from 'vitest'
import { type Answer, said, serve } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'
import { ask, folderOf, started } from '../support/terminal.js'

vi.setConfig({ testTimeout: 120_000 })

const attributes = {
  email: { type: 'string', unique: true },
  number: { type: 'integer', unique: true },
  code: { type: 'text', unique: true },
  plain: { type: 'string' },
  badge: { type: 'component', component: 'shared.badge' },
} as const
const badge = { attributes: { serial: { type: 'string', unique: true } } } as const
const author = {
  kind: 'collectionType',
  collectionName: 'authors',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes,
}

const times = 20
const notUnique = 'This attribute must be unique'

/** Exactly one write has passed, and the others are refused for the value. */
function assertOne(replies: readonly Answer[]): void {
  const refusals = replies.filter(({ status }) => status !== 200)
  assert.equal(refusals.length, replies.length - 1, replies.map(({ status }) => status).join())
  for (const reply of refusals) assert.deepEqual(said(reply), [400, notUnique])
}

onEveryEngine('unique values without a unique index', engine => {
  const world = serve(engine, {
    types: { author: { attributes } },
    components: { 'shared.badge': badge },
    config: { api: { rest: { dialect: 'strapi4' } } },
  })
  const atOnce = (write: (index: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: times }, (_, n) => write(n)))

  for (const [name, value] of [
    ['email', 'same@x.test'],
    ['number', 7],
    ['code', 'long '.repeat(200)],
  ] as const)
    it(`of ${name} pass once when they are created at the same time`, async () => {
      assertOne(await atOnce(() => world.post('/authors', { [name]: value })))
    })

  it('pass once when entries are changed to them at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: times }, () => world.make('/authors')))
    assertOne(await atOnce(index => world.put(`/authors/${ids[index]}`, { email: 'changed@x.test' })))
  })

  it('pass once in components', async () => {
    assertOne(await atOnce(() => world.post('/authors', { badge: { serial: 'b-1' } })))
  })

  it('pass once where two attributes cross', async () => {
    const [one, other] = ['crossing', 'gnissorc']
    const replies = await atOnce(index =>
      world.post('/authors', index % 2 ? { email: one, code: other } : { email: other, code: one }),
    )
    const passed = replies.filter(({ status }) => status === 200)
    assert.deepEqual([passed.length, replies.length - passed.length], [2, times - 2])
    for (const reply of replies) assert.ok([200, 400].includes(reply.status), JSON.stringify(reply.body))
  })

  it('pass once where the database takes them for the same', async () => {
    const isFolded = engine.name === 'mysql'
    const replies = await atOnce(index =>
      world.post('/authors', { email: index % 2 ? 'Folded@x.test' : 'folded@X.TEST' }),
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, isFolded ? 1 : 2)
  })

  it('all pass where they differ', async () => {
    const replies = await atOnce(index => world.post('/authors', { email: `${index}@x.test`, number: 100 + index }))
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  })

  it('pass again after the entry that had them is gone, or was refused', async () => {
    const id = await world.make('/authors', { email: 'freed@x.test' })
    assert.equal((await world.delete(`/authors/${id}`)).status, 200)
    assert.equal((await world.post('/authors', { email: 'freed@x.test', number: 'x' })).status, 400)
    assertOne(await atOnce(() => world.post('/authors', { email: 'freed@x.test' })))
  })

  it('pass once on two servers together', async () => {
    const fresh = await engine.fresh()
    try {
      const folder = folderOf({
        'content-types/author.json': JSON.stringify(author),
        'content-types/components/shared/badge.json': JSON.stringify({ collectionName: 'badges', ...badge }),
        'config/api.json': JSON.stringify({ rest: { public: true, dialect: 'strapi4' } }),
      })
      const servers = [await started(folder, { ...fresh.env }), await started(folder, { ...fresh.env })]
      for (const email of ['a@x.test', 'b@x.test', 'c@x.test'])
        assertOne(
          await atOnce(async index => {
            const url = servers[index % 2]?.url
            return (await ask(`${url}/api/authors`, { method: 'POST', data: { email } })) as never
          }),
        )
    } finally {
      await fresh.drop()
    }
  })
})

onEveryEngine('unique values with a unique index', engine => {
  const api = serve(engine, { types: { author: { attributes: { email: { type: 'string', unique: true } } } } })

  it('need no lock', async () => {
    const { status, statements } = await api.send('POST', '/authors', { data: { email: 'a@x.test' } })
    assert.equal(status, 200)
    assert.deepEqual(
      statements.filter(sql => sql.includes('stele_')),
      [],
    )
  })
})
