import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { onEveryEngine } from '../support/every-engine.js'
import { assertDiscreet, type World, world } from './world.js'

/** Positions for a hidden name: `NAME` is replaced by it. */
const positions: readonly string[] = [
  'fields[0]=NAME',
  'fields=NAME',
  'fields[0]=title&fields[1]=NAME',
  'fields[0]=*&fields[1]=NAME',
  'sort=NAME',
  'sort=NAME:desc',
  'sort[0]=title&sort[1]=NAME',
  'sort[NAME]=asc',
  'sort=title,NAME',
  'sort[0][NAME]=desc',
  'filters[NAME]=a',
  'filters[NAME][$eq]=a',
  'filters[NAME][$startsWith]=T',
  'filters[NAME][$notNull]=true',
  'filters[NAME][$null]=false',
  'filters[NAME][$in][0]=a',
  'filters[NAME][$between][0]=a&filters[NAME][$between][1]=z',
  'filters[$and][0][NAME]=a',
  'filters[$or][0][title]=x&filters[$or][1][NAME][$contains]=a',
  'filters[$not][NAME]=a',
  'filters[$not][$and][0][NAME]=a',
  'filters[NAME][$not][$eq]=a',
  'filters[NAME][$or][0]=a',
  'populate=NAME',
  'populate[0]=NAME',
  'populate[NAME]=true',
  'populate[NAME][fields][0]=id',
  'populate[NAME][populate]=*',
  'populate=NAME.id',
  'populate=*&fields[0]=NAME',
]
/** The ways to a type, written as a query around a position. */
const ways: readonly (readonly [says: string, (position: string) => string])[] = [
  ['at the root', position => position],
  ['in a relation', position => inside('populate[author]', position)],
  ['three relations deep', position => inside('populate[tags][populate][articles][populate][author]', position)],
  ['in a component', position => inside('populate[seo]', position)],
  ['in a component of a component', position => inside('populate[seo][populate][social]', position)],
  ['in a list of components', position => inside('populate[slides]', position)],
  ['in a zone', position => inside('populate[blocks][on][shared.quote]', position)],
  ['in a component of a zone', position => inside('populate[blocks][on][shared.seo]', position)],
]
const inside = (place: string, position: string): string =>
  position
    .split('&')
    .map(part => `${place}${part.replace(/^\w+/, '[$&]')}`)
    .join('&')
    .replaceAll('title', 'id')

/** Filters and sorts that reach a hidden name through relations and components. */
const reaches = [
  'filters[author][NAME]=a',
  'filters[author][NAME][$startsWith]=T',
  'filters[tags][articles][author][NAME][$notNull]=true',
  'filters[seo][NAME]=a',
  'filters[seo][social][NAME][$contains]=a',
  'filters[slides][NAME]=a',
  'filters[slides][tag][NAME]=a',
  'filters[tree][child][NAME]=a',
  'filters[author][$and][0][NAME]=a',
  'filters[author][$not][NAME]=a',
  'filters[$not][author][NAME]=a',
  'sort=author.NAME',
  'sort=tags.articles.author.NAME'.replace('.author', ''),
  'sort=seo.NAME',
  'sort=seo.social.NAME',
  'sort=slides.NAME:desc',
  'sort[author][NAME]=asc',
  'sort[0][seo][NAME]=asc',
  'populate[author][filters][articles][NAME]=a',
  'populate[author][sort]=articles.NAME',
  'populate=author.NAME',
  'populate=seo.NAME',
  'populate[blocks][populate]=NAME',
  'populate[blocks][populate][0]=NAME',
  'populate[blocks][populate][NAME]=true',
]

const hiddenNames = ['internalNote', 'pin', 'secretTags', 'createdBy', 'updatedBy', 'vault']
/** A name that no type has, as far from the names it has as the hidden one: hints are made of what is visible. */
const unknownLike = (name: string): string => (/edBy$/.test(name) ? name.replace('By', 'Qz') : 'neverheardof')

/** The same answer, byte for byte, once the name is taken out; a request id is never the same. */
const without = (text: string, name: string): string => text.replaceAll(name, 'NAME').replace(/"requestId":"[^"]+"/, '')

