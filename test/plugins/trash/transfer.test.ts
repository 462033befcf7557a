import assert from 'node:assert/strict'
import path from 'node:path'
import { it, vi } from 'vitest'
import { trash } from '../../../plugins/trash/index.js'
import { home, type Schemas } from '../../cli/schema-home.js'
import { refused } from '../../support/contract.js'
import { onEveryEngineAtLength } from '../../support/every-engine.js'

// A test runs several commands.
vi.setConfig({ testTimeout: 120_000 })

const attributes = { title: { type: 'string' }, code: { type: 'string', unique: true } }
const schemas = (options: object): Schemas => ({ types: { note: { attributes, options } }, plugins: [trash] })

onEveryEngineAtLength('archives and the trash', engine => {
  it('carry the trash along, and entries of an app without one are compared with others', async () => {
    const [plain, having] = [await home(engine), await home(engine)]
    const archive = path.join(plain.folder, 'content.tar')
    await plain.during(schemas({}), async api => {
      await api.make('/notes', { code: 'a' })
    })
    plain.files(schemas({}))
    const said = await plain.say('export', archive)
    assert.equal(said.code, 0, said.errors)
    having.files(schemas({ trash: true }))
    const imported = await having.say('import', archive)
    assert.equal(imported.code, 0, imported.errors)
    await having.during(schemas({ trash: true }), async api => {
      refused(await api.post('/notes', { code: 'a' }), { status: 400 })
      await api.delete('/notes/1')
      await api.make('/notes', { code: 'a' })
    })
    const own = path.join(plain.folder, 'own.tar')
    assert.equal((await having.say('export', own)).code, 0)
    const back = await having.say('import', own, '--replace', '--yes')
    assert.equal(back.code, 0, back.errors)
    await having.during(schemas({ trash: true }), async api => {
      assert.equal((await api.get('/notes')).body.meta.pagination.total, 1)
      assert.equal((await api.get('/notes?trash=only')).body.meta.pagination.total, 1)
      refused(await api.send('POST', '/notes/1/actions/restore'), { status: 400 })
    })
  })
})
