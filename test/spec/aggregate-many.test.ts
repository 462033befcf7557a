import assert from 'node:assert/strict'
import fc from 'fast-check'
import { it } from 'vitest'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { asUser, world } from '../plugins/users-permissions/people.js'
import { type Body, contract, refused, type World } from '../support/contract.js'
import { aggregated } from './aggregated.js'

const many = (target: string, more = {}) => ({ type: 'relation', relation: 'manyToMany', target, ...more }) as const
const types: NonNullable<World['types']> = {
  article: {
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string' },
      minutes: { type: 'integer' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::person.person' },
      tags: many('api::tag.tag', { inversedBy: 'articles' }),
      comments: { type: 'relation', relation: 'oneToMany', target: 'api::comment.comment', mappedBy: 'article' },
      parts: { type: 'component', component: 'shared.part', repeatable: true },
    },
  },
  comment: {
    options: { draftAndPublish: true },
    attributes: {
      votes: { type: 'integer' },
      price: { type: 'decimal' },
      at: { type: 'datetime' },
      article: { type: 'relation', relation: 'manyToOne', target: 'api::article.article', inversedBy: 'comments' },
      writer: { type: 'relation', relation: 'manyToOne', target: 'api::person.person' },
    },
  },
  person: { attributes: { name: { type: 'string' }, age: { type: 'integer' }, isStaff: { type: 'boolean' } } },
  tag: {
    attributes: {
      name: { type: 'string' },
      weight: { type: 'float' },
      isHot: { type: 'boolean' },
      articles: many('api::article.article', { mappedBy: 'tags' }),
    },
  },
}
const components = {
  'shared.part': { attributes: { kind: { type: 'string' }, size: { type: 'biginteger' } } },
} as const

const people = [
  { name: 'ann', age: 30, isStaff: true },
  { name: 'bob', age: 40, isStaff: false },
  { name: null, age: 50, isStaff: null },
]
// Two tags have one name, and one has it in capitals.
const tags = [
  { name: 'red', weight: 0.5, isHot: true },
  { name: 'blue', weight: 2, isHot: false },
  { name: 'red', weight: 4, isHot: true },
  { name: 'RED', weight: null, isHot: null },
  { name: 'unused', weight: 9, isHot: true },
]
const articles = [
  {
    title: 'a',
    minutes: 1,
    author: 1,
    tags: [1, 2],
    parts: [['text', '5'] as const, ['text', '9007199254740993'] as const],
  },
  { title: 'b', minutes: 2, author: 1, tags: [1, 3, 4], parts: [['quote', '1'] as const] },
  { title: 'c', minutes: 4, author: 2, tags: [], parts: [] },
  { title: 'd', minutes: null, author: null, tags: [2], parts: [['text', null] as const] },
  { title: 'draft', minutes: 64, author: 1, tags: [1, 5], parts: [], publishedAt: null },
]
const comments = [
  { votes: 1, price: 1.25, at: '2024-01-01T10:00:00.000Z', article: 1, writer: 1 },
  { votes: 2, price: 2.5, at: '2024-01-31T23:00:00.000Z', article: 1, writer: 2 },
  { votes: 4, price: null, at: '2024-02-01T00:00:00.000Z', article: 1, writer: 2 },
  { votes: 8, price: 10, at: null, article: 2, writer: null },
  { votes: null, price: 1, at: '2023-05-05T05:00:00.000Z', article: 3, writer: 3 },
  { votes: 32, price: 3, at: '2024-02-01T00:00:00.000Z', article: 1, writer: 1, publishedAt: null },
]
async function fill({ entries }: Parameters<NonNullable<World['rows']>>[0]): Promise<void> {
  const all = { person: people, tag: tags, article: articles, comment: comments }
  for (const [name, list] of Object.entries(all))
    for (const { parts, ...entry } of list as { parts?: readonly (readonly [string, string | null])[] }[])
      await entries(`api::${name}.${name}`).create({
        ...entry,
        ...(parts && { parts: parts.map(([kind, size]) => ({ kind, size })) }),
      } as never)
}
const open: World = { types, components, plugins: [draftAndPublish], rows: fill as never }

