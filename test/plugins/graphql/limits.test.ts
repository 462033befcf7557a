import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type GraphqlWorld, graphqlWorld } from '../../security/graphql-world.js'
import { bombs, list, relations } from './bombs.js'

describe('operations that cost too much are refused before they do', () => {
  let world: GraphqlWorld
  beforeAll(async () => {
    world = await graphqlWorld()
  })
  afterAll(() => world?.close())

  for (const [says, query, names, values] of bombs)
    it(says, async () => {
      const { status, text, errors } = await world.ask('visitor', query, values)
      assert.equal(status, 400, text.slice(0, 500))
      assert.match(text, names)
      assert.ok(errors.length <= 11, `${errors.length} errors`)
      assert.ok(text.length < 20_000, `${text.length} characters`)
      assert.deepEqual(world.faults, [])
    })

  it('deep questions about the schema, also where such questions are allowed', async () => {
    const open = await graphqlWorld({ settings: { apolloServer: { introspection: true } } })
    const deep = `{ __type(name: "Article") { ${'fields { type { '.repeat(20)} name ${'} } '.repeat(20)} } }`
    const { status, text } = await open.ask('visitor', deep)
    await open.close()
    assert.equal(status, 400, text.slice(0, 500))
    assert.match(text, /Maximum introspection depth exceeded/)
  })

  it('what clients ask for is answered all the same', async () => {
    for (const query of [
      `{ ${list(20, index => `a${index}: tags { data { id attributes { name } } meta { pagination { total } } }`)} }`,
      `{ articles { data { ${list(40, index => `...F${index}`)} } } } ${list(40, index => `fragment F${index} on ArticleEntity { id attributes { title slug author { data { id } } } }`)}`,
      `{ articles { data { attributes { blocks { ${list(20, () => '... on ComponentSharedSlide { __typename caption image { data { id } } } ... on ComponentSharedQuote { __typename text }')} } } } } }`,
      `{ articles { data { attributes { ${list(600, index => `a${index}: title`)} } } } }`,
      relations(2),
    ]) {
      const { errors, text } = await world.ask('visitor', query)
      assert.deepEqual(errors, [], text.slice(0, 300))
    }
    const written = { text: 'x' }
    const mutation = 'mutation ($d: MessageInput!) { createMessage(data: $d) { data { id } } }'
    assert.deepEqual((await world.ask('visitor', mutation, { d: written })).errors, [])
  })
})
