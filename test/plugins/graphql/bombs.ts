import { type GraphqlWorld, graphqlWorld } from '../../security/graphql-world.js'

/** An operation that costs too much, and the words of its refusal. */
export type Bomb = readonly [says: string, query: string, names: RegExp, variables?: Readonly<Record<string, unknown>>]

export const list = (count: number, of: (index: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(between)
const times = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index))

const chain = (name: string, count: number) =>
  list(count, index => `fragment ${name}${index} on Query { ...${name}${index + 1} ...${name}${index + 1} }`)
const levels = 'attributes { author { data { attributes { articles { data { '
export const relations = (count: number) =>
  `{ articles { data { ${levels.repeat(count)} id ${'} } } } } }'.repeat(count)} } } }`
const filtered = 'query ($f: ArticleFiltersInput) { articles(filters: $f) { data { id } } }'
const sorted = 'query ($s: [String]) { articles(sort: $s) { data { id } } }'

const documents: readonly Bomb[] = [
  ['a cycle of fragments', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }', /within itself/],
  ['a fragment in itself', '{ __typename } fragment A on Query { ...A }', /never used/],
  ['fragments that double 30 times', `{ ...F0 } ${chain('F', 30)} fragment F30 on Query { __typename }`, /too often/],
  ['the same, unused', `{ __typename } ${chain('F', 30)} fragment F30 on Query { __typename }`, /never used/],
  [
    '30 fragments that all spread each other',
    `{ ...A0 } ${list(30, index => `fragment A${index} on Query { ${list(30, other => `...A${other}`)} }`)}`,
    /too often/,
  ],
  [
    '300 fragments side by side',
    `{ ${list(300, index => `...F${index}`)} } ${list(300, index => `fragment F${index} on Query { tags { data { id } } }`)}`,
    /more than 150 fragments/,
  ],
  [
    '140 fragments side by side in one that is unused',
    `{ __typename } fragment X on Query { ${list(140, index => `...F${index}`)} } ${list(140, index => `fragment F${index} on Query { tags { data { id } } }`)}`,
    /never used/,
  ],
  [
    'two chains of fragments beside each other',
    `{ ...A0 ...B0 } ${list(70, index => `fragment A${index} on Query { __typename ...A${index + 1} } fragment B${index} on Query { __typename ...B${index + 1} }`)} fragment A70 on Query { __typename } fragment B70 on Query { __typename }`,
    /too often/,
  ],
  ['300 inline fragments side by side', `{ ${list(300, () => '... { tags { data { id } } }')} }`, /too often/],
  ['fragments 1,200 deep', `{ ${'... { '.repeat(1200)}__typename${' }'.repeat(1200)} }`, /250 levels/],
  ['fields 2,400 deep', '{a'.repeat(2400), /250 levels/],
  ['lists 4,900 deep', `{ articles(sort: ${'['.repeat(4900)}`, /250 levels/],
  ['objects 1,600 deep', `{ articles(filters: ${'{not:'.repeat(1600)}`, /250 levels/],
  ['types 4,900 deep', `query ($a: ${'['.repeat(4900)}`, /250 levels/],
  ['relations 400 deep', relations(200), /250 levels/],
  [
    'relations 60 deep, by fragments',
    `{ articles { data { ...A0 } } } ${list(140, index => `fragment A${index} on ArticleEntity { attributes { author { data { attributes { articles { data { ...A${index + 1} } } } } } } }`)} fragment A140 on ArticleEntity { id }`,
    /250 levels/,
  ],
  [
    '800 aliases of one root',
    `{ ${list(800, index => `a${index}: tags { meta { pagination { total } } }`)} }`,
    /tokens/,
  ],
  ['400 aliases of one root', `{ ${list(400, index => `a${index}: tags { data { id } }`)} }`, /100 fields at its root/],
  [
    '400 of them in a fragment',
    `{ ...F } fragment F on Query { ${list(400, index => `a${index}: me { id }`)} }`,
    /at its root/,
  ],
  [
    '90 roots with relations',
    `{ ${list(90, index => `a${index}: tags { data { attributes { articles { data { id } } } } meta { pagination { total } } }`)} }`,
    /270 statements.*rest\.limits\.statements/,
  ],
  [
    '120 relations with arguments of their own',
    `{ articles { data { attributes { ${list(120, index => `a${index}: tags(pagination: { limit: ${index + 1} }) { data { id } }`)} } } } }`,
    /121 statements.*rest\.limits\.statements/,
  ],
  ['one field 2,000 times', `{ ${list(2000, () => '__typename')} }`, /too often/],
  [
    'fields of one key in fields of one key',
    `{ ${list(19, () => `tags { ${list(19, () => 'data { id }')} }`)} }`,
    /too often/,
  ],
  ['10,000 directives', `{ __typename ${list(10_000, () => '@skip(if: false)')} }`, /tokens.*tokenLimit/],
  ['2,400 unknown directives', `{ __typename ${list(2400, () => '@a')} }`, /Unknown directive/],
  ['a megabyte of tokens', `{ ${'a '.repeat(400_000)}}`, /tokens.*tokenLimit/],
  ['4,900 unknown fields', `{ tags { data { ${list(4800, index => `a${index}`)} } } }`, /Cannot query|fields/],
  ['1,200 variables', `query (${list(1200, index => `$a${index}: Int`)}) { __typename }`, /never used/],
  ['1,200 variables of one name', `query (${list(1200, () => '$a: Int')}) { __typename }`, /only one variable/],
  ['1,200 operations', list(1200, () => '{ __typename }'), /anonymous/],
  ['1,200 arguments', `{ articles(${list(1200, index => `a${index}: 1`)}) { data { id } } }`, /Unknown argument/],
  ['1,200 keys of an object', `{ articles(filters: { ${list(1200, () => 'id: {}')} }) { data { id } } }`, /only one/],
  ['a name of 900,000 characters', `{ ${'a'.repeat(900_000)} }`, /a name of more than 1000 characters/],
  ['names of 1,000 characters', `{ ${list(30, index => `${'a'.repeat(996)}${1000 + index}`)} }`, /Cannot query field/],
  [
    'a schema of schemas',
    '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
    /introspection/i,
  ],
]

