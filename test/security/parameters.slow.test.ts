import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest'
import { assertDiscreet, assertRefused, assertUnharmed, type World, world } from './world.js'

let app: World
let before: Record<string, number>
beforeAll(async () => {
  app = await world()
})
beforeEach(async () => {
  before = await app.rows()
})
afterAll(() => app.close())

/** Every place of a query that takes parameters of its own, with a text and a link that its type has. */
const places: readonly (readonly [place: string, text: string, link: string])[] = [
  ['', 'title', 'author'],
  ['populate[author]', 'name', 'articles'],
  ['populate[tags][populate][articles]', 'title', 'author'],
  ['populate[author][populate][articles][populate][tags][populate][articles]', 'title', 'tags'],
  ['populate[seo]', 'metaTitle', 'social'],
  ['populate[slides]', 'caption', 'tag'],
  ['populate[slides][populate][tag]', 'name', 'articles'],
  ['populate[seo][populate][social]', 'network', ''],
  ['populate[tree][populate][child][populate][children]', 'label', 'child'],
  ['populate[blocks][on][shared.slide]', 'caption', 'tag'],
  ['populate[blocks][on][shared.seo][populate][social]', 'network', ''],
  ['populate[anything][on][api::tag.tag]', 'name', 'articles'],
]

/** `filters[a]` at a place: `populate[author][filters][a]`. */
const at = (place: string, parameter: string): string =>
  place === '' ? parameter : `${place}${parameter.replace(/^\w+/, '[$&]')}`

const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'nosuch',
  'TITLE',
  'created_at',
  'author_id',
  '1',
  '-1',
  '$eq',
  'a b',
  'é',
  '%00',
  "'",
  '"',
  '`',
  ';--',
  ')',
]

const refused = async (query: string): Promise<void> => {
  const response = await app.ask(`/api/articles?${query}`)
  assertRefused(response, 400, query)
}

it('every place takes good parameters, so what is refused there is the bad one', async () => {
  for (const [place, text, link] of places)
    for (const parameter of [
      `fields[0]=${text}`,
      `sort=${text}:desc`,
      `filters[${text}][$contains]=a`,
      ...(link ? [`populate[${link}]=true`, `filters[${link}][id]=1`] : []),
    ]) {
      const response = await app.ask(`/api/articles?${at(place, parameter)}`)
      assert.equal(response.statusCode, 200, `${at(place, parameter)}: ${response.payload.slice(0, 200)}`)
    }
})

describe('a name that a type does not have is refused', () => {
  for (const [place, text, link] of places)
    it(`at ${place || 'the root'}, in fields, sort, filters and populate`, async () => {
      for (const name of names) {
        const raw = name === '%00' ? name : encodeURIComponent(name)
        await refused(at(place, `fields[0]=${raw}`))
        await refused(`${at(place, `fields[1]=${text}`)}&${at(place, `fields[0]=${raw}`)}`)
        await refused(at(place, `sort=${raw}`))
        await refused(`${at(place, `sort[0]=${text}`)}&${at(place, `sort[1]=${raw}:desc`)}`)
        await refused(at(place, `sort[${raw}]=asc`))
        if (link !== '') await refused(at(place, `sort=${link}.${raw}`))
        await refused(at(place, `filters[${raw}]=1`))
        await refused(at(place, `filters[${raw}][$eq]=1`))
        await refused(at(place, `filters[$and][0][${raw}]=1`))
        await refused(at(place, `filters[$or][0][${raw}][$eq]=1`))
        await refused(at(place, `filters[$not][${raw}]=1`))
        if (name !== '1' && name !== '$eq') await refused(at(place, `filters[${text}][${raw}]=1`))
        if (link !== '' && name !== '1' && name !== '$eq') await refused(at(place, `filters[${link}][${raw}]=1`))
        await refused(at(place, `populate=${raw}`))
        await refused(at(place, `populate[0]=${raw}`))
        if (name !== '1') await refused(at(place, `populate[${raw}]=true`))
        if (link !== '') await refused(at(place, `populate=${link}.${raw}`))
      }
      await assertUnharmed(app, before)
    })

  it('as a parameter, at the root and inside a populate', async () => {
    for (const name of names) {
      const raw = name === '%00' ? name : encodeURIComponent(name)
      await refused(`${raw}=1`)
      await refused(`${raw}[a][b]=1`)
      await refused(`populate[author][${raw}]=1`)
      await refused(`populate[seo][${raw}][a]=1`)
      await refused(`populate[blocks][${raw}]=1`)
      await refused(`populate[blocks][on][${raw}]=true`)
      await refused(`populate[blocks][on][${raw}][fields][0]=text`)
      await refused(`populate[anything][on][${raw}]=true`)
      await refused(`pagination[${raw}]=1`)
    }
    await assertUnharmed(app, before)
  })
})

