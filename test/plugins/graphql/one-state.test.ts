import assert from 'node:assert/strict'
import { it, onTestFinished, vi } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { serve } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { asking } from './asking.js'

const uids = ['api::left.left', 'api::right.right'] as const
const attributes = { value: { type: 'integer' }, text: { type: 'string' } } as const
const rows = 30

onEveryEngine('several roots of one operation', place => {
  let writes = false
  let written = 0
  let isRead = () => {}
  let leftsRead = Promise.resolve()
  /** Writes both types at once between the reads of the one and of the other. */
  const between = definePlugin({
    name: 'between',
    uses: [graphql],
    register({ service, store, entries }) {
      const write = () =>
        store.transaction(async session => {
          for (const uid of uids) await entries(uid, session).update(1, { value: written })
        })
      service(graphql).extend({
        around: {
          'Query.lefts': {
            permits: false,
            async run(next, args) {
              const result = await next(args)
              isRead()
              return result
            },
          },
          'Query.rights': {
            permits: false,
            async run(next, args) {
              if (!writes) return next(args)
              await leftsRead
              written += 1
              await write()
              return next(args)
            },
          },
        },
      })
    },
  })
  const world = serve(place, {
    types: { left: { attributes }, right: { attributes } },
    plugins: [graphql, between],
    rows: async ({ entries }) => {
      for (const uid of uids) for (let row = 0; row < rows; row += 1) await entries(uid).create({ value: 0, text: 'Ä' })
    },
  })
  const both = '{ lefts { data { attributes { value } } } rights { data { attributes { value } } } }'
  type Values = Readonly<Record<'lefts' | 'rights', { readonly data: readonly { readonly attributes: unknown }[] }>>
  /** Asks while something is written between the reads of the one and of the other. */
  async function writingBetween(query: string): Promise<void> {
    writes = true
    for (let time = 0; time < 4; time += 1) {
      leftsRead = new Promise(resolve => {
        isRead = resolve
      })
      const before = written
      const { data, errors } = await asking(world)(query)
      assert.deepEqual(errors, [])
      const [left, right] = valuesOf(data)
      assert.notEqual(left, undefined)
      assert.deepEqual(left, right)
      assert.ok(written > before, 'something was written between them')
    }
    writes = false
  }
  const valuesOf = ({ lefts, rights }: Values) => [lefts, rights].map(({ data }) => data[0]?.attributes)

  it('show one state of the database, whatever is written between them', async () => {
    const ask = asking(world)
    // From the second time on responses are cached.
    for (let time = 0; time < 3; time += 1) assert.equal((await ask(both)).errors.length, 0)
    await writingBetween(both)
    assert.deepEqual(valuesOf((await ask(both)).data), [{ value: written }, { value: written }])
  })

  it.runIf(place.name === 'sqlite')('do so also where they take too long for the event loop', async () => {
    // Folded at each row, and each time the clock is looked at.
    const filters = `filters: { or: [${Array.from({ length: 20 }, (_, index) => `{ text: { containsi: "Ä${index}" } }`)}, { id: { eq: 1 } }] }`
    const slow = both.replace('lefts', `lefts(${filters})`).replace('rights', `rights(${filters})`)
    let now = performance.now()
    onTestFinished(() => void vi.restoreAllMocks())
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 1
      return now
    })
    vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: now * 1000, system: 0 }))
    let isInThread = false
    process.once('worker', () => {
      isInThread = true
    })
    await writingBetween(slow)
    assert.ok(isInThread)
  })

  it('come from the cache while nothing is written', async () => {
    const asked = () => world.send('POST', '/../graphql', { query: `${both} # again` })
    for (let time = 0; time < 3; time += 1) await asked()
    const { statements, body } = await asked()
    assert.equal(body.errors, undefined)
    // MariaDB has no binary log here: nothing tells that nothing has changed.
    if (place.name !== 'mysql') assert.deepEqual(statements, [])
  })

  it('are not paid for by an operation with one', async () => {
    const operation = { query: '{ rights(filters: { value: { gt: -5 } }) { data { attributes { value } } } }' }
    const { statements } = await world.send('POST', '/../graphql', operation)
    assert.equal(statements.length, 1, statements.join('\n'))
  })
})
