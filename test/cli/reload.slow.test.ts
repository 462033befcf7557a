import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { ask, folderOf, started } from '../support/terminal.js'

const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' }, isPublic: { type: 'boolean' } },
}
const json = (value: unknown) => JSON.stringify(value)
const rules = (isPublic: boolean) => json({ roles: { public: { note: { find: { isPublic }, create: true } } } })
const files = {
  'content-types/note.json': json(note),
  'config/log.json': json({ level: 'info' }),
  'config/permissions.json': json({ roles: { public: { note: ['create'] } } }),
  'config/plugins.json': json({ 'users-permissions': true }),
}
const env = { JWT_SECRET: 'a secret of the reload test, long enough' }

describe('SIGHUP', () => {
  it('reloads permissions and the level of the log, in all workers, and names what needs a restart', async () => {
    for (const workers of [1, 2]) {
      const folder = folderOf(files)
      const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
      const { server, url } = await started(folder, env, workers)
      const reloaded = async (words: RegExp, times = workers) => {
        server.child.kill('SIGHUP')
        await server.said(words, times)
      }
      const statuses = async () =>
        new Set(
          (await Promise.all(Array.from({ length: 8 }, () => ask(`${url}/api/notes`)))).map(({ status }) => status),
        )
      for (const isPublic of [true, false])
        assert.equal(
          (await ask(`${url}/api/notes`, { method: 'POST', data: { text: `${isPublic}`, isPublic } })).status,
          200,
        )
      assert.deepEqual([...(await statuses())], [403])

      write('config/permissions.json', rules(true))
      await reloaded(/"reloaded config\/permissions"/)
      const texts = async () => {
        const all = await Promise.all(Array.from({ length: 8 }, () => ask(`${url}/api/notes`)))
        return [
          ...new Set(
            all.flatMap(({ body }) => body.data.map((one: { attributes: { text: string } }) => one.attributes.text)),
          ),
        ]
      }
      assert.deepEqual(await texts(), ['true'])
      // The actions are the same, and only the rows differ.
      write('config/permissions.json', rules(false))
      server.output = ''
      await reloaded(/"reloaded config\/permissions"/)
      assert.deepEqual(await texts(), ['false'])

      write('config/server.json', json({ port: 1, cors: { enabled: false } }))
      write('content-types/other.json', json({ ...note, collectionName: 'others' }))
      await reloaded(
        /"nothing that can be reloaded has changed; these changes need a restart: config\/server: port, config\/server: cors.enabled, content-types\/other.json"/,
      )

      write('config/permissions.json', json({ roles: { public: { nothing: ['find'] } } }))
      write('config/log.json', json({ level: 'debug' }))
      await reloaded(/the settings stay as they were: config\/permissions: roles.public/)
      assert.deepEqual(await texts(), ['false'])
      assert.doesNotMatch(server.output, /"level":"debug"/)
      write('config/permissions.json', '{')
      await reloaded(/the settings stay as they were: config\/permissions.json cannot be loaded/, 1)

      write('config/permissions.json', rules(false))
      await reloaded(/reloaded the level of the log: debug; these changes need/)
      await ask(`${url}/api/nothing`)
      await server.said(/"level":"debug".*there is no route/)
      assert.equal(await server.stop(), 0)
    }
  })

  it('reads modules again, ES modules and those of CommonJS and TypeScript', async () => {
    for (const [name, text] of [
      ['config/log.mjs', (level: string) => `export default { level: '${level}' }`],
      ['config/log.cjs', (level: string) => `module.exports = ({ env }) => ({ level: env('NONE', '${level}') })`],
      ['config/log.ts', (level: string) => `export default { level: '${level}' as string }`],
    ] as const) {
      const folder = folderOf({ 'content-types/note.json': json(note), [name]: text('info') })
      const { server } = await started(folder)
      for (const level of ['warn', 'debug']) {
        writeFileSync(join(folder, name), text(level))
        server.child.kill('SIGHUP')
        await server.said(new RegExp(`reloaded the level of the log: ${level}`))
      }
      assert.equal(await server.stop(), 0)
    }
  })
})
