import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it, vi } from 'vitest'
import { home } from '../cli/schema-home.js'
import { onEveryEngine } from '../support/every-engine.js'
import { q, type Server, sorted } from './support.js'

// A test runs several commands.
vi.setConfig({ testTimeout: 120_000 })

const text = { type: 'string' }
const of = (attributes: object, search: readonly string[]) => ({ types: { note: { attributes, search } } })
const find = async (world: Pick<Server, 'get'>, word: string) => sorted((await world.get(`/notes${q(word)}`)).body)

onEveryEngine('commands where there is an index of words', engine => {
  it('change columns that are indexed, and the next start finds what is there', async () => {
    const app = await home(engine)
    const before = of({ title: text, old: text, body: text }, ['title', 'old'])
    await app.during(before, world => world.make('/notes', { title: 'Sour bread', old: 'rye', body: 'waits' }))
    app.files(of({ heading: { ...text, renamedFrom: 'title' }, body: text }, ['heading', 'body']))
    const planned = await app.json('plan')
    assert.deepEqual(
      planned.changes.map(({ describe }: { describe: string }) => describe),
      ['the column notes.title becomes heading', 'drop the column notes.old and its 1 value'],
    )
    const { code, errors } = await app.say('apply', '--yes')
    assert.equal(code, 0, errors)
    await app.sql("update notes set heading = 'Rye bread'")
    await app.during(of({ heading: text, body: text }, ['heading', 'body']), async world => {
      assert.deepEqual(
        [await find(world, 'rye'), await find(world, 'waits'), await find(world, 'sour')],
        ['1', '1', ''],
      )
      await world.put('/notes/1', { heading: 'Sour bread' })
      assert.deepEqual([await find(world, 'rye'), await find(world, 'sour')], ['', '1'])
    })
    const left = await app.say('plan')
    assert.equal(left.code, 0)
    assert.match(left.out, /^The database is as the content types ask for\./)
  })

  it('say where an index is not complete', async () => {
    const app = await home(engine)
    const note = of({ title: text }, ['title'])
    app.files(note)
    await app.during(note, world => world.make('/notes', { title: 'Sour bread' }))
    const message = /indexes of words that are not there.*: 1\n(.|\n)*notes/
    assert.doesNotMatch((await app.say('doctor')).out, message)
    await app.sql(`drop trigger stele_search_notes_words_update${engine.name === 'postgres' ? ' on notes' : ''}`)
    assert.match((await app.say('doctor')).out, message)
    await app.during(note, async world => assert.equal(await find(world, 'bread'), '1'))
    assert.doesNotMatch((await app.say('doctor')).out, message)
  })

  it('leave it out of archives, and an import fills it', async () => {
    const [source, target] = [await home(engine), await home(engine)]
    const note = of({ title: text }, ['title'])
    for (const app of [source, target]) app.files(note)
    await source.during(note, world => world.make('/notes', { title: 'Sour bread' }))
    const archive = join(source.folder, 'content.tar')
    const exported = await source.say('export', archive, '--json')
    assert.equal(exported.code, 0, exported.errors)
    assert.doesNotMatch(exported.out, /stele_search/)
    await target.during(note, world => world.make('/notes', { title: 'Rye' }))
    const { code, errors } = await target.say('import', archive, '--replace', '--yes')
    assert.equal(code, 0, errors)
    await target.during(note, async world => {
      assert.deepEqual([await find(world, 'bread'), await find(world, 'rye')], ['1', ''])
    })
    const { code: healthy, out } = await target.say('doctor')
    assert.ok(healthy !== null && !/stele_search/.test(out), out)
  })
})
