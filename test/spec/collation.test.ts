import assert from 'node:assert/strict'
import { it } from 'vitest'
import { i18n } from '../../plugins/i18n/index.js'
import { type Body, contract, each } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'
import { start } from '../support/server.js'

const types = {
  place: {
    options: { collation: 'sv' },
    attributes: {
      name: { type: 'string' },
      german: { type: 'string', collation: 'de' },
      kind: { type: 'enumeration', enum: ['b', 'a'] },
      state: { type: 'relation', relation: 'manyToOne', target: 'api::state.state', inversedBy: 'places' },
    },
  },
  state: {
    attributes: {
      title: { type: 'text', collation: 'de' },
      places: { type: 'relation', relation: 'oneToMany', target: 'api::place.place', mappedBy: 'state' },
    },
  },
  meal: {
    pluginOptions: { i18n: { localized: true } },
    attributes: { title: { type: 'string', collation: 'query', pluginOptions: { i18n: { localized: true } } } },
  },
}

const names = ['Zebra', 'Älpler', 'Apfel', 'apfel', 'Äpfel', 'Öl', 'Straße', 'Strasse', 'Strand', "O'Hara", 'Ål']
const german = ['Ål', 'Älpler', 'apfel', 'Apfel', 'Äpfel', "O'Hara", 'Öl', 'Strand', 'Strasse', 'Straße', 'Zebra']
const swedish = ['apfel', 'Apfel', "O'Hara", 'Strand', 'Strasse', 'Straße', 'Zebra', 'Ål', 'Älpler', 'Äpfel', 'Öl']

contract(
  'a sort by language',
  {
    types,
    plugins: [[i18n, { defaultLocale: 'de', locales: ['sv', 'tlh'] }]],
    rows: async ({ entries }) => {
      const state = entries('api::state.state')
      for (const title of names) await state.create({ title })
      const place = entries('api::place.place')
      for (const [index, name] of names.entries())
        await place.create({ name, german: name, state: index + 1, kind: index % 2 ? 'a' : 'b' })
      await place.create({})
      for (const locale of ['de', 'sv', 'tlh'])
        for (const title of names) await entries('api::meal.meal').create({ title, locale })
    },
  },
  api => {
    const listed = async (path: string, field: string) => {
      const { status, body } = await api.get(path)
      assert.equal(status, 200, JSON.stringify(body))
      return each(field)(body).filter(value => value !== null)
    }

    it('is that of the attribute, or of its type', async () => {
      assert.deepEqual(await listed('/places?sort=german', 'german'), german)
      assert.deepEqual(await listed('/places?sort=german:desc', 'german'), [...german].reverse())
      assert.deepEqual(await listed('/places?sort=name', 'name'), swedish)
    })

    it('puts missing values where others put them', async () => {
      const { body } = await api.get('/places?sort=name&fields=name')
      assert.equal(each('name')(body)[0], null)
    })

    it('leaves words of a list as they are', async () => {
      assert.deepEqual((await listed('/places?sort=kind', 'kind')).slice(0, 2), ['a', 'a'])
    })

    it('holds through relations, to one and to many, and within populate', async () => {
      assert.deepEqual(await listed('/places?sort=state.title', 'german'), german)
      const { body } = await api.get('/states?sort=places.name:desc&fields=title')
      assert.deepEqual(each('title')(body), [...swedish].reverse())
      await api.put('/states/1', { places: names.map((_, index) => index + 1) })
      const one = await api.get('/states/1?populate[places][sort]=german&populate[places][fields]=german')
      assert.deepEqual(each('german')(one.body.data.attributes.places), german)
      for (const [index] of names.entries()) await api.put(`/places/${index + 1}`, { state: index + 1 })
    })

    it('holds for cursors in both directions', async () => {
      for (const [sort, order] of [
        ['german', german],
        ['german:desc', [...german].reverse()],
        ['state.title', german],
      ] as const) {
        const seen: unknown[] = []
        let after = ''
        let previous: unknown[] | undefined
        for (let page = 0; page < 10; page += 1) {
          const query = `filters[german][$notNull]=true&sort=${sort}&pagination[limit]=4`
          const { body } = await api.get(`/places?${query}&pagination[after]=${after}`)
          if (previous) {
            const back = await api.get(`/places?${query}&pagination[before]=${body.meta.pagination.previous}`)
            assert.deepEqual(each('german')(back.body), previous)
          }
          previous = each('german')(body)
          seen.push(...previous)
          after = body.meta.pagination.next
          if (!after) break
        }
        assert.deepEqual(seen, order, sort)
      }
    })

    it('holds for groups, whose values stay as they are', async () => {
      const { body } = await api.get('/places/aggregate?groupBy=german&measures[count]=*')
      assert.deepEqual(
        body.data.flatMap(({ group: { german } }: Body) => (german === null ? [] : [german])),
        german,
      )
    })

    it('is that of the locale that is asked for, if the attribute says "query"', async () => {
      assert.deepEqual(await listed('/meals?sort=title', 'title'), german)
      assert.deepEqual(await listed('/meals?sort=title&locale=sv', 'title'), swedish)
      assert.equal((await listed('/meals?sort=title&locale=tlh', 'title')).length, names.length)
      assert.equal((await listed('/meals?sort=title&locale=all', 'title')).length, 3 * names.length > 25 ? 25 : 0)
    })

    it('changes no filter', async () => {
      const { body } = await api.get('/places?filters[german][$eq]=Apfel')
      assert.deepEqual(each('german')(body), ['Apfel'])
    })
  },
)

onEveryEngine('a language that a database cannot sort by', engine => {
  it('ends the start with a sentence', async () => {
    for (const collation of ['tlh', 'german', "de'x"])
      await assert.rejects(
        start(engine, { types: { place: { attributes: { name: { type: 'string', collation } } } } }),
        new RegExp(`attribute "name": collation "${collation}" is no language that the database can sort by`),
      )
  })
})