/** Values of a group, read one by one: the rows that ways from the entries lead to, with the equal part of all ways. */
type Row = Readonly<Record<string, Body>>
const linked = (from: Body, name: string): Body[] => {
  const value = from?.[name]
  const list = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]
  return list.length > 0 ? list : [null]
}
const fieldOf = (way: string) => way.split('.').at(-1) as string
const pathOf = (way: string) => way.split('.').slice(0, -1).join('.')
function expand(entry: Body, ways: readonly string[]): Row[] {
  let rows: Row[] = [{ '': entry }]
  const paths = new Set(
    ways.flatMap(way =>
      way
        .split('.')
        .slice(0, -1)
        .map((_, index, names) => names.slice(0, index + 1).join('.')),
    ),
  )
  for (const path of [...paths].sort((one, other) => one.split('.').length - other.split('.').length))
    rows = rows.flatMap(row => linked(row[pathOf(path)], fieldOf(path)).map(found => ({ ...row, [path]: found })))
  return rows
}
const keyOf = (row: Row, by: readonly string[]) =>
  JSON.stringify(by.map(way => row[pathOf(way)]?.[fieldOf(way)] ?? null))

function looked(entries: readonly Body[], by: readonly string[], does: string, of: string): Map<string, unknown> {
  const groups = new Map<string, Map<number, Body>>(by.length === 0 ? [['[]', new Map()]] : [])
  for (const row of entries.flatMap(entry => expand(entry, of === '*' ? by : [...by, of]))) {
    const key = keyOf(row, by)
    const found = groups.get(key) ?? new Map<number, Body>()
    const end = row[of === '*' ? '' : pathOf(of)]
    if (end) found.set(end.id, end)
    groups.set(key, found)
  }
  const measured = (found: Map<number, Body>): unknown => {
    if (of === '*') return found.size
    const values = [...found.values()].map(row => row[fieldOf(of)]).filter(value => value !== null)
    const numbers = values.map(Number)
    const sum = numbers.reduce((all, one) => all + one, 0)
    if (does === 'count') return values.length
    if (does === 'distinct') return new Set(values).size
    if (values.length === 0) return null
    return { sum, avg: sum / values.length, min: Math.min(...numbers), max: Math.max(...numbers) }[does]
  }
  return new Map([...groups].map(([key, found]) => [key, measured(found)]))
}

/** An entry without the wrapping of the response. */
const plain = (value: Body): Body => {
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  if ('data' in value) return plain(value.data)
  const { id, attributes, ...rest } = value
  return Object.fromEntries([
    ['id', id],
    ...Object.entries(attributes ?? rest).map(([name, one]) => [name, plain(one)]),
  ])
}

