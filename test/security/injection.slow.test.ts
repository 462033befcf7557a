import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, it } from 'vitest'
import { onEveryEngine } from '../support/every-engine.js'
import { assertDiscreet, assertUnharmed, type World, wellFormed, world } from './world.js'

const texts = [
  "' or '1'='1",
  "' or 1=1 --",
  '" or ""="',
  '`',
  '\\',
  "\\'",
  "';drop table articles;--",
  '1;delete from articles',
  "') or ('1'='1",
  "' union select pin from authors --",
  "x' and sleep(5) and '1",
  "'||(select pin from authors limit 1)||'",
  '%',
  '_',
  '%\\',
  "\\%'",
  '[a-z]',
  '*',
  '?',
  '??',
  ':a',
  '$1',
  '$1::text',
  '@@version',
  '0x27',
  '\u02bc or 1=1',
  '/*',
  '*/',
  '--',
  '#',
  ';',
  '{{7*7}}',
  '$' + '{7*7}',
  '<script>',
  '../../etc/passwd',
  '\r\nX-Injected: 1',
  '\u2028',
  '😀',
  '\ud83d',
  'NULL',
  'null',
  'true',
  '[object Object]',
]

/** Every place where a text of a client ends in a statement as a value. */
const valuePlaces = [
  'filters[title]=',
  'filters[title][$eq]=',
  'filters[title][$eqi]=',
  'filters[title][$ne]=',
  'filters[title][$in][0]=',
  'filters[title][$notIn][0]=',
  'filters[title][$lt]=',
  'filters[title][$contains]=',
  'filters[title][$containsi]=',
  'filters[title][$notContains]=',
  'filters[title][$startsWith]=',
  'filters[title][$endsWithi]=',
  'filters[title][$between][0]=a&filters[title][$between][1]=',
  'filters[extra]=',
  'filters[extra][$contains]=',
  'filters[kind]=',
  'filters[slug]=',
  'filters[author][name]=',
  'filters[tags][articles][title][$contains]=',
  'filters[seo][metaTitle]=',
  'filters[slides][tag][name][$in][0]=',
  'filters[$or][0][title]=',
  'filters[$not][title]=',
  'populate[author][filters][name]=',
  'populate[tags][filters][articles][title]=',
  'populate[blocks][on][shared.quote][filters][text][$contains]=',
  '_q=',
  'filters[views]=',
  'filters[big]=',
  'filters[price][$gt]=',
  'filters[active]=',
  'filters[released]=',
  'filters[opens]=',
  'filters[happened]=',
  'filters[id]=',
  'filters[author]=',
  'filters[author][id][$in][0]=',
]
/** Every place where a text of a client could end in a statement as a word. */
const wordPlaces = [
  'sort=X',
  'sort=title:X',
  'sort[title]=X',
  'sort[0]=title:asc,X',
  'sort=author.X',
  'sort=author.name:X',
  'sort[X]=asc',
  'fields[0]=X',
  'fields=X',
  'populate=X',
  'populate[X]=true',
  'populate[author][fields][0]=X',
  'populate[author][sort]=X',
  'filters[X]=1',
  'filters[title][X]=1',
  'filters[author][X]=1',
  'filters[author][name][X]=1',
  'filters[$or][0][X]=1',
  'pagination[page]=X',
  'pagination[pageSize]=X',
  'pagination[start]=X',
  'pagination[limit]=X',
  'pagination[withCount]=X',
  'populate[blocks][on][X]=true',
  'populate[X][on][X][X]=X',
  'X=X',
  'X[X]=X',
]

