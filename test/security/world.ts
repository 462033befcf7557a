import { strict as assert } from 'node:assert'
import type { InjectOptions, Response } from 'light-my-request'
import { createTestApp, type TestApp, type TestAppOptions } from '../../core/index.js'

/** Text that no response may ever hold: every hidden value of the world is written with this word, or hashed. */
export const hidden = /TOPSECRET|\$2[aby]\$/

/** Text that no error may reveal: the words of databases, of stacks, and of this folder. */
export const inside = [
  /sqlite_|SQLITE|\bER_|sqlState|errno|syntax error|no such (table|column|function)|near "/i,
  /constraint failed|violates|duplicate (key|entry)|out of range for type|invalid input syntax/i,
  /\bat (async )?[\w.<>]+ \(|node:internal|node_modules|\.(ts|js|mjs):\d+/,
  /Cannot (read|convert|access|destructure)|is not a function|is not iterable|Maximum call stack|undefined \(reading/,
  new RegExp(process.cwd().replaceAll('/', '\\/')),
]

const components = {
  'shared.seo': {
    attributes: {
      metaTitle: { type: 'string' },
      internalNote: { type: 'string', private: true },
      pin: { type: 'password' },
      social: { type: 'component', component: 'shared.social' },
    },
  },
  'shared.social': { attributes: { network: { type: 'string' }, internalNote: { type: 'string', private: true } } },
  'shared.slide': {
    attributes: {
      caption: { type: 'string', required: true },
      internalNote: { type: 'string', private: true },
      tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
    },
  },
  'shared.quote': { attributes: { text: { type: 'text' }, internalNote: { type: 'string', private: true } } },
  // A component that holds itself: its depth is only bounded by what is asked.
  'shared.branch': {
    attributes: {
      label: { type: 'string' },
      child: { type: 'component', component: 'shared.branch' },
      children: { type: 'component', component: 'shared.branch', repeatable: true },
    },
  },
}

const types = {
  article: {
    options: {},
    attributes: {
      title: { type: 'string', required: true, maxLength: 200 },
      body: { type: 'richtext' },
      slug: { type: 'uid' },
      kind: { type: 'enumeration', enum: ['news', 'essay'] },
      contact: { type: 'email' },
      views: { type: 'integer' },
      big: { type: 'biginteger' },
      rating: { type: 'float' },
      price: { type: 'decimal' },
      active: { type: 'boolean' },
      released: { type: 'date' },
      opens: { type: 'time' },
      happened: { type: 'datetime' },
      extra: { type: 'json' },
      internalNote: { type: 'string', private: true },
      pin: { type: 'password' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
      secretTags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag', private: true },
      vault: { type: 'relation', relation: 'oneToOne', target: 'api::vault.vault' },
      anything: { type: 'relation', relation: 'morphToMany' },
      seo: { type: 'component', component: 'shared.seo' },
      slides: { type: 'component', component: 'shared.slide', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['shared.slide', 'shared.quote', 'shared.seo'] },
      tree: { type: 'component', component: 'shared.branch' },
    },
  },
  author: {
    options: { populateCreatorFields: true },
    attributes: {
      name: { type: 'string' },
      internalNote: { type: 'string', private: true },
      pin: { type: 'password' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
    },
  },
  tag: {
    attributes: {
      name: { type: 'string', unique: true },
      internalNote: { type: 'string', private: true },
      articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
    },
  },
  vault: { attributes: { code: { type: 'string' } } },
  homepage: {
    kind: 'singleType',
    attributes: { headline: { type: 'string' }, internalNote: { type: 'string', private: true } },
  },
}

/** The vault is the only type that is closed to visitors. */
const open = { article: true, author: true, tag: true, homepage: true } as const

export interface World extends TestApp {
  ask(path: string): Promise<Response>
  send(
    method: 'POST' | 'PUT' | 'DELETE' | 'PATCH',
    path: string,
    body?: unknown,
    more?: Partial<InjectOptions>,
  ): Promise<Response>
  /** The number of rows of every table. */
  rows(): Promise<Record<string, number>>
}

/** A small app with every kind of attribute, hidden ones at every place, and a few entries. */
export async function world(options: TestAppOptions = {}): Promise<World> {
  const { config = {} } = options
  const app = await createTestApp({
    types,
    components,
    ...options,
    config: { ...config, api: { ...config.api, rest: { public: open, ...config.api?.rest } } },
  })
  const tables = [
    ...new Set(
      [...app.types.types.values()].flatMap(type => [
        type.table,
        ...[...type.links.values()].flatMap(({ storage }) => (storage.via === 'table' ? [storage.table] : [])),
      ]),
    ),
  ]
  const made: World = {
    ...app,
    ask: path => app.inject({ method: 'GET', url: path }),
    send: (method, path, body, more = {}) =>
      app.inject({
        method,
        url: path,
        ...(typeof body === 'string' || Buffer.isBuffer(body)
          ? { payload: body }
          : body === undefined
            ? {}
            : { payload: JSON.stringify(body) }),
        ...more,
        headers: { 'content-type': 'application/json', ...more.headers },
      }),
    async rows() {
      const quote = app.store.engine === 'mysql' ? '`' : '"'
      const counts: Record<string, number> = {}
      for (const table of tables)
        counts[table] = Number(
          (await app.store.reader.all(`select count(*) from ${quote}${table}${quote}`, []))[0]?.[0],
        )
      return counts
    },
  }
  await fill(made)
  return made
}

async function fill(app: World): Promise<void> {
  const note = 'TOPSECRET'
  const vault = await app.entries('api::vault.vault').create({ code: 'TOPSECRET vault' })
  const tags = []
  for (const name of ['red', 'green', 'blue'])
    tags.push(await app.entries('api::tag.tag').create({ name, internalNote: note }))
  const authors = []
  for (const name of ['Ada', 'Bob'])
    authors.push(await app.entries('api::author.author').create({ name, internalNote: note, pin: 'TOPSECRET' }))
  for (let index = 1; index <= 5; index += 1)
    await app.entries('api::article.article').create({
      title: `article ${index}`,
      body: 'a text',
      slug: `article-${index}`,
      kind: index % 2 ? 'news' : 'essay',
      views: index * 10,
      big: '12345678901',
      rating: index / 2,
      price: 9.99,
      active: index % 2 === 0,
      released: `2024-01-0${index}`,
      opens: '10:00:00.000',
      happened: '2024-01-01T10:00:00.000Z',
      extra: { a: [1, 2, { b: 'c' }] },
      internalNote: `${note} ${index}`,
      pin: note,
      author: authors[index % 2]?.id,
      tags: tags.slice(0, index % 3).map(({ id }) => id),
      secretTags: [tags[2]?.id],
      vault: index === 1 ? vault.id : null,
      seo: { metaTitle: 'meta', internalNote: note, pin: note, social: { network: 'x', internalNote: note } },
      slides: [{ caption: 'one', internalNote: note, tag: tags[0]?.id }, { caption: 'two' }],
      blocks: [
        { __component: 'shared.quote', text: 'q', internalNote: note },
        { __component: 'shared.slide', caption: 's', internalNote: note },
      ],
      tree: { label: 'root', child: { label: 'inner' }, children: [{ label: 'a' }, { label: 'b' }] },
    })
  await app.entries('api::homepage.homepage').create({ headline: 'hello', internalNote: note })
}

/** Asserts that a response reveals neither hidden values nor the structure of the server; `sent` is the client's own text. */
export function assertDiscreet(response: Response, sent = ''): void {
  let text = response.payload
  for (const said of [sent, safeDecode(sent)]) if (said.length > 3) text = text.split(said).join('')
  assert.doesNotMatch(text, hidden, `a hidden value in: ${text.slice(0, 300)}`)
  if (response.statusCode >= 400)
    for (const word of inside) assert.doesNotMatch(text, word, `an inside word in: ${text.slice(0, 300)}`)
}

/** A text as UTF-8 can carry it: half a character becomes the mark of a lost one. */
export const wellFormed = (text: string): string => Buffer.from(text).toString()

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** An error in the one form of all errors, with the status that was expected; never a 5xx. */
export function assertRefused(response: Response, status: number | readonly number[] = 400, sent = ''): void {
  const allowed = typeof status === 'number' ? [status] : status
  assert.ok(allowed.includes(response.statusCode), `status ${response.statusCode}: ${response.payload.slice(0, 300)}`)
  const body = JSON.parse(response.payload)
  assert.equal(body.data, null)
  assert.equal(body.error.status, response.statusCode)
  assert.equal(typeof body.error.name, 'string')
  assert.ok(body.error.message.length > 0)
  assert.match(String(response.headers['content-type']), /^application\/json/)
  assertDiscreet(response, sent)
}

/** Bad input changes nothing, and the next good request is answered as if nothing had happened. */
export async function assertUnharmed(app: World, before: Record<string, number>): Promise<void> {
  assert.deepEqual(await app.rows(), before, 'something was written')
  const good = await app.ask('/api/articles?filters[title]=article%201&populate=author')
  assert.equal(good.statusCode, 200)
  assert.equal(good.json().data[0].attributes.title, 'article 1')
}
