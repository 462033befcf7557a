import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Answered, type GraphqlWorld, graphqlWorld } from '../../security/graphql-world.js'
import { list } from './bombs.js'

const page = readFileSync(new URL('../../../plugins/graphql/README.md', import.meta.url), 'utf8')
const [, table = ''] = /^## Limits$.*?\n\|---\|---\|---\|---\|\n(.*?)\n\n/ms.exec(page) ?? []
const rows = table.split('\n').map(line => line.split('|').map(cell => cell.trim()))

/** A limit of the page, by the beginning of its row. */
interface Limit {
  readonly row: string
  /** The most that is let through, as the page says it where no setting is lowered. */
  readonly most: number
  /** Sends a request with so many of what is counted. */
  readonly send: (count: number, world: GraphqlWorld) => Promise<Answered>
  /** The words of the refusal. */
  readonly says: RegExp
  /** 200: the root is null, and the other one is answered. */
  readonly status?: number
  /** Counts that are let through and refused, where the figure itself cannot be met. */
  readonly at?: readonly [within: number, over: number]
}

type Values = Readonly<Record<string, unknown>>

const asking =
  (queryOf: (count: number) => string, valuesOf: (count: number) => Values = () => ({})): Limit['send'] =>
  (count, { ask }) =>
    ask('visitor', queryOf(count), valuesOf(count))

const sending =
  (bodyOf: (count: number) => unknown): Limit['send'] =>
  (count, { send }) =>
    send('visitor', bodyOf(count))

const times = <T>(count: number, one: T): T[] => Array<T>(count).fill(one)

/** The same field so often that `left` pairs of it stand beside each other. */
function pairs(left: number, key = 0): string {
  if (left === 0) return ''
  const count = Math.floor((1 + Math.sqrt(1 + 8 * left)) / 2)
  const fields = list(count, () => `a${key}: __typename`)
  return `${fields} ${pairs(left - (count * (count - 1)) / 2, key + 1)}`
}

/** The deepest field is at this level. */
function deep(level: number, at = 0): string {
  const [relation = '', data = '', attributes = ''] = [['articles', 'author'][at % 2], 'data', 'attributes']
  if (level === 0) return 'createdAt'
  if (level === 1) return `${relation} { ${data} { __typename } }`
  return `${relation} { ${data} { ${level === 2 ? 'id' : `${attributes} { ${deep(level - 3, at + 1)} }`} } }`
}

const spread = (count: number) =>
  `{ ${list(99, index => `r${index}: tags { data { ...F } }`)} tags { data { ${list(count - 4952, index => `a${index}: id`)} } } }
   fragment F on TagEntity { ${list(47, index => `a${index}: id`)} }`
const fragments = (count: number) =>
  `{ ${list(5, root => `r${root}: tags { ${list(count, index => (index % 5 === root ? `...F${index}` : ''))} }`)} }
   ${list(count, index => `fragment F${index} on TagEntityResponseCollection { __typename }`)}`
const filtered = (filters: string) => `{ tags { data { id } } articles(filters: ${filters}) { data { id } } }`
const related = (levels: number) =>
  `{ tags { data { id } } articles { data { ${'attributes { tags { data { attributes { articles { data { '.repeat(levels)}id${' } } } } } }'.repeat(levels)} } } }`

const limits: readonly Limit[] = [
  {
    row: 'tokens of a document',
    most: 5000,
    send: asking(count => `{${' a'.repeat(count - 2)} }`),
    says: /more than 5000 tokens, which is graphql\.config\.tokenLimit/,
  },
  {
    row: 'characters of a name',
    most: 1000,
    send: asking(count => `{ ${'a'.repeat(count)} }`),
    says: /a name of more than 1000 characters/,
  },
  {
    row: 'brackets in brackets',
    most: 250,
    send: asking(count => `{ ${'... { '.repeat(count - 1)}__typename${' }'.repeat(count)}`),
    says: /more than 250 levels deep/,
  },
  {
    row: 'fields, fragments and directives',
    most: 5000,
    send: asking(spread),
    says: /more than 5000 fields/,
  },
  {
    row: 'fields at the root',
    most: 100,
    send: asking(count => `{ ${list(count, index => `a${index}: __typename`)} }`),
    says: /more than 100 fields at its root/,
  },
  { row: 'fragments with a name', most: 150, send: asking(fragments), says: /more than 150 fragments/ },
  {
    row: 'pairs of fields',
    most: 8000,
    send: asking(count => `{ ${pairs(count)} }`),
    says: /the same fields too often/,
  },
  {
    row: 'lists of fields, of types',
    most: 2,
    send: asking(
      count => `{ __type(name: "Article") { ${'fields { type { '.repeat(count)}name${' } }'.repeat(count)} } }`,
    ),
    says: /Maximum introspection depth exceeded/,
  },
  {
    row: 'SQL statements of an operation',
    most: 100,
    send: asking(
      count =>
        `{ articles { data { attributes { ${list(count - 1, index => `a${index}: tags(pagination: { limit: ${index + 1} }) { data { id } }`)} } } } }`,
    ),
    says: /more than 100 are refused; ask for less at once, or raise rest\.limits\.statements/,
  },
  {
    row: 'values in variables',
    most: 1000,
    at: [900, 1001],
    send: asking(
      () => 'query ($f: ArticleFiltersInput) { articles(filters: $f) { data { id } } }',
      count => ({ f: { id: { in: times(count, 1) } } }),
    ),
    says: /more than 1000 parameters; ask for less, or raise rest\.maxParameters/,
  },
  {
    row: 'values of a root',
    most: 1000,
    at: [900, 1001],
    send: asking(count => filtered(`{ id: { in: [${list(count, () => '1')}] } }`)),
    says: /more than 1000 parameters; ask for less, or raise rest\.maxParameters/,
    status: 200,
  },
  {
    row: 'operations of a batch',
    most: 10,
    send: sending(count => times(count, { query: '{ __typename }' })),
    says: /has 11 operations; at most 10/,
  },
  {
    row: 'nesting depth of the body',
    most: 100,
    send: sending(
      count => `{"query":"{ __typename }","variables":{"a":${'['.repeat(count - 1)}${']'.repeat(count - 1)}}}`,
    ),
    says: /nested more than 100 levels deep/,
  },
  {
    row: 'nesting depth of the body',
    most: 100,
    send: sending(count => ({
      query: '{ __typename }',
      variables: `{"a":${'['.repeat(count)}${']'.repeat(count)}}`,
    })),
    says: /nested more than 100 levels deep/,
  },
  {
    row: 'bytes of the body',
    most: 1,
    at: [1_048_576, 1_048_577],
    send: sending(count => '{"query":"{ __typename }"}'.padEnd(count)),
    says: /raise \\"body\\" in config\/server/,
    status: 413,
  },
  {
    row: 'relations in the filters',
    most: 50,
    at: [9, 10],
    send: asking(depth =>
      filtered(
        `${list(depth, index => (index % 2 ? '{ articles:' : '{ author:'))} { id: { eq: 1 } } ${'}'.repeat(depth)}`,
      ),
    ),
    says: /more than 50 joins; ask for less, or raise rest\.limits\.joins/,
    status: 200,
  },
  {
    row: 'comparisons in the filters',
    most: 500,
    send: asking(count => filtered(`{ or: [${list(count, () => '{ id: { eq: 1 } }')}] }`)),
    says: /more than 500 conditions; ask for less, or raise rest\.limits\.conditions/,
    status: 200,
  },
]

