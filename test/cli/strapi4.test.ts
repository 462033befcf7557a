import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, onTestFinished, vi } from 'vitest'
import { layoutOf } from '../schema/found.js'
import { pristineOn } from '../strapi4/databases.js'
import { openProject, withoutCode } from '../strapi4/project.js'
import { stele } from '../support/command.js'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { run } from '../support/run.js'

// A test runs many commands.
vi.setConfig({ testTimeout: 180_000 })
type Schema = { attributes: Record<string, object> }

onEveryEngineAtLength('a project of Strapi 4', engine => {
  async function opened() {
    const { project, variables, database, drop } = await pristineOn(engine)
    onTestFinished(drop)
    // The database as Strapi left it, so that this server knows nothing else.
    if (engine.name !== 'sqlite') await run(database, 'drop table stele_schema')
    const say = async (...args: string[]) => {
      const env = { ...variables, ...withoutCode }
      const { status, stdout, stderr } = await stele([...args, '--app', project.folder], { env })
      return { code: status, out: stdout, errors: stderr }
    }
    const edit = (name: string, change: (schema: Schema) => void) => {
      const file = join(project.folder, `src/api/${name}/content-types/${name}/schema.json`)
      const schema = JSON.parse(readFileSync(file, 'utf8'))
      change(schema)
      writeFileSync(file, JSON.stringify(schema))
    }
    return { project, variables, database, say, edit }
  }

  it('is only looked at by plan and doctor, and nothing of it is said to be too much', async () => {
    const { project, say } = await opened()
    // Strapi makes its file readable for everybody, which doctor would say.
    chmodSync(project.database, 0o600)
    const bytes = () => createHash('sha256').update(readFileSync(project.database)).digest('hex')
    const before = bytes()
    const { changes, prevented, notes } = JSON.parse((await say('plan', '--json')).out)
    assert.ok(
      changes.every(({ group }: { group: string }) => group === 'additions'),
      JSON.stringify(changes),
    )
    assert.deepEqual([prevented, notes], [[], []])
    const { code, out } = await say('doctor')
    assert.equal(code, 0, out)
    assert.doesNotMatch(out, /^(error|warning)/m)
    assert.equal(bytes(), before)
  })

  it('has parts that are not run, and doctor names them', async () => {
    const { project, say } = await opened()
    mkdirSync(join(project.folder, 'src/policies'), { recursive: true })
    writeFileSync(join(project.folder, 'src/policies/mine.js'), 'module.exports = () => false')
    assert.match(
      (await say('doctor')).out,
      /warning: project: policies of the project are not run: 1\n {2}src\/policies\/mine\.js\n/,
    )
  })

  it('keeps what is renamed; what Strapi made and the schema no longer has goes only where that is said', async () => {
    const { project, variables, database, say, edit } = await opened()
    const [first] = await run(database, 'select title, summary from articles where id = 1')
    edit('article', ({ attributes }) => {
      const { title, summary: _, tags, seo, ...others } = attributes
      const renamed = {
        headline: { ...title, renamedFrom: 'title' },
        labels: { ...tags, renamedFrom: 'tags' },
        meta: { ...seo, renamedFrom: 'seo' },
      }
      for (const name of Object.keys(attributes)) delete attributes[name]
      Object.assign(attributes, renamed, others)
    })
    edit('tag', ({ attributes }) => {
      for (const attribute of Object.values(attributes) as { inversedBy?: string; mappedBy?: string }[])
        for (const side of ['inversedBy', 'mappedBy'] as const)
          if (attribute[side] === 'tags') attribute[side] = 'labels'
    })
    edit('author', ({ attributes }) => {
      delete attributes.memos
    })
    rmSync(join(project.folder, 'src/api/memo'), { recursive: true })
    const plan = await say('plan')
    assert.equal(plan.code, 2, plan.errors)
    assert.match(plan.out, /Made by Strapi 4 and not in the schema[\s\S]*drop the column articles\.summary/)
    assert.match(
      plan.out,
      /drop the table memos_author_links and its \d+ rows?[\s\S]*drop the table memos and its \d+ rows?/,
    )
    assert.doesNotMatch(plan.out, /drop the table (admin|strapi|up|files)_/)
    const links = (await run(database, 'select * from articles_tags_links')).length
    assert.equal((await say('start', '--port', '0')).code, 65, 'a start refuses')
    const done = await say('apply', '--yes')
    assert.equal(done.code, 0, done.errors)
    assert.equal((await run(database, 'select * from articles_labels_links')).length, links)
    const kept = await layoutOf(database)
    assert.ok(kept.columns.has('memos') && kept.columns.get('articles')?.has('summary'))
    assert.match(
      JSON.stringify(
        await run(
          database,
          "select value from strapi_core_store_settings where key = 'core_persisted_tables'".replace(
            'key',
            engine.name === 'mysql' ? '`key`' : '"key"',
          ),
        ),
      ),
      /stele_schema/,
    )
    const { get, close } = await openProject(project, variables)
    try {
      const { headline, labels, meta } = JSON.parse((await get('/api/articles/1?populate=*')).payload).data.attributes
      assert.equal(headline, first?.title)
      assert.ok(labels.data.length > 0 && meta !== null)
    } finally {
      await close()
    }
    const settled = await say('plan')
    assert.equal(settled.code, 0, settled.out)
    const rest = await say('apply', '--only', 'strapi', '--yes')
    assert.equal(rest.code, 0, rest.errors)
    const left = await layoutOf(database)
    assert.equal(left.columns.has('memos') || left.columns.get('articles')?.has('summary'), false)
    for (const table of ['admin_users', 'up_users', 'files']) assert.ok(left.columns.has(table), table)
  })
})
