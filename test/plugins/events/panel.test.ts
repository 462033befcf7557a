import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Pristine, pristineOn } from '../../strapi4/databases.js'
import { credentials } from '../../strapi4/fixture.js'
import { openProject } from '../../strapi4/project.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { run } from '../../support/run.js'
import { Receiver } from './receiver.js'

onEveryEngine("webhooks of Strapi 4's panel", engine => {
  let receiver: Receiver
  let pristine: Pristine
  beforeAll(async () => {
    receiver = await Receiver.start()
    pristine = await pristineOn(engine)
    const folder = join(pristine.project.folder, 'config/env/production')
    mkdirSync(folder, { recursive: true })
    const settings = { events: { config: { privateAddresses: ['127.0.0.1'] } } }
    writeFileSync(join(folder, 'plugins.js'), `module.exports = ${JSON.stringify(settings)}\n`)
    const yes = engine.name === 'postgres' ? 'true' : '1'
    const no = engine.name === 'postgres' ? 'false' : '0'
    const hook = (name: string, events: readonly string[], enabled: string) =>
      run(
        pristine.database,
        `insert into strapi_webhooks (name, url, headers, events, enabled) values
          ('${name}', '${receiver.url}', '{"Authorization":"Bearer ${name}"}', '${JSON.stringify(events)}', ${enabled})`,
      )
    await hook('build', ['entry.create', 'entry.update', 'entry.publish'], yes)
    await hook('old', ['entry.create'], no)
  })
  afterAll(async () => {
    await pristine?.drop()
    await receiver?.stop()
  })

  it('are called as they stand, from the first write of this server on', async () => {
    const { app, send, close } = await openProject(pristine.project, pristine.variables)
    try {
      const authorization = `Bearer ${credentials.apiTokens.full ?? Object.values(credentials.apiTokens)[0]}`
      const write = async (method: 'POST' | 'PUT', url: string, data: unknown) => {
        const reply = await send({ method, url, headers: { authorization }, payload: { data } })
        assert.equal(reply.statusCode, 200, reply.payload)
        return reply.json().data.id as number
      }
      const id = await write('POST', '/api/tags', { name: 'new' })
      await write('PUT', `/api/tags/${id}`, { name: 'newer' })
      // An event waits for every transaction that began before it, those of other tests on the same server included.
      const got: ReturnType<typeof receiver.take> = []
      while (got.length < 2) {
        await app.jobs?.runNow('events/webhooks')
        got.push(...receiver.take())
      }
      assert.deepEqual(
        got.map(({ headers, body }) => `${headers['x-strapi-event']} ${body.event} ${body.model} ${body.entry.id}`),
        [`entry.create entry.create tag ${id}`, `entry.update entry.update tag ${id}`],
      )
      expect(got[0]?.headers).toMatchObject({ authorization: 'Bearer build' })
      assert.deepEqual(Object.keys(got[0]?.body), ['event', 'createdAt', 'model', 'uid', 'entry'])
      await run(pristine.database, `update strapi_webhooks set events = '["entry.delete"]' where name = 'build'`)
      await write('PUT', `/api/tags/${id}`, { name: 'newest' })
      await app.jobs?.runNow('events/webhooks')
      assert.deepEqual(receiver.take(), [])
    } finally {
      await close()
    }
  })
})
