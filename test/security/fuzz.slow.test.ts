import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { isFull } from './whole/attacked.js'
import { hidden, inside, type World, wellFormed, world } from './world.js'

/** The same run every time; `FUZZ_SEED` and `FUZZ_RUNS` try others and more. */
const seed = Number(process.env.FUZZ_SEED ?? 20_240_229)
const numRuns = Number(process.env.FUZZ_RUNS ?? (isFull ? 1000 : 500))

const names = [
  'title',
  'body',
  'views',
  'big',
  'rating',
  'price',
  'active',
  'released',
  'opens',
  'happened',
  'extra',
  'kind',
  'slug',
  'contact',
  'id',
  'createdAt',
  'author',
  'tags',
  'articles',
  'name',
  'seo',
  'social',
  'slides',
  'tag',
  'blocks',
  'tree',
  'child',
  'children',
  'anything',
  'metaTitle',
  'caption',
  'label',
  'internalNote',
  'pin',
  'secretTags',
  'vault',
  'createdBy',
  'code',
  '__proto__',
  'constructor',
  'toString',
  '$eq',
  '$and',
  '$or',
  '$not',
  '$in',
  '$null',
  '$contains',
  '$between',
  '$gt',
  '$notContainsi',
  '*',
  'on',
  'shared.slide',
  'shared.quote',
  'api::tag.tag',
  'populate',
  'fields',
  'filters',
  'sort',
  '0',
  '1',
  '17',
  '-1',
  '',
]
const values = [
  '1',
  '0',
  '-1',
  '1.5',
  '1e300',
  'true',
  'false',
  'null',
  '',
  '*',
  'title',
  'title:desc',
  'author.name',
  'tags.articles.title:asc',
  'a,b',
  'internalNote',
  'pin:asc',
  '2024-01-01',
  '10:00:00',
  '2024-01-01T00:00:00Z',
  '9223372036854775808',
  "' or 1=1 --",
  '%',
  '_',
  '\0',
  '\ud800',
  '😀',
  'x'.repeat(300),
  'TOP',
  '$2b$',
]

const name = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...names) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
)
const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...values) },
  { weight: 2, arbitrary: name },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.integer().map(String) },
)
const encode = (text: string): string => encodeURIComponent(wellFormed(text))
const parameter = fc
  .tuple(
    fc.constantFrom(
      'filters',
      'filters',
      'populate',
      'populate',
      'fields',
      'sort',
      'pagination',
      '_q',
      'highlight',
      'nosuch',
    ),
    fc.array(name, { maxLength: 6 }),
    value,
  )
  .map(([head, path, said]) => `${head}${path.map(part => `[${encode(part)}]`).join('')}=${encode(said)}`)
const query = fc.oneof(
  { weight: 9, arbitrary: fc.array(parameter, { maxLength: 5 }).map(parts => parts.join('&')) },
  { weight: 1, arbitrary: fc.string({ maxLength: 200 }).map(text => wellFormed(text).replaceAll('#', '')) },
)

const paths = [
  '/api/articles',
  '/api/articles',
  '/api/articles/1',
  '/api/authors',
  '/api/tags/2',
  '/api/homepage',
  '/api/vaults',
  '/api/nosuch',
]

const json = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 1.5, 1e300, 2 ** 31, 99_999, ...values),
    tie('list'),
    tie('object'),
    tie('relation'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(
    fc.oneof(
      fc.constantFrom(
        ...names,
        'connect',
        'disconnect',
        'set',
        'position',
        '__component',
        '__type',
        'data',
        'headline',
      ),
      fc.string({ maxLength: 5 }),
    ),
    tie('value'),
    { maxKeys: 4, noNullPrototype: true },
  ),
  relation: fc.record(
    { connect: tie('list'), disconnect: tie('list'), set: tie('list'), id: tie('value') },
    { requiredKeys: [] },
  ),
}))
const data = fc.record(
  {
    title: fc.oneof(fc.constant('fuzz'), json.value),
    views: json.value,
    author: json.value,
    tags: json.value,
    anything: json.value,
    seo: json.value,
    slides: json.value,
    blocks: json.value,
    tree: json.value,
    extra: json.value,
    pin: json.value,
    vault: json.value,
    internalNote: json.value,
    contact: json.value,
    released: json.value,
    big: json.value,
  },
  { requiredKeys: ['title'] },
)

function check(app: { statusCode: number; payload: string }, asked: string): void {
  const { statusCode, payload } = app
  assert.ok(
    (statusCode >= 200 && statusCode < 300) || (statusCode >= 400 && statusCode < 500),
    `${statusCode} for ${asked}`,
  )
  JSON.parse(payload)
  // Data of the run itself may hold any word; hidden values never do.
  if (statusCode < 300) assert.doesNotMatch(payload, hidden, asked)
  else for (const word of inside.slice(2)) assert.doesNotMatch(payload, word, asked)
}

for (const dialect of ['spec', 'strapi4'] as const)
  describe(`whatever is asked of the ${dialect} dialect, the response is JSON and no error of the server`, () => {
    let app: World
    beforeAll(async () => {
      app = await world({ config: { api: { rest: { dialect } } } })
    })
    afterAll(() => app.close())

    it('queries', async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...paths), query, async (path, text) =>
          check(await app.ask(`${path}?${text}`), `${path}?${text}`),
        ),
        { seed, numRuns: numRuns * 2 },
      )
    }, 600_000)

    it('bodies', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(
            'POST /api/articles',
            'PUT /api/articles/1',
            'PUT /api/articles/2?populate=*',
            'PUT /api/homepage',
            'POST /api/tags',
          ),
          fc.oneof({ weight: 6, arbitrary: data.map(data => ({ data })) }, { weight: 1, arbitrary: json.value }),
          async (route, body) => {
            const [method, path] = route.split(' ') as ['POST' | 'PUT', string]
            const text = JSON.stringify(body) ?? ''
            // Passwords take a fraction of a second each, and thousands of them say nothing new.
            const quick = text.replace(/"pin":"[^"]*"/g, '"pin":{}')
            check(await app.send(method, path, quick), `${route} ${quick}`)
          },
        ),
        { seed, numRuns },
      )
      assert.equal((await app.ask('/api/articles?populate=*')).statusCode, 200)
    }, 600_000)

    it('bodies that are no JSON', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.string({ maxLength: 200 }),
          fc.constantFrom(
            'application/json',
            'application/x-www-form-urlencoded',
            'text/plain',
            'multipart/form-data; boundary=a',
          ),
          async (text, type) => {
            check(await app.send('PUT', '/api/articles/3', text, { headers: { 'content-type': type } }), text)
          },
        ),
        { seed, numRuns: numRuns / 2 },
      )
    }, 600_000)
  })
