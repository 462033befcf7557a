import { strict as assert } from 'node:assert'
import { it, onTestFinished } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { onEveryEngine } from '../../support/engines.js'
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
      'filters[place]: cannot be compared as a whole; $null and $notNull are possible',
    )
  })
})