const lowered = {
  settings: { depthLimit: 20, maxLimit: 2 },
  config: { api: { rest: { limits: { entries: 30, writes: 4 } } } },
}
const withLowered: readonly Limit[] = [
  {
    row: 'level of the deepest field',
    most: 20,
    send: asking(level => `{ ${deep(level)} }`),
    says: /exceeds maximum operation depth of 20/,
  },
  {
    row: 'entries of a root',
    most: 30,
    at: [1, 2],
    send: asking(related),
    says: /more than 30 entries; ask for less, or raise rest\.limits\.entries/,
    status: 200,
  },
  {
    row: 'SQL statements in the transaction',
    most: 4,
    at: [0, 30],
    send: (count, { ask }) =>
      ask(
        'fullToken',
        `mutation { tags: __typename articles: createArticle(data: { title: "x", blocks: [${list(count, () => '{ __typename: "ComponentSharedQuote", text: "a" }')}] }) { data { id } } }`,
      ),
    says: /more than 4 statements in one transaction, and nothing of it is stored.*raise rest\.limits\.writes/,
    status: 200,
  },
]

describe('the limits of the page', () => {
  let world: GraphqlWorld
  let low: GraphqlWorld
  beforeAll(async () => {
    world = await graphqlWorld({ settings: { apolloServer: { introspection: true } } })
    low = await graphqlWorld(lowered as never)
  })
  afterAll(async () => {
    await world?.close()
    await low?.close()
  })

  const refuses = (limit: Limit, within: Answered, over: Answered) => {
    assert.doesNotMatch(within.text, limit.says)
    assert.match(over.text, limit.says, over.text.slice(0, 300))
    assert.equal(over.status, limit.status ?? 400)
    if (limit.status !== 200) return assert.equal(over.body.data ?? undefined, undefined)
    const { articles, tags } = over.body.data
    assert.equal(articles, null)
    assert.ok(tags)
    assert.deepEqual(over.body.errors[0].path, ['articles'])
  }
  for (const limit of limits)
    it(limit.row, async () => {
      const { most, at: [within, over] = [most, most + 1] } = limit
      assert.match(rows.find(([, row = '']) => row.startsWith(limit.row))?.[3] ?? '', new RegExp(`^${most}\\b`))
      refuses(limit, await limit.send(within, world), await limit.send(over, world))
    })
  for (const limit of withLowered)
    it(limit.row, async () => {
      const { most, at: [within, over] = [most, most + 1] } = limit
      refuses(limit, await limit.send(within, low), await limit.send(over, low))
    })

  const cut = 'entries of a list'
  it(cut, async () => {
    for (const most of [2, 3]) {
      const pages = `(pagination: { limit: ${most} })`
      const { body } = await low.ask(
        'visitor',
        `{ tags${pages} { data { attributes { articles${pages} { data { id } } } } } }`,
      )
      const { data } = body.data.tags
      assert.equal(data.length, 2)
      assert.equal(data[0].attributes.articles.data.length, 2)
    }
  })

  it('are all tried here', () => {
    const tried = [...limits, ...withLowered].map(({ row }) => row).concat(cut)
    const untried = rows.filter(([, row = '']) => !tried.some(beginning => row.startsWith(beginning)))
    assert.deepEqual(untried, [])
    assert.ok(rows.length > 15)
  })
})