onEveryEngine('SQL that arrives as text stays text', engine => {
  let app: World
  let drop: () => Promise<void>
  let before: Record<string, number>
  beforeAll(async () => {
    const database = await engine.fresh()
    drop = () => database.drop()
    app = await world({ config: { database: database.database as never } })
    before = await app.rows()
  })
  afterAll(async () => {
    await app.close()
    await drop()
  })

  it('as the value of any operator on any kind of field', async () => {
    for (const place of valuePlaces)
      for (const text of texts) {
        const query = place + encodeURIComponent(wellFormed(text))
        const response = await app.ask(`/api/articles?${query}`)
        assert.ok([200, 400].includes(response.statusCode), `${query}: ${response.payload.slice(0, 200)}`)
        assertDiscreet(response, text)
        // No text of the world has this value: a match would mean that the text was read as something else.
        if (response.statusCode === 200 && /^filters\[title\](=|\[\$(eq|in|contains|startsWith)\])/.test(place))
          assert.deepEqual(response.json().data, [], query)
      }
    await assertUnharmed(app, before)
  })

  it('as a name, a direction, a number or a parameter', async () => {
    // Names that are not those of the schema reach no database: SQLite shows it for all.
    const few = engine.name === 'sqlite' ? texts : texts.slice(0, 5)
    for (const place of wordPlaces)
      for (const text of few) {
        const query = place.replaceAll('X', encodeURIComponent(wellFormed(text)))
        const response = await app.ask(`/api/articles?${query}`)
        assert.ok([200, 400].includes(response.statusCode), `${query}: ${response.payload.slice(0, 200)}`)
        assertDiscreet(response, text)
      }
    await assertUnharmed(app, before)
  })

  it('as what is written: it comes back as it was sent', async () => {
    for (const text of texts.map(wellFormed)) {
      const data = {
        title: text,
        body: text,
        extra: { [text]: [text, { a: text }] },
        seo: { metaTitle: text, social: { network: text } },
        slides: [{ caption: text }],
        blocks: [{ __component: 'shared.quote', text }],
      }
      const made = await app.send(
        'POST',
        '/api/articles?populate[seo][populate]=*&populate[slides]=true&populate[blocks]=true',
        { data },
      )
      assert.equal(made.statusCode, 200, made.payload)
      const { id, attributes } = made.json().data
      assert.equal(attributes.title, text)
      assert.equal(attributes.body, text)
      assert.deepEqual(attributes.extra, data.extra)
      assert.equal(attributes.seo.social.network, text)
      assert.equal(attributes.slides[0].caption, text)
      assert.equal(attributes.blocks[0].text, text)
      const sought = encodeURIComponent(text)
      for (const operator of ['$eq', '$contains', '$startsWith', '$endsWith', '$containsi', '$eqi']) {
        const found = await app.ask(
          `/api/articles?fields[0]=id&filters[title][${operator}]=${sought}&filters[id]=${id}`,
        )
        assert.equal(found.json().data.length, 1, `${operator} ${text}`)
      }
      assert.equal((await app.send('DELETE', `/api/articles/${id}`)).statusCode, 200)
    }
    await assertUnharmed(app, before)
  })

  it('as a document that a database might not take: stored, or refused', async () => {
    for (const extra of [
      '{"a":"\\u0000"}',
      '{"\\u0000":1}',
      '"\\ud800"',
      '{"\\udfff":"\\ud800"}',
      '1e400',
      '-0',
      '123456789012345678901234567890',
      '""',
      'null',
      '[]',
      'true',
      '"\\u2028"',
    ]) {
      const response = await app.send('POST', '/api/articles', `{"data":{"title":"document","extra":${extra}}}`)
      assert.ok([200, 400].includes(response.statusCode), `${extra}: ${response.payload.slice(0, 200)}`)
      assertDiscreet(response)
      if (response.statusCode === 200) await app.send('DELETE', `/api/articles/${response.json().data.id}`)
    }
    await assertUnharmed(app, before)
  })

  it('as numbers and dates at the edge of what a column holds: stored, or refused', async () => {
    const edges: Record<string, unknown>[] = [
      { views: 2 ** 31 - 1 },
      { views: 2 ** 31 },
      { views: -(2 ** 31) },
      { views: -(2 ** 31) - 1 },
      { views: Number.MAX_SAFE_INTEGER },
      { big: '9223372036854775807' },
      { big: '-9223372036854775808' },
      { rating: 1e308 },
      { rating: -1e-308 },
      { rating: 5e-324 },
      { price: 99999999.99 },
      { price: 1e8 },
      { price: 1e300 },
      { price: 0.001 },
      { released: '0001-01-01' },
      { released: '9999-12-31' },
      { happened: '0001-01-01T00:00:00Z' },
      { happened: '9999-12-31T23:59:59.999Z' },
      { happened: '9999-12-31T23:59:59.999-14:00' },
      { happened: 0 },
      { happened: -1 },
      { happened: '1969-12-31T23:59:59.999Z' },
      { opens: '23:59:59.999' },
      { body: 'é😀'.repeat(20_000) },
      { title: '😀'.repeat(100) },
    ]
    for (const data of edges) {
      const response = await app.send('POST', '/api/articles', { data: { title: 'edge', ...data } })
      assert.ok(
        [200, 400].includes(response.statusCode),
        `${JSON.stringify(data).slice(0, 100)}: ${response.payload.slice(0, 200)}`,
      )
      if (response.statusCode !== 200) continue
      const { id } = response.json().data
      for (const [name, value] of Object.entries(data))
        for (const operator of ['$eq', '$gt', '$lt', '$ne', '$contains']) {
          const found = await app.ask(
            `/api/articles?filters[${name}][${operator}]=${encodeURIComponent(wellFormed(String(value).slice(0, 5000)))}`,
          )
          assert.ok(found.statusCode < 500, `${name} ${operator} ${value}: ${found.payload.slice(0, 200)}`)
        }
      await app.send('DELETE', `/api/articles/${id}`)
    }
    for (const value of [
      '9'.repeat(300),
      '-9'.repeat(1),
      '1e300',
      '-1e300',
      '1e-300',
      '9223372036854775807',
      '-9223372036854775808',
      '9007199254740993',
      '2147483648',
      '0.1',
      '-0',
    ])
      for (const name of ['views', 'big', 'rating', 'price', 'id', 'author', 'released', 'happened'])
        for (const operator of ['$eq', '$gt', '$lte', '$in', '$ne', '$contains']) {
          const found = await app.ask(`/api/articles?filters[${name}][${operator}]=${value}`)
          assert.ok(found.statusCode < 500, `${name} ${operator} ${value}: ${found.payload.slice(0, 200)}`)
        }
    await assertUnharmed(app, before)
  })

  it('a refused write leaves nothing of itself in any table', async () => {
    const parts = {
      seo: { metaTitle: 'x', social: { network: 'y' } },
      slides: [{ caption: 'a' }],
      blocks: [{ __component: 'shared.quote', text: 'x' }],
      tree: { child: { label: 'x' } },
    }
    for (const bad of [
      { author: 99_999 },
      { tags: [1, 99_999] },
      { slug: 'article-1' },
      { tags: { connect: [{ id: 2, position: { before: 77 } }] } },
      { slides: [{ caption: 'a', tag: 99_999 }] },
      { blocks: [{ __component: 'shared.slide', caption: 'a', tag: 99_999 }] },
      { anything: [{ id: 99_999, __type: 'api::tag.tag' }] },
      { anything: [{ id: 1, __type: 'api::nosuch.nosuch' }] },
    ]) {
      const made = await app.send('POST', '/api/articles', { data: { title: 'x', tags: [1], ...parts, ...bad } })
      assert.equal(made.statusCode, 400, JSON.stringify(bad))
      const changed = await app.send('PUT', '/api/articles/2', { data: { title: 'x', ...parts, ...bad } })
      assert.equal(changed.statusCode, 400, JSON.stringify(bad))
      await assertUnharmed(app, before)
    }
    assert.equal((await app.ask('/api/articles/2')).json().data.attributes.title, 'article 2')
  })
})
