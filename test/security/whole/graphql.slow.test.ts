import { strict as assert } from 'node:assert'
import { onEveryEngineAtLength } from '../../support/every-engine.js'
import { type Answer, type AttackedServer, attacks, type RequestOptions } from './attacked.js'
import type { Who } from './fill.js'

const list = (count: number, of: (index: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(between)
const json = { 'content-type': 'application/json' }

/** Sends a body to GraphQL and looks at the answer as at any other; the parser's own words begin like those of a database. */
async function post(server: AttackedServer, who: Who, sending: RequestOptions): Promise<Answer> {
  const answer = await server.sendUnseen(who, 'POST', '/graphql', sending)
  const text = answer.text.replaceAll('"Syntax Error: ', '"')
  server.look(who, 'POST /graphql', { ...answer, text }, typeof sending.body === 'string' ? sending.body : '')
  return answer
}

const ask = (server: AttackedServer, who: Who, query: string, variables?: object) =>
  post(server, who, { body: JSON.stringify({ query, variables }), headers: json })

onEveryEngineAtLength('GraphQL', engine => {
  const { attack } = attacks(`graphql, ${engine.name}`, async () => ({
    many: 2000,
    database: (await engine.fresh()).database,
  }))

  const filtered = 'query ($f: ArticleFiltersInput) { articles(filters: $f) { data { id } } }'
  const bombs: readonly (readonly [says: string, query: string, variables?: object])[] = [
    ['fragments in each other', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
    [
      'fragments that double',
      `{ ...F0 } ${list(40, index => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`)} fragment F40 on Query { __typename }`,
    ],
    [
      'fragments side by side',
      `{ __typename } fragment X on Query { ${list(300, index => `...F${index}`)} } ${list(300, index => `fragment F${index} on Query { tags { data { id } } }`)}`,
    ],
    ['1,000 aliases', `{ ${list(1000, index => `a${index}: articles { data { id } }`)} }`],
    [
      '90 aliases with relations',
      `{ ${list(90, index => `a${index}: articles(pagination: { limit: -1 }) { data { attributes { tags { data { id } } } } }`)} }`,
    ],
    ['10,000 directives', `{ __typename ${list(10_000, () => '@skip(if: false)')} }`],
    ['a megabyte of tokens', `{ ${'a '.repeat(400_000)} }`],
    ['a megabyte of brackets', '{a'.repeat(400_000)],
    ['fields of one key', `{ ${list(19, () => `tags { ${list(19, () => 'data { id }')} }`)} }`],
    [
      'a relation 200 deep',
      `{ tags { data { ${'attributes { articles { data { attributes { tags { data { '.repeat(100)} id ${'} '.repeat(600)} } } }`,
    ],
    ['40,000 conditions', filtered, { f: { or: Array.from({ length: 40_000 }, () => ({ id: { eq: 1 } })) } }],
    ['100,000 wrong values', filtered, { f: { title: { in: Array.from({ length: 100_000 }, (_, id) => id) } } }],
    ['40,000 wrong inputs', filtered, { f: { or: Array.from({ length: 40_000 }, () => ({ nope: 1 })) } }],
  ]
  for (const [says, query, variables] of bombs)
    attack(`a bomb of ${says} is refused in no time`, async server => {
      for (const who of ['visitor', 'fullToken'] as const) {
        const { status, body } = await ask(server, who, query, variables)
        assert.equal(status, 400)
        assert.ok(body.errors.length <= 11)
      }
    })

  attack('a batch of bombs is refused in no time', async server => {
    const operations = bombs
      .filter(([, query, variables]) => !variables && query.length < 20_000)
      .map(([, query]) => ({ query }))
    const { status, body } = await post(server, 'visitor', {
      body: JSON.stringify(operations.slice(0, 10)),
      headers: json,
    })
    assert.equal(status, 200)
    assert.ok(body.every(({ data }: { data?: unknown }) => data === undefined))
    const many = Array.from({ length: 5000 }, () => ({ query: '{ __typename }' }))
    assert.equal((await post(server, 'visitor', { body: JSON.stringify(many), headers: json })).status, 400)
  })

  attack('hundreds of different documents are no burden for others', async server => {
    const fields = (index: number) => list(100, place => `a${index}x${place}: name`)
    for (let round = 0; round < 50; round += 1)
      await Promise.all(
        Array.from({ length: 4 }, (_, index) =>
          ask(server, 'visitor', `{ tags { data { attributes { ${fields(round * 4 + index)} } } } }`),
        ),
      )
  })

  const bodies: readonly (readonly [says: string, sending: RequestOptions])[] = [
    ['no JSON', { body: '{', headers: json }],
    ['JSON of another kind', { body: '"{ tags { data { id } } }"', headers: json }],
    [
      'JSON 100,000 deep',
      {
        body: `{"query":"{ __typename }","variables":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
        headers: json,
      },
    ],
    [
      'variables in a text, 100,000 deep',
      {
        body: JSON.stringify({
          query: '{ __typename }',
          variables: `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        }),
        headers: json,
      },
    ],
    [
      'extensions in a text, 100,000 deep',
      {
        body: JSON.stringify({
          query: '{ __typename }',
          extensions: `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        }),
        headers: json,
      },
    ],
    [
      'names of prototypes',
      {
        body: '{"query":"{ __typename }","variables":{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}}}}',
        headers: json,
      },
    ],
    ['numbers in place of texts', { body: '{"query":1,"operationName":{"a":1},"extensions":7}', headers: json }],
    [
      'a form without a map',
      {
        body: '--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{}\r\n--x--',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      },
    ],
    [
      'a map into prototypes',
      {
        body: `--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{"query":"{ __typename }","variables":{}}\r\n--x\r\nContent-Disposition: form-data; name="map"\r\n\r\n{"0":["variables.__proto__.a","variables.constructor.prototype.b","__proto__.c"]}\r\n--x\r\nContent-Disposition: form-data; name="0"; filename="a.txt"\r\n\r\nx\r\n--x--\r\n`,
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      },
    ],
  ]
  for (const [says, sending] of bodies)
    attack(`a body of ${says} breaks nothing`, async server => {
      for (const who of ['visitor', 'alice', 'editor'] as const) await post(server, who, sending)
      assert.deepEqual(await server.ask('polluted'), [])
    })

  attack('no answer has what a caller may not read, whatever he asks for', async server => {
    const roots = [
      'articles',
      'authors',
      'tags',
      'memos',
      'vaults',
      'usersPermissionsUsers',
      'usersPermissionsRoles',
      'uploadFiles',
    ]
    const attributes: Readonly<Record<string, string>> = {
      articles:
        'title pin seo { metaTitle pin } owner { data { attributes { username email } } } vault { data { attributes { code } } } memos { data { attributes { text } } } slides { caption memo { data { attributes { text } } } vault { data { attributes { code } } } } anything { __typename ... on Memo { text } ... on Vault { code } ... on UsersPermissionsUser { email } } blocks { ... on ComponentSharedQuote { memos { data { attributes { text } } } } ... on ComponentSharedSlide { vault { data { attributes { code } } } } } localizations { data { attributes { vault { data { attributes { code } } } } } }',
      authors:
        'name pin user { data { attributes { email } } } articles { data { attributes { title memos { data { attributes { text } } } } } }',
      tags: 'name articles { data { attributes { owner { data { attributes { email } } } vault { data { attributes { code } } } } } }',
      memos:
        'text owner { data { attributes { username } } } scan { data { attributes { url related { __typename ... on Memo { text } } } } }',
      vaults: 'code',
      usersPermissionsUsers:
        'username email provider role { data { attributes { name a: users { data { attributes { email } } } } } }',
      usersPermissionsRoles:
        'name a: users { data { attributes { email } } } permissions { data { attributes { action } } }',
      uploadFiles: 'name url related { __typename ... on Memo { text } ... on Vault { code } }',
    }
    for (const who of [
      'visitor',
      'alice',
      'bob',
      'editor',
      'manager',
      'customToken',
      'readToken',
      'fullToken',
    ] as const)
      for (const root of roots) {
        const selected = `data { id attributes { ${attributes[root]} } }`
        for (const args of ['', '(pagination: { limit: 3 }, sort: "id:desc")']) {
          const { status, body } = await ask(server, who, `{ a: ${root}${args} { ${selected} } }`)
          assert.equal(status, 200, JSON.stringify(body))
        }
      }
  })
})
