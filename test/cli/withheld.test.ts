import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, onTestFinished, vi } from 'vitest'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { copyProject, type OpenProject, openProject } from '../strapi4/project.js'
import { stele } from '../support/command.js'
import type { Server } from '../support/contract.js'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { home, type Schemas } from './schema-home.js'

// A test runs many commands.
vi.setConfig({ testTimeout: 120_000 })

const types = (drafts: boolean) => ({
  note: { options: { draftAndPublish: drafts }, attributes: { name: { type: 'string', required: true } } },
  list: { attributes: { notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note' } } },
})
const on: Schemas = { types: types(true), plugins: [draftAndPublish] }
const off: Schemas = { types: types(false), plugins: [draftAndPublish] }
const names = async ({ get }: Server, query = '') =>
  (await get(`/notes?sort=id${query}`)).body.data.map(
    ({ attributes }: { attributes: { name: string } }) => attributes.name,
  )
const refused =
  /^entries would become readable.*\n {2}1 draft of api::note\.note, which draft-and-publish has hidden\nNothing is lost: `stele apply` makes them readable after asking\./

onEveryEngineAtLength('drafts of a type that has none any more', engine => {
  async function withDraft() {
    const app = await home(engine)
    await app.during(on, async world => {
      await world.make('/notes', { name: 'published' })
      await world.make('/notes', { name: 'draft', publishedAt: null })
    })
    return app
  }

  it('are refused by a start, and told by plan and doctor with their number', async () => {
    const app = await withDraft()
    await assert.rejects(
      app.during(off, async () => undefined),
      { name: 'BootError', message: refused },
    )
    app.files(off)
    const plan = await app.say('plan')
    assert.equal(plan.code, 2, plan.errors)
    assert.match(plan.out, /make 1 draft of api::note\.note readable, which draft-and-publish has hidden/)
    const doctor = await app.say('doctor')
    assert.equal(doctor.code, 1)
    assert.match(
      doctor.out,
      /error: layout: types with entries that a plugin has hidden.*: 1\n {2}make 1 draft of api::note/,
    )
    await app.during(on, async world => assert.deepEqual(await names(world), ['published'], 'nothing has changed'))
  })

  it('are refused when the plugin is not even named any more', async () => {
    const app = await withDraft()
    app.files({ types: types(true) })
    const { code, errors, out } = await app.say('start', '--port', '0')
    assert.equal(code, 65)
    assert.match(errors + out, /1 draft of api::note\.note, which draft-and-publish has hidden/)
    assert.equal((await app.say('apply', '--yes')).code, 0)
    assert.equal((await app.say('plan')).code, 0)
  })

  it('are readable once apply was told so, and entries that are made then are never asked about', async () => {
    const app = await withDraft()
    app.files(off)
    const apply = await app.say('apply')
    assert.equal(apply.code, 64, 'nobody can be asked')
    assert.equal((await app.say('apply', '--only', 'removals', '--yes')).code, 64, 'it comes first')
    assert.equal((await app.say('apply', '--yes')).code, 0)
    assert.equal((await app.say('plan')).code, 0)
    await app.during(off, async world => {
      assert.deepEqual(await names(world), ['published', 'draft'])
      await world.make('/notes', { name: 'plain' })
    })
    await app.during(off, async world => assert.deepEqual(await names(world), ['published', 'draft', 'plain']))
    await app.during(on, async world => assert.deepEqual(await names(world), ['published', 'plain']))
    await assert.rejects(
      app.during(off, async () => undefined),
      { name: 'BootError', message: refused },
    )
  })

  it('are those too whose time has not come, and those whose time is over', async () => {
    const app = await home(engine)
    const scheduled = { ...types(true).note, options: { draftAndPublish: true, scheduling: true } }
    const [before, later] = [Date.now() - 60_000, Date.now() + 60_000_000].map(time => new Date(time).toISOString())
    await app.during({ ...on, types: { ...types(true), note: scheduled } }, async world => {
      await world.make('/notes', { name: 'published' })
      await world.make('/notes', { name: 'to come', publishedAt: later })
      await world.make('/notes', { name: 'to be over', unpublishAt: later })
      await world.make('/notes', { name: 'over', unpublishAt: before })
      assert.deepEqual(await names(world), ['published', 'to be over'])
    })
    app.files(off)
    assert.match((await app.say('plan')).out, /make 2 drafts of api::note\.note readable/)
  })

  it('do not matter where there are none', async () => {
    const app = await home(engine)
    await app.during(on, world => world.make('/notes', { name: 'published' }))
    await app.during(off, async world => assert.deepEqual(await names(world), ['published']))
  })
})

describe('drafts of a type that has none any more, in a project of Strapi 4', () => {
  it('are refused by a start, which changes nothing, until apply was told so', async () => {
    const project = copyProject()
    onTestFinished(() => project.remove())
    const file = join(project.folder, 'src/api/category/content-types/category/schema.json')
    const schema = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...schema, options: { draftAndPublish: false } }))
    const bytes = () => createHash('sha256').update(readFileSync(project.database)).digest('hex')
    const before = bytes()
    await assert.rejects(openProject(project), {
      name: 'BootError',
      message: /\n {2}\d+ drafts? of api::category\.category, which draft-and-publish has hidden\n/,
    })
    assert.equal(bytes(), before)
    const say = async (...args: string[]) => await stele([...args, '--app', project.folder])
    assert.match((await say('plan')).stdout, /make \d+ drafts? of api::category\.category readable/)
    assert.equal((await say('apply', '--yes')).status, 0)
    const open: OpenProject = await openProject(project)
    assert.equal((await open.get('/api/categories')).statusCode, 200)
    await open.close()
  })
})
