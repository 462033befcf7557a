import { strict as assert } from 'node:assert'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin } from '../../../core/index.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { places } from './places.js'

const cafe = { attributes: { name: { type: 'string' }, place: { type: 'place', north: true } } }

onEveryEngine('places, an attribute type', engine => {
  async function cafes() {
    const fresh = await engine.fresh()
    const config = { database: fresh.database as never }
    const app = await createTestApp({ types: { cafe }, plugins: [places], config })
    onTestFinished(async () => {
      await app.close()
      await fresh.drop()
    })
    const create = (name: string, place: unknown) =>
      app.inject({ method: 'POST', url: '/api/cafes', payload: { data: { name, place } } })
    return { app, create }
  }

  it('stores a value, and shows it as it was sent', async () => {
    const { app, create } = await cafes()
    const place = { lat: 52.52, lng: 13.4 }
    assert.deepEqual((await create('Anna', place)).json().data.attributes.place, place)
    assert.deepEqual((await app.inject('/api/cafes/1')).json().data.attributes.place, place)
  })

  it('refuses what is no place, and what the option of the attribute forbids', async () => {
    const { create } = await cafes()
    const refused = async (place: unknown) => {
      const response = await create('Anna', place)
      return [response.statusCode, response.json().error.message]
    }
    assert.deepEqual(await refused('Berlin'), [
      400,
      'place must have a lat of at most 90 and a lng of at most 180 degrees',
    ])
    assert.deepEqual(await refused({ lat: -1, lng: 0 }), [400, 'place must be north of the equator'])
  })

  it('is found by whether it is set, and refuses to be compared', async () => {
    const { app, create } = await cafes()
    await create('Anna', { lat: 52.52, lng: 13.4 })
    await create('Ben', null)
    const names = async (query: string) => {
      const { data, error } = (await app.inject(`/api/cafes?${query}`)).json()
      return error?.message ?? data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)
    }
    assert.deepEqual(await names('filters[place][$null]=true'), ['Ben'])
    assert.equal(
      await names('filters[place]=52.52'),
      'filters[place]: cannot be compared as a whole; $near, $null and $notNull are possible',
    )
  })

  describe('$near', () => {
    const berlin = { lat: 52.52, lng: 13.405 }
    async function cities() {
      const { app, create } = await cafes()
      for (const [name, place] of [
        ['Sydney', { lat: 33.87, lng: -151.2 }],
        ['Berlin', berlin],
        ['Potsdam', { lat: 52.39, lng: 13.06 }],
        ['Nowhere', null],
        ['Hamburg', { lat: 53.55, lng: 9.99 }],
        ['Date line', { lat: 0, lng: 179.9 }],
      ] as const)
        assert.equal((await create(name, place)).statusCode, 200)
      return async (query: string) => {
        const { data, error } = (await app.inject(`/api/cafes?${query}`)).json()
        return error?.message ?? data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)
      }
    }

    it('finds what lies within a distance', async () => {
      const names = await cities()
      assert.deepEqual(await names('filters[place][$near]=52.52,13.405,30'), ['Berlin', 'Potsdam'])
      assert.deepEqual(await names('filters[place][$near]=52.52,13.405,26'), ['Berlin'])
      assert.deepEqual(await names('filters[place][$near]=52.52,13.405,0.001'), ['Berlin'])
      assert.deepEqual(await names('filters[place][$near]=0,-179.9,30'), ['Date line'])
      assert.equal((await names('filters[place][$near]=0,0,30000')).length, 5)
    })
    it('denied, finds what lies beyond it: what has no place is neither', async () => {
      const names = await cities()
      assert.deepEqual(await names('filters[place][$not][$near]=52.52,13.405,30'), ['Sydney', 'Hamburg', 'Date line'])
      assert.deepEqual(await names('filters[$or][0][place][$near]=52.52,13.405,26&filters[$or][1][name]=Nowhere'), [
        ...['Berlin', 'Nowhere'],
      ])
    })
    it('sorts by distance, what has no place behind all others, whichever way', async () => {
      const names = await cities()
      const nearest = ['Berlin', 'Potsdam', 'Hamburg', 'Sydney', 'Date line', 'Nowhere']
      assert.deepEqual(await names('sort[place][$near]=52.52,13.405'), nearest)
      assert.deepEqual(await names('sort[0][place][$near]=52.52,13.405:asc&sort[1]=name'), nearest)
      assert.deepEqual(await names('sort[place][$near]=52.52,13.405:desc'), [
        ...nearest.slice(0, -1).reverse(),
        'Nowhere',
      ])
    })
    it('sorts pages, also those far behind the first', async () => {
      const names = await cities()
      const page = 'filters[place][$notNull]=true&sort[place][$near]=52.52,13.405&pagination[start]='
      assert.deepEqual(await names(`${page}1&pagination[limit]=2`), ['Potsdam', 'Hamburg'])
      assert.deepEqual(await names(`${page}4&pagination[limit]=2&pagination[withCount]=false`), ['Date line'])
      assert.deepEqual(await names(`${page}600&pagination[limit]=2`), [])
    })
    it('is asked with other values each time, and none of them is mixed up', async () => {
      const names = await cities()
      for (let times = 0; times < 60; times += 1) await names(`filters[place][$near]=52.52,13.405,${times / 100}`)
      assert.deepEqual(await names('filters[place][$near]=53.55,9.99,1'), ['Hamburg'])
      assert.deepEqual(await names('filters[place][$near]=52.52,13.405,1'), ['Berlin'])
    })
    it('sees what has moved, also where a response was cached', async () => {
      const { app, create } = await cafes()
      await create('Anna', berlin)
      await create('Ben', { lat: 10, lng: 10 })
      const queries = ['filters[place][$near]=52.52,13.405,1', 'sort[place][$near]=52.52,13.405']
      const names = async () => {
        const lists = await Promise.all(queries.map(query => app.inject(`/api/cafes?${query}&fields=name`)))
        return lists.map(list =>
          list
            .json()
            .data.map(({ id }: { id: number }) => id)
            .join(),
        )
      }
      for (let times = 0; times < 3; times += 1) assert.deepEqual(await names(), ['1', '1,2'])
      for (const [id, place] of [
        [1, { lat: 0, lng: 0 }],
        [2, berlin],
      ] as const)
        await app.inject({ method: 'PUT', url: `/api/cafes/${id}`, payload: { data: { place } } })
      for (let times = 0; times < 3; times += 1) assert.deepEqual(await names(), ['2', '2,1'])
    })
    it('takes a value that other programs have stored for none, unless it has the numbers', async () => {
      const { app, create } = await cafes()
      const stored = [
        '{"lat":"x","lng":1}',
        '[]',
        '"52"',
        '{"lat":null}',
        '{"lat":52.52}',
        '{"lat":52.52,"lng":13,"more":1}',
      ]
      for (const _ of stored) await create('Anna', berlin)
      await app.store.transaction(async session => {
        for (const [index, text] of stored.entries())
          await session.run('update cafes set place = ? where id = ?', [text, index + 1])
      })
      const { data } = (await app.inject('/api/cafes?filters[place][$near]=52.52,13,10')).json()
      assert.deepEqual(
        data.map(({ id }: { id: number }) => id),
        [6],
      )
    })
    it('refuses what it cannot use, with the parameter', async () => {
      const names = await cities()
      for (const [query, message] of [
        ['filters[place][$near]=Berlin', 'filters[place][$near]: takes a latitude and a longitude, such as 52.52,13.4'],
        ['filters[place][$near]=1,2', 'filters[place][$near]: takes kilometres behind the place, such as 52.52,13.4,5'],
        ['filters[place][$near][0]=1,2,3', 'filters[place][$near]: takes one plain value here'],
        ['filters[name][$near]=1,2,3', /^filters\[name\]\[\$near\]: "\$near" is not an operator; there are \$eq/],
        ['filters[place][$far]=1', /"\$far" is not an operator; there are .*, \$near, \$and/],
        ['sort[place][$near]=x', 'sort[place][$near]: takes a latitude and a longitude, such as 52.52,13.4'],
        [
          'sort[place][$far]=1,2',
          'sort[place][$far]: "$far" is nothing that "place" can be sorted by; there are $near',
        ],
        ['sort[name][$near]=1,2', 'sort[name][$near]: "$near" is nothing that "name" can be sorted by'],
        ['sort=place.$near:1', 'sort: is written as sort[place][$near]=<value>'],
        [
          'sort[place][$near]=1,2&pagination[after]=',
          'pagination[after]: a list that is sorted by a measure has no cursors; use pagination[page]',
        ],
      ] as const)
        if (typeof message === 'string') assert.equal(await names(query), message)
        else assert.match(await names(query), message)
    })
  })

  it('is measured behind relations, within what the caller may read of them', async () => {
    const fresh = await engine.fresh()
    const owner = { attributes: { cafe: { type: 'relation', relation: 'oneToOne', target: 'api::cafe.cafe' } } }
    const secret = { attributes: { ...cafe.attributes, place: { type: 'place', private: true } } }
    const mayNot = definePlugin({
      name: 'may-not',
      authenticate: ({ headers }) =>
        headers['x-name'] ? { scope: 'less', can: (_action, uid) => uid !== 'api::cafe.cafe' } : undefined,
    })
    const app = await createTestApp({
      types: { cafe, owner, secret },
      plugins: [places, mayNot],
      config: { database: fresh.database as never },
    })
    try {
      for (const lat of [10, 30, 20]) {
        const { id } = await app.entries('api::cafe.cafe').create({ place: { lat, lng: 0 } })
        await app.entries('api::owner.owner').create({ cafe: id })
      }
      const ids = async (query: string, headers = {}) => {
        const { data, error } = (await app.inject({ url: `/api/owners?${query}`, headers })).json()
        return error?.message ?? data.map(({ id }: { id: number }) => id)
      }
      assert.deepEqual(await ids('filters[cafe][place][$near]=20,0,200'), [3])
      assert.deepEqual(await ids('sort[cafe][place][$near]=31,0'), [2, 3, 1])
      assert.match(await ids('sort[cafe][place][$near]=31,0', { 'x-name': 'a' }), /no attribute "cafe"/)
      assert.match(await ids('filters[cafe][place][$near]=31,0,1', { 'x-name': 'a' }), /no attribute "cafe"/)
      for (const query of ['filters[place][$near]=1,1,1', 'sort[place][$near]=1,1'])
        assert.match((await app.inject(`/api/secrets?${query}`)).json().error.message, /no attribute "place"/)
    } finally {
      await app.close()
      await fresh.drop()
    }
  })
})
