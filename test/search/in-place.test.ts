import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, onTestFinished } from 'vitest'
import { pristineOn } from '../strapi4/databases.js'
import { type OpenProject, openProject } from '../strapi4/project.js'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'

onEveryEngine('a search index in a database of Strapi 4', engine => {
  it('comes with the first write, beside the tables of Strapi, and until then texts are read', async () => {
    const pristine = await pristineOn(engine)
    onTestFinished(() => pristine.drop())
    const file = join(pristine.project.folder, 'src/api/tag/content-types/tag/schema.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), search: ['name'] }))
    await pristine.restore()
    const columns = async () =>
      (await run(pristine.database, 'select * from tags limit 1')).map(row => Object.keys(row))
    const theirs = await columns()
    const open: OpenProject = await openProject(pristine.project, pristine.variables)
    onTestFinished(() => open.close())
    const find = async (query: string) => {
      const { statusCode, payload } = await open.get(`/api/tags?_q=${query}`)
      const { data, error } = JSON.parse(payload)
      return statusCode === 200
        ? data.map((entry: { attributes: { name: string } }) => entry.attributes.name)
        : error.message
    }
    const [any] = await run(pristine.database, 'select name from tags order by id')
    const name = String(any?.name)
    assert.ok((await find(name.slice(1, 3))).length > 0, 'a part of a word')
    assert.match(await find(`${name}&sort=_rank`), /sort/)
    const created = await open.send({ method: 'POST', url: '/api/tags', payload: { data: { name: 'Crème brûlée' } } })
    assert.equal(created.statusCode, 200, created.payload)
    assert.deepEqual(await find('creme&sort=_rank'), ['Crème brûlée'])
    assert.deepEqual(await find('reme'), [])
    assert.deepEqual(await columns(), theirs)
    const [listed] = await run(
      pristine.database,
      'select value from strapi_core_store_settings where ' +
        (engine.name === 'mysql' ? '`key`' : '"key"') +
        " = 'core_persisted_tables'",
    )
    assert.match(String(listed?.value), /"stele_search_tags_words"/)
  })
})