for (const dialect of ['spec', 'strapi4'] as const) {
  describe(`a hidden name answers like one that does not exist (${dialect})`, () => {
    let app: World
    beforeAll(async () => {
      app = await world({ config: { api: { rest: { dialect } } } })
    })
    afterAll(() => app.close())

    const controls = new Map<string, ReturnType<World['ask']>>()
    /** The response to an unknown name, requested once for all hidden ones that are like it. */
    const controlled = (path: string) => {
      const known = controls.get(path) ?? app.ask(path)
      controls.set(path, known)
      return known
    }
    const same = async (query: string, name: string): Promise<void> => {
      const asked = await app.ask(`/api/articles?${query.replaceAll('NAME', name)}`)
      const control = await controlled(`/api/articles?${query.replaceAll('NAME', unknownLike(name))}`)
      assertDiscreet(asked)
      assert.ok(asked.statusCode < 500)
      assert.equal(asked.statusCode, control.statusCode, query)
      assert.equal(without(asked.payload, name), without(control.payload, unknownLike(name)), query)
    }

    for (const name of hiddenNames.filter(name => name !== 'vault')) {
      for (const [says, around] of ways)
        it(`${name} ${says}`, async () => {
          // Authors show who made them, so there the name is no secret.
          if (/edBy/.test(name) && /relation/.test(says)) return
          for (const position of positions) await same(around(position), name)
        })
      it(`${name} through relations and components`, async () => {
        for (const query of reaches) {
          if (/edBy/.test(name) && /author|articles/.test(query)) continue
          await same(query, name)
        }
      })
    }

    it('a relation to a type that the caller may not find is asked through like an unknown name, and left out of responses', async () => {
      for (const query of [
        'filters[NAME][code]=a',
        'filters[NAME]=1',
        'filters[NAME][id][$gt]=0',
        'filters[NAME][$null]=true',
        'sort=NAME.code',
        'sort[NAME][code]=asc',
        'filters[author][articles][NAME][code][$startsWith]=T',
        'filters[$or][0][NAME][code]=T',
        'fields[0]=NAME',
      ])
        await same(query, 'vault')
      for (const query of [
        'populate=vault',
        'populate=*',
        'populate[vault]=true',
        'populate[vault][populate]=*',
        'populate[author][populate][articles][populate]=vault',
      ]) {
        const response = await app.ask(`/api/articles?${query}`)
        assert.equal(response.statusCode, 200, response.payload)
        assertDiscreet(response)
        assert.doesNotMatch(response.payload, /"vault"/)
      }
      for (const path of ['/api/vaults', '/api/vaults/1', '/api/vaults?filters[id]=1'])
        assert.equal((await app.ask(path)).statusCode, 403)
    })

    it('no response holds a hidden value, however much is populated', async () => {
      for (const path of [
        '/api/articles?populate=*',
        '/api/articles/1?populate=*',
        '/api/articles?populate[author]=*&populate[seo][populate]=*&populate[slides][populate]=*&populate[tags][populate]=articles&populate[blocks][populate]=*&populate[tree][populate]=*',
        '/api/articles?fields=*',
        '/api/authors?populate=*',
        '/api/authors?populate[articles][populate]=*',
        '/api/tags?populate[articles][populate]=*',
        '/api/homepage?populate=*',
        '/api/authors?populate[createdBy]=true',
        '/api/articles?_q=TOPSECRET',
        '/api/authors?_q=TOPSECRET',
        '/api/articles?_q=$2b',
      ] as const) {
        const response = await app.ask(path)
        assert.equal(response.statusCode, 200, response.payload)
        assertDiscreet(response)
        if (path.includes('_q=')) assert.deepEqual(response.json().data, [], path)
      }
    })

    it('what a write answers, and what it refuses, holds no hidden value', async () => {
      for (const [method, path, data] of [
        [
          'POST',
          '/api/articles?populate=*',
          {
            title: 'new',
            internalNote: 'TOPSECRET',
            pin: 'TOPSECRET',
            seo: { pin: 'TOPSECRET', internalNote: 'TOPSECRET' },
          },
        ],
        ['PUT', '/api/articles/1?populate=*', { internalNote: 'TOPSECRET new', pin: 'TOPSECRET' }],
        ['PUT', '/api/articles/2?populate=*', { internalNote: 'TOPSECRET', views: 'abc' }],
        ['PUT', '/api/homepage', { internalNote: 'TOPSECRET' }],
        ['DELETE', '/api/articles/5?populate=*', undefined],
      ] as const)
        assertDiscreet(await app.send(method, path, data && { data }))
    })

    it('a relation to a type that the caller may not find is not written', async () => {
      const [{ vault } = {}] = await app.entries('api::article.article').find({ where: { id: 1 }, populate: 'vault' })
      assert.ok(vault)
      for (const value of [1, null, [], { set: [] }, { disconnect: [1] }, { connect: [1] }, '1', [99_999]]) {
        const response = await app.send('PUT', '/api/articles/1', { data: { vault: value } })
        assert.equal(response.statusCode, dialect === 'spec' ? 400 : 200, response.payload)
        if (dialect === 'spec') assert.match(response.json().error.message, /^vault is not an attribute of /)
        const [entry] = await app.entries('api::article.article').find({ where: { id: 1 }, populate: 'vault' })
        assert.deepEqual(entry?.vault, vault)
      }
    })
  })
}

onEveryEngine('hidden columns are never selected', engine => {
  it('in any response, whatever is asked', async () => {
    const database = await engine.fresh()
    const app = await world({
      config: { database: database.database as never, api: { responses: { privateAttributes: ['body'] } } },
    })
    for (const path of [
      '/api/articles?populate=*',
      '/api/articles/1?populate=*',
      '/api/authors?populate[articles][populate]=*',
      '/api/articles?populate[blocks][populate]=*',
    ] as const) {
      const response = await app.ask(path)
      assert.equal(response.statusCode, 200)
      assertDiscreet(response)
      assert.doesNotMatch(response.payload, /internalNote|"pin"|"body"|a text/)
    }
    for (const query of ['filters[body]=a', 'sort=body', 'fields[0]=body', 'filters[body][$contains]=text'])
      assert.equal((await app.ask(`/api/articles?${query}`)).statusCode, 400)
    assert.deepEqual((await app.ask('/api/articles?_q=a text')).json().data, [])
    await app.close()
    await database.drop()
  })
})