describe('a value of a wrong form is refused', () => {
  const wrong = (text: string, link: string): readonly string[] => [
    'fields[a]=1',
    'fields[0][a]=1',
    'fields[0][0]=title',
    'fields[0]=',
    'fields=',
    `fields=${text},`,
    `fields[0]=${text}.x`,
    `fields[${text}]=1`,
    ...(link
      ? [
          `fields[0]=${link}`,
          `sort=${link}`,
          `sort[${link}]=asc`,
          `filters[${link}][$contains]=x&filters[${link}][nosuch]=1`,
        ]
      : []),
    `sort=${text}:down`,
    `sort=${text}:`,
    `sort=-${text}`,
    `sort=${text} desc`,
    `sort[${text}]=`,
    `sort[${text}]=1`,
    `sort[${text}][a]=asc`,
    `sort[${text}][0]=asc`,
    `sort[${text}][0][a]=asc`,
    `sort[0][0]=x.y.z`,
    'filters=1',
    'filters=null',
    'filters[]=1',
    'filters[0]=1',
    'filters[$and]=1',
    'filters[$or]=1',
    'filters[$not]=1',
    'filters[$or][a]=1',
    'filters[$and][0]=1',
    'filters[$nor][0]=1',
    'filters[$where]=1',
    `filters[${text}][$nope]=1`,
    `filters[${text}][eq]=1`,
    `filters[${text}][$EQ]=1`,
    `filters[${text}][$regex]=.*`,
    `filters[${text}][$where]=1`,
    `filters[${text}][$expr]=1`,
    `filters[${text}][$eq][a]=1`,
    `filters[${text}][$eq][$eq]=1`,
    `filters[${text}][$in][a]=1`,
    `filters[${text}][$in][0][a]=1`,
    `filters[${text}][$contains][a]=1`,
    `filters[${text}][$between]=1`,
    `filters[${text}][$between][0]=1`,
    `filters[${text}][$between][0]=1&filters[${text}][$between][1]=2&filters[${text}][$between][2]=3`,
    `filters[${text}][$null]=maybe`,
    `filters[${text}][$null][a]=1`,
    `filters[${text}][$null][0]=true`,
    `filters[${text}][$notNull][a][b]=1`,
    `filters[${text}]=%00`,
    `filters[${text}][$contains]=a%00b`,
    `filters[${text}][$in][0]=%00`,
    `filters[${text}][$contains]=${'x'.repeat(10_001)}`,
    'filters[id][$nope]=1',
    'filters[id][a]=1',
    'populate[0][a]=1',
    'populate[0][0]=a',
    ...(link ? [`populate[${link}]=maybe`, `populate[${link}]=2`, `populate[${link}][0]=x`] : []),
    `populate=${text}`,
    `populate[${text}]=true`,
    `populate[${text}][populate]=*`,
    `populate=${text}.x`,
  ]
  for (const [place, text, link] of places)
    it(`at ${place || 'the root'}`, async () => {
      for (const parameter of wrong(text, link)) {
        const query = parameter
          .split('&')
          .map(part => at(place, part))
          .join('&')
        // A filter without an attribute means nothing and hides nothing.
        if (/fields=$|filters=null/.test(parameter))
          assert.ok((await app.ask(`/api/articles?${query}`)).statusCode < 500)
        else await refused(query)
      }
      await assertUnharmed(app, before)
    })

  const roots = [
    'pagination=1',
    'pagination[page]=abc',
    'pagination[page]=1.5',
    'pagination[page]=1e3',
    'pagination[page]=0x1',
    'pagination[page][a]=1',
    'pagination[page][0]=1',
    'pagination[page][0][a]=1',
    'pagination[pageSize]=ten',
    'pagination[pageSize][$gt]=1',
    'pagination[start]=a&pagination[limit]=1',
    'pagination[limit]=%00',
    'pagination[limit][a][b][c]=1',
    'pagination[limit]=9999999999999999999999',
    'pagination[withCount]=maybe',
    'pagination[withCount][a]=1',
    'pagination[withCount]=',
    'pagination[page]=1&pagination[start]=0',
    'pagination[nosuch]=1',
    'page=1',
    'pageSize=1',
    'start=1',
    'limit=1',
    '_q[a]=1',
    '_q[]=1',
    '_q=a&highlight=nosuch',
    '_q=a&highlight[a][b]=1',
    'highlight=*',
    `_q=${'x'.repeat(1001)}`,
    '_q=%00',
    'populate[author][pagination][page]=1',
    'populate[author][limit]=1',
    'populate[author][start]=1',
    'populate[author][count]=maybe',
    'populate[author][page]=1',
    'populate[author][_q]=a',
    'populate[author][highlight]=*',
    'populate[blocks][fields][0]=text',
    'populate[blocks][sort]=text',
    'populate[blocks][filters][text]=a',
    'populate[blocks][filters][0][a]=1',
    'populate[blocks][sort][0][a]=1',
    'populate[blocks][populate][0][a]=1',
    'populate[blocks][populate]=nosuch',
    'populate[blocks][on]=1',
    'populate[blocks][on][0]=1',
    'populate[blocks][on][shared.quote]=maybe',
    'populate[blocks][on][shared.branch]=true',
    'populate[blocks][on][api::tag.tag]=true',
    'populate[anything][on]=a',
    'populate[anything][on][shared.seo]=true',
    'populate[anything][on][admin::user]=true',
    'populate[anything][on][api::vault.vault]=true',
    'filters[blocks][text]=a',
    'filters[blocks]=1',
    'sort=blocks.text',
    'filters[anything]=1',
    'sort=anything.id',
    'filters[views]=abc',
    'filters[views][$gt]=',
    'filters[views]=1 or 1=1',
    'filters[big]=9223372036854775808',
    'filters[big]=1e3',
    'filters[active]=maybe',
    'filters[released]=yesterday',
    'filters[released]=0000-01-01',
    'filters[opens]=25:00',
    'filters[happened]=never',
    'filters[happened]=99999999999999999',
    'filters[rating]=NaN',
    'filters[rating]=Infinity',
    'filters[price]=1,5',
  ]
  for (const query of roots)
    it(`${query.slice(0, 60)}`, async () => {
      await refused(query)
      await assertUnharmed(app, before)
    })
})