contract('aggregates through relations to many', open, api => {
  const { ask, groups } = aggregated(api)

  it('count an entry in each group that it leads to, once, and without any in the group null', async () => {
    assert.deepEqual(await groups('groupBy=tags'), [
      [null, 1],
      [1, 2],
      [2, 2],
      [3, 1],
      [4, 1],
    ])
    // The second article has two red tags, and counts once.
    assert.deepEqual((await groups('groupBy=tags.name')).sort(), [
      [null, 1],
      ['RED', 1],
      ['blue', 2],
      ['red', 2],
    ])
    assert.deepEqual(await groups('groupBy=tags.isHot&measures[sum]=minutes', 'sum', 'minutes'), [
      [null, 6],
      [false, 1],
      [true, 3],
    ])
    assert.deepEqual(await groups('groupBy=parts.kind'), [
      [null, 1],
      ['quote', 1],
      ['text', 2],
    ])
    assert.deepEqual(await groups('groupBy=month(comments.at)'), [
      [null, 2],
      ['2023-05', 1],
      ['2024-01', 1],
      ['2024-02', 1],
    ])
  })
  it('measure each related entry once in a group, whatever else is measured', async () => {
    const query = 'measures[count]=*,comments,tags&measures[sum]=comments.votes,tags.weight,minutes'
    assert.deepEqual(await ask(`${query}&measures[max]=comments.price,comments.at,parts.size`), [
      {
        group: {},
        count: { '*': 4, comments: 5, tags: 4 },
        sum: { 'comments.votes': 15, 'tags.weight': 6.5, minutes: 7 },
        max: { 'comments.price': 10, 'comments.at': '2024-02-01T00:00:00.000Z', 'parts.size': '9007199254740993' },
      },
    ])
    // The author of two articles is one author.
    assert.deepEqual(await groups('measures[sum]=author.age', 'sum', 'author.age'), [[70]])
    assert.deepEqual(await groups('groupBy=author.name&measures[sum]=comments.votes', 'sum', 'comments.votes'), [
      [null, null],
      ['ann', 15],
      ['bob', null],
    ])
    assert.deepEqual(
      await ask(
        'groupBy=tags.name&measures[count]=*,tags,comments&measures[sum]=tags.weight,comments.votes&filters[title]=b&sort=count(tags):desc',
      ),
      [
        {
          group: { 'tags.name': 'red' },
          count: { '*': 1, tags: 2, comments: 1 },
          sum: { 'tags.weight': 4.5, 'comments.votes': 8 },
        },
        {
          group: { 'tags.name': 'RED' },
          count: { '*': 1, tags: 1, comments: 1 },
          sum: { 'tags.weight': null, 'comments.votes': 8 },
        },
      ],
    )
  })
  it('group by several ways, those through one relation by the same related entry', async () => {
    assert.deepEqual(await groups('groupBy=comments.writer.name,comments.votes&filters[title]=a'), [
      ['ann', 1, 1],
      ['bob', 2, 1],
      ['bob', 4, 1],
    ])
    assert.deepEqual(await groups('groupBy=tags.name,comments.writer&filters[title]=a'), [
      ['blue', 1, 1],
      ['blue', 2, 1],
      ['red', 1, 1],
      ['red', 2, 1],
    ])
    assert.deepEqual(await groups('groupBy=tags.articles.title&filters[title]=a'), [
      ['a', 1],
      ['b', 1],
      ['d', 1],
    ])
  })
  it('keep, sort and cut groups by what is measured behind relations', async () => {
    const query = 'groupBy=tags&measures[sum]=comments.votes&measures[count]=*'
    assert.deepEqual(
      await groups(
        `${query}&having[sum][comments.votes][$gte]=7&sort=sum(comments.votes):desc,tags:desc`,
        'sum',
        'comments.votes',
      ),
      [
        [1, 15],
        [4, 8],
        [3, 8],
        [2, 7],
      ],
    )
    assert.deepEqual(await groups('groupBy=tags&sort=tags:desc&pagination[limit]=2&pagination[start]=1'), [
      [3, 1],
      [2, 2],
    ])
  })
  it('have one statement, however much is asked', async () => {
    const query = 'groupBy=tags.name&measures[count]=*,comments&measures[sum]=minutes,comments.votes'
    const { statements } = await api.get(`/articles/aggregate?${query}`)
    assert.equal(statements.length, 1, statements.join('\n'))
  })
  it('cost what the budget allows', async () => {
    refused(
      await api.get(
        '/articles/aggregate?groupBy=tags.name,comments.votes,parts.kind,author.name&measures[sum]=tags.articles.minutes',
      ),
      {
        status: 400,
        parameter: 'groupBy',
        message: /more than 50 joins/,
      },
    )
    const people = ['author.name', 'comments.writer.name', 'tags.articles.author.name', 'comments.article.author.name']
    refused(await api.get(`/articles/aggregate?groupBy=${people.join(',')}&measures[sum]=parts.size`), { status: 400 })
  })
  it('agree with what looking at every entry finds', async () => {
    const populate =
      'populate[tags][populate]=articles&populate[comments][populate]=writer&populate[author]=true&populate[parts]=true'
    const { body } = await api.get(`/articles?${populate}&pagination[pageSize]=100`)
    const entries: Body[] = plain(body.data)
    const way = fc.constantFrom(
      ...[
        'title',
        'minutes',
        'author.isStaff',
        'author.name',
        'tags.name',
        'tags.isHot',
        'tags.id',
        'tags.articles.title',
      ],
      ...['comments.votes', 'comments.writer.name', 'comments.writer.isStaff', 'parts.kind', 'parts.size'],
    )
    const number = fc.constantFrom(
      ...[
        'minutes',
        'author.age',
        'tags.weight',
        'tags.articles.minutes',
        'comments.votes',
        'comments.price',
        'comments.writer.age',
      ],
    )
    const does = fc.constantFrom('count', 'distinct', 'sum', 'avg', 'min', 'max')
    const measures = fc.uniqueArray(fc.tuple(does, number), { minLength: 1, maxLength: 3, selector: String })
    const asked = fc.record({ by: fc.uniqueArray(way, { maxLength: 2 }), measures, least: fc.nat(5) })
    let answered = 0
    const property = fc.asyncProperty(asked, async ({ by, measures, least }) => {
      const query = [
        ...by.map((name, index) => `groupBy[${index}]=${name}`),
        ...['sum', 'avg', 'min', 'max', 'distinct', 'count'].map(name => {
          const of = measures.filter(([one]) => one === name).map(([, of]) => of)
          return of.length > 0 || name === 'count'
            ? `measures[${name}]=${['*', ...of].slice(name === 'count' ? 0 : 1).join()}`
            : ''
        }),
        `filters[id][$gte]=${least}`,
      ]
      const response = await api.get(`/articles/aggregate?${query.filter(Boolean).join('&')}`)
      if (response.status === 400) return refused(response, { status: 400, message: /more than 50 joins/ })
      answered += 1
      const kept = entries.filter(({ id }) => id >= least)
      for (const [does, of] of [['count', '*'] as const, ...measures]) {
        const found = response.body.data.map((row: Body) => [
          JSON.stringify(by.map(one => row.group[one])),
          row[does][of],
        ])
        assert.deepEqual(found.sort(), [...looked(kept, by, does, of)].sort(), `${query.join('&')} ${does} ${of}`)
      }
    })
    await fc.assert(property, { seed: 11, numRuns: 120 })
    assert.ok(answered > 90, `${answered} of 120 questions are within the budget`)
  })
})

