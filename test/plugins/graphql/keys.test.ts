import assert from 'node:assert/strict'
import { GraphQLBoolean } from 'graphql'
import { describe, it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { serve } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { asking } from './asking.js'

const uid = 'api::tag.tag'
const data = 'data { id attributes { name } }'

/** A root of which nothing is known but its function. */
const ringing = definePlugin({
  name: 'ringing',
  uses: [graphql],
  register(host) {
    host.service(graphql).extend(() => ({ mutation: { ring: { type: GraphQLBoolean, resolve: () => true } } }))
  },
})

onEveryEngine('a mutation with an Idempotency-Key', place => {
  const world = serve(place, {
    types: {
      tag: { attributes: { name: { type: 'string', required: true } } },
      home: { kind: 'singleType', attributes: { name: { type: 'string' } } },
    },
    plugins: [graphql, ringing],
  })
  const keyed = (key: string) => asking(world, { 'idempotency-key': key })
  const names = async () => (await world.app.entries(uid).find({ sort: 'id' })).map(({ name }) => name)

  it('creates, changes and deletes once', async () => {
    const ids: number[] = []
    for (const name of ['rye', 'oat']) ids.push(Number((await world.app.entries(uid).create({ name })).id))
    const mutation = `mutation {
      a: createTag(data: { name: "spelt" }) { ${data} }
      b: createTag(data: { name: "barley" }) { ${data} }
      updateTag(id: ${ids[0]}, data: { name: "wheat" }) { ${data} }
      deleteTag(id: ${ids[1]}) { ${data} }
    }`
    const first = await keyed('several')(mutation)
    assert.deepEqual([first.status, first.errors, first.headers['idempotency-replayed']], [200, [], undefined])
    assert.deepEqual(first.data.deleteTag.data.attributes, { name: 'oat' })
    await world.app.entries(uid).update(ids[0] as number, { name: 'changed since' })
    const again = await keyed('several')(mutation)
    assert.deepEqual(again.data, first.data)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.deepEqual(await names(), ['changed since', 'spelt', 'barley'])
  })

  it('does what has failed, and only that', async () => {
    const before = (await names()).length
    const mutation =
      'mutation ($name: String!) { a: createTag(data: { name: "millet" }) { data { id } } b: updateTag(id: 1, data: { name: $name }) { data { id } } }'
    const tooLong = { name: 'x'.repeat(300) }
    const first = await keyed('half')(mutation, tooLong)
    const again = await keyed('half')(mutation, tooLong)
    assert.deepEqual([first.data, first.errors.length], [again.data, again.errors.length])
    assert.equal((await names()).length, before + 1)
  })

  it('is refused with the key of another one', async () => {
    const count = (await names()).length
    await keyed('taken')('mutation { createTag(data: { name: "corn" }) { data { id } } }')
    const other = await keyed('taken')('mutation { createTag(data: { name: "rice" }) { data { id } } }')
    assert.match(other.errors[0]?.[1] ?? '', /Idempotency-Key: this key came with another query or body before/)
    assert.equal((await names()).length, count + 1)
  })

  describe('is refused where it could happen twice', () => {
    const rows: readonly (readonly [says: string, operation: string, message: RegExp])[] = [
      ['a single type', 'mutation { updateHome(data: { name: "x" }) { data { id } } }', /updateHome takes no key/],
      [
        'a function, beside a root that takes one',
        'mutation { createTag(data: { name: "no" }) { data { id } } ring }',
        /ring takes no key/,
      ],
    ]
    for (const [says, operation, message] of rows)
      it(says, async () => {
        const { status, errors } = await keyed('refused')(operation)
        assert.equal(status, 400)
        assert.deepEqual(errors[0]?.[0], 'BAD_REQUEST')
        assert.match(errors[0]?.[1] ?? '', message)
        assert.ok(!(await names()).includes('no'))
      })

    it('a list of operations, and a key that is none', async () => {
      const { send } = world
      const query = '{ __typename }'
      const list = await send('POST', '/../graphql', [{ query }], { 'idempotency-key': 'list' })
      assert.equal(list.status, 400)
      assert.match(list.text, /no key for several operations in one body/)
      const bad = await send('POST', '/../graphql', { query }, { 'idempotency-key': 'two words' })
      assert.equal(bad.status, 400)
      assert.match(bad.text, /Idempotency-Key: a key has 1 to 255 visible ASCII characters/)
    })
  })

  it('is no matter of queries', async () => {
    const { status, data } = await keyed('query')('{ tags { meta { pagination { total } } } }')
    assert.equal(status, 200)
    assert.equal(data.tags.meta.pagination.total, (await names()).length)
  })
})