describe('every endpoint reads its parameters alike', () => {
  const requests: readonly (readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string])[] = [
    ['GET', '/api/articles'],
    ['GET', '/api/articles/1'],
    ['POST', '/api/articles'],
    ['PUT', '/api/articles/1'],
    ['DELETE', '/api/articles/1'],
    ['GET', '/api/homepage'],
    ['PUT', '/api/homepage'],
    ['DELETE', '/api/homepage'],
  ]
  const queries = [
    'fields[0]=nosuch',
    'fields[0]=internalNote',
    'sort=nosuch',
    'filters[nosuch]=1',
    'filters[id][$nope]=1',
    'populate=nosuch',
    'nosuch=1',
    'populate[createdBy]=true',
    'fields[0]=%E0%A4%A',
  ]
  for (const [method, path] of requests)
    it(`${method} ${path}`, async () => {
      for (const query of queries) {
        const url = `${path}?${query}`
        const response =
          method === 'GET' ? await app.ask(url) : await app.send(method, url, { data: { title: 'x', headline: 'x' } })
        assertRefused(response, 400, query)
      }
      await assertUnharmed(app, before)
    })
})

describe('text that is no text is refused', () => {
  for (const raw of ['%', '%E0%A4%A', '%C0%AF', '%ED%A0%80', '%FF', '%F8%88%80%80%80', '%ZZ', '%u0041'])
    it(`${raw} in names and values`, async () => {
      for (const query of [
        `${raw}=1`,
        `filters[title]=${raw}`,
        `filters[${raw}]=1`,
        `filters[title][${raw}]=1`,
        `fields[0]=${raw}`,
        `sort=${raw}`,
        `populate=${raw}`,
        `populate[author][fields][0]=${raw}`,
        `_q=${raw}`,
        `pagination[page]=${raw}`,
      ])
        await refused(query)
      await assertUnharmed(app, before)
    })
})