const permissions = {
  roles: {
    public: {
      article: { find: true },
      tag: { find: { where: { isHot: { $eq: true } } } },
      comment: { find: { where: { votes: { $lt: 4 } }, fields: ['votes', 'writer'] } },
      person: { find: { where: { name: { $eq: 'ann' } } } },
    },
    reader: { article: ['find'] },
  },
}
const roles = world({ types, permissions, accounts: { rita: { role: 'reader' } }, rows: fill as never })

contract(
  'aggregates through relations to many, of a role',
  { ...roles, components, plugins: [...(roles.plugins ?? []), draftAndPublish] as never },
  api => {
    const ask = async (query: string) => (await api.get(`/articles/aggregate?${query}`)).body.data
    it('are of the related entries and fields that it may read', async () => {
      assert.deepEqual(await ask('groupBy=tags'), [
        { group: { tags: null }, count: { '*': 2 } },
        { group: { tags: 1 }, count: { '*': 2 } },
        { group: { tags: 3 }, count: { '*': 1 } },
      ])
      assert.deepEqual(await ask('measures[sum]=comments.votes,tags.weight&measures[count]=comments,comments.writer'), [
        {
          group: {},
          sum: { 'comments.votes': 3, 'tags.weight': 4.5 },
          count: { comments: 2, 'comments.writer': 1 },
        },
      ])
      for (const query of ['groupBy=comments.price', 'measures[max]=comments.price', 'groupBy=year(comments.at)'])
        refused(await api.get(`/articles/aggregate?${query}`), {
          status: 400,
          message: /has no attribute "(price|at)"/,
        })
      for (const query of ['groupBy=tags.name', 'measures[count]=comments', 'measures[sum]=author.age'])
        refused(await api.get(`/articles/aggregate?${query}`, asUser(1)), {
          status: 400,
          message: /has no attribute "(tags|comments|author)"/,
        })
    })
  },
)