const variables: readonly Bomb[] = [
  ['40,000 conditions', filtered, /rest\.maxParameters/, { f: { or: times(40_000, id => ({ id: { eq: id } })) } }],
  ['40,000 wrong ones', filtered, /rest\.maxParameters/, { f: { or: times(40_000, nope => ({ nope })) } }],
  ['100,000 values of a list', filtered, /rest\.maxParameters/, { f: { id: { in: times(100_000, id => id) } } }],
  ['900 wrong values of a list', filtered, /String cannot/, { f: { title: { in: times(900, id => id) } } }],
  ['20,000 sorts', sorted, /rest\.maxParameters/, { s: times(20_000, () => 'title') }],
  [
    'a text of 900,000 characters',
    'query ($a: Int) { tags(pagination: { limit: $a }) { data { id } } }',
    /(got|has) invalid value/,
    {
      a: 'x'.repeat(900_000),
    },
  ],
  [
    'a name of 900,000 characters among filters',
    filtered,
    /a name of more than 1000 characters/,
    { f: { and: [{ ['a'.repeat(900_000)]: 1 }] } },
  ],
  [
    'a member of an enum of 900,000 characters',
    'query ($s: PublicationState) { articles(publicationState: $s) { data { id } } }',
    /a name of more than 1000 characters/,
    { s: 'L'.repeat(900_000) },
  ],
  [
    'filters 1,000 deep',
    filtered,
    /nested more than 100/,
    { f: times(1000, () => 0).reduce<unknown>(f => ({ not: f }), {}) as never },
  ],
  [
    'a list of filters 1,000 deep',
    filtered,
    /nested more than 100/,
    {
      f: times(500, () => 0).reduce<unknown>(f => ({ and: [f] }), {}) as never,
    },
  ],
  [
    'many wrong values to write',
    'mutation ($d: ArticleInput!) { createArticle(data: $d) { data { id } } }',
    /ID cannot represent/,
    { d: { title: 'x', tags: times(100_000, () => ({})) } },
  ],
]

export const bombs: readonly Bomb[] = [...documents, ...variables]

/** A world in which code of refusals has run before. */
export async function warmWorld(): Promise<GraphqlWorld> {
  const world = await graphqlWorld()
  for (const query of ['{ tags { data { id attributes { name } } } }', relations(2), '{ nope }']) {
    await world.ask('visitor', query)
    await world.ask('visitor', filtered, { f: { id: { in: [1] } } })
  }
  return world
}