describe('an id that no entry has is not found', () => {
  const ids = [
    '0',
    '-1',
    '99999',
    '2147483648',
    '999999999999999',
    '9'.repeat(400),
    '1.0',
    '1.5',
    '0x1',
    '1e0',
    '1e1',
    '+1',
    '%201',
    '1%20',
    '%2B1',
    'abc',
    '1abc',
    'null',
    'undefined',
    'NaN',
    'true',
    '%00',
    '1%00',
    '%F0%9F%98%80',
    '%EF%BC%91',
    '1;drop',
    "1'",
    '1"',
    '1 or 1=1',
    '1--',
    '1,2',
    '[1]',
    '{}',
    '$ne',
    '__proto__',
    'constructor',
    '*',
    '..%5c1',
  ]
  for (const id of ids)
    it(`${id.slice(0, 40)}`, async () => {
      const path = `/api/articles/${id}`
      assertRefused(await app.ask(path), 404, id)
      assertRefused(await app.ask(`${path}?populate=*`), 404, id)
      assertRefused(await app.send('PUT', path, { data: { title: 'x' } }), 404, id)
      assertRefused(await app.send('DELETE', path), 404, id)
      await assertUnharmed(app, before)
    })
})

it('ids in filters that no entry has match nothing, and those of a wrong form are no error of the server', async () => {
  for (const id of ['0', '-1', '1.5', '0x1', '1e0', 'abc', '9'.repeat(400), '%20', "1'", 'null', 'true'])
    for (const filter of [
      '[id]',
      '[id][$eq]',
      '[author]',
      '[author][id]',
      '[author][id][$in][0]',
      '[tags][$in][0]',
      '[slides][tag]',
    ]) {
      const response = await app.ask(`/api/articles?filters${filter}=${id}`)
      assert.ok(response.statusCode < 500, response.payload)
      if (response.statusCode === 200) assert.deepEqual(response.json().data, [], `${filter}=${id}`)
      assertDiscreet(response, id)
    }
  await assertUnharmed(app, before)
})

describe('the looser dialect is no less safe', () => {
  it('answers every one of these with 200 or 400', async () => {
    const loose = await world({ config: { api: { rest: { dialect: 'strapi4' } } } })
    const queries = places.flatMap(([place, text]) =>
      names.flatMap(name =>
        [
          `fields[0]=${name}`,
          `sort=${name}`,
          `filters[${name}]=1`,
          `filters[${text}][${name}]=1`,
          `populate=${name}`,
          `populate[${name}]=1`,
          `${name}=1`,
          `${name}[a]=1`,
          `limit=${name}`,
          `start[a]=1`,
          `count[a]=1`,
          `filters[${text}][$null][a]=1`,
          `filters[${text}]=%00`,
          `filters[${text}]=%E0%A4%A`,
          `sort[${text}][a]=1`,
          `populate[0][a]=1`,
        ].map(query => at(place, query)),
      ),
    )
    // Queries without a name in them are the same for each.
    for (const query of new Set(queries)) {
      const response = await loose.ask(`/api/articles?${query}`)
      assert.ok(
        [200, 400].includes(response.statusCode),
        `${query}: ${response.statusCode} ${response.payload.slice(0, 200)}`,
      )
      assertDiscreet(response, query)
    }
    await loose.close()
  })
})
