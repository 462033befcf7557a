import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { clockAt, instantOf, zoneOf } from '../../core/engines/server/zone.js'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { type Pristine, pristineOn } from './databases.js'
import { type OpenProject, openProject } from './project.js'

/** Strapi 4 keeps dates as the clock of its process shows them, except on SQLite, where they are numbers. */
onEveryEngine('dates of a project that runs in another zone', engine => {
  const former = process.env.TZ
  let pristine: Pristine
  let project: OpenProject
  beforeAll(async () => {
    process.env.TZ = 'Asia/Tokyo'
    pristine = await pristineOn(engine)
    project = await openProject(pristine.project, pristine.variables)
  }, 120_000)
  afterAll(async () => {
    if (former === undefined) delete process.env.TZ
    else process.env.TZ = former
    await project?.close()
    await pristine?.drop()
  })
  const stored = async () => {
    const text = { sqlite: 'starts_at', mysql: "date_format(starts_at, '%Y-%m-%d %T')", postgres: 'starts_at::text' }
    const [row] = await run(pristine.database, `select ${text[engine.name]} as at from articles where id = 1`)
    return row?.at
  }

  it('are written by that clock, and answered as the instants that they are', async () => {
    const at = '2024-07-01T10:00:00.000Z'
    const reply = await project.send({
      method: 'PUT',
      url: '/api/articles/1?fields=starts_at',
      payload: { data: { starts_at: at } },
    })
    assert.equal(JSON.parse(reply.payload).data.attributes.starts_at, at)
    assert.equal(await stored(), engine.name === 'sqlite' ? Date.parse(at) : '2024-07-01 19:00:00')
    const found = await project.get(`/api/articles?filters[starts_at]=${at}&fields=id`)
    assert.deepEqual(JSON.parse(found.payload).data, [{ id: 1, attributes: {} }])
  })
})

describe('the zone of a database', () => {
  const cases = [
    { zone: 'Z', at: '2024-07-01T10:00:00.000Z', shows: '2024-07-01T10:00:00.000' },
    { zone: '+09:00', at: '2024-07-01T20:00:00.500Z', shows: '2024-07-02T05:00:00.500' },
    { zone: '-03:30', at: '2024-01-01T01:00:00.000Z', shows: '2023-12-31T21:30:00.000' },
  ]
  for (const { zone, at, shows } of cases)
    it(`${zone} shows ${shows} at ${at}, and is read so`, () => {
      assert.equal(clockAt(Date.parse(at), zoneOf(zone)), shows)
      assert.equal(instantOf(shows.replace('T', ' '), zoneOf(zone)), at)
    })

  it('follows the changes of its clock where it is that of this process', () => {
    const former = process.env.TZ
    process.env.TZ = 'Europe/Berlin'
    try {
      const instants = [
        '2024-01-15T12:00:00.000Z',
        '2024-07-15T12:00:00.000Z',
        '2024-03-31T01:30:00.000Z',
        '2024-10-27T01:30:00.000Z',
      ]
      for (const at of instants) assert.equal(instantOf(clockAt(Date.parse(at), zoneOf('local')), zoneOf('local')), at)
    } finally {
      if (former === undefined) delete process.env.TZ
      else process.env.TZ = former
    }
  })
})
