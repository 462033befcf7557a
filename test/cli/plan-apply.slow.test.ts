import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, vi } from 'vitest'
import { ownVersion } from '../../core/kit/own-folder.js'
import { createLog } from '../../core/log.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { upload } from '../../plugins/upload/index.js'
import { usersPermissions } from '../../plugins/users-permissions/index.js'
import { layoutOf } from '../schema/found.js'
import { stele } from '../support/command.js'
import { startOn } from '../support/contract.js'
import { engines } from '../support/engines.js'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { home, type Schemas } from './schema-home.js'

// A test runs many commands.
vi.setConfig({ testTimeout: 120_000 })
const text = { type: 'string' }
const tag = { attributes: { name: text } }
const tags = { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' }
const seo = { 'shared.seo': { attributes: { title: text } } }
const of = (attributes: object, more: Partial<Schemas> = {}): Schemas => ({ types: { note: { attributes } }, ...more })

onEveryEngineAtLength('stele plan', engine => {
  it('shows a new database as additions, with the SQL, and makes nothing', async () => {
    const app = await home(engine)
    app.files(of({ title: text }))
    const { code, out, errors } = await app.say('plan')
    assert.equal(code, 2, errors)
    assert.match(out, /^Additions \(stele apply, or the next start\)\n/)
    assert.match(out, /create the table notes\n {4}create table .notes. \(/)
    if (engine.name === 'sqlite') assert.equal(existsSync(app.env.DATABASE_FILENAME as string), false)
    else assert.equal((await layoutOf(app.database)).columns.size, 0)
    assert.equal((await app.say('apply')).code, 0, 'additions need no yes')
    const left = await app.say('plan')
    assert.deepEqual(
      [left.code, left.out],
      [0, `The database is as the content types ask for.\n\nStele ${ownVersion()} changed this database last.\n`],
    )
  })

  it('is JSON for programs', async () => {
    const app = await home(engine)
    await app.during(of({ old: text }), world => world.make('/notes', { old: 'x' }))
    app.files(of({ title: text }))
    const { changes, prevented, notes } = await app.json('plan')
    assert.deepEqual(
      changes.map(({ group, describe, loses }: Record<string, unknown>) => [group, describe, loses]),
      [
        ['additions', 'add the column notes.title', 0],
        ['removals', 'drop the column notes.old and its 1 value', 1],
      ],
    )
    assert.match(changes[0].statements[0], /alter table .notes. add /i)
    assert.deepEqual([prevented, notes], [[], []])
  })

  it('never speaks of tables and columns that no one here made, nor takes them', async () => {
    const app = await home(engine)
    await app.during(of({ title: text }), async () => undefined)
    await app.sql('create table someone_elses (id integer primary key, title varchar(50))')
    await app.sql('alter table notes add column theirs varchar(50)')
    app.files(of({ title: text }))
    const { code, out } = await app.say('plan')
    assert.equal(code, 0)
    assert.match(out, /Left alone\n {2}notes\.theirs is not of the schema/)
    assert.doesNotMatch(out, /someone_elses/)
    assert.match((await app.say('apply', '--yes')).out, /nothing to do/)
    assert.ok((await layoutOf(app.database)).columns.get('notes')?.has('theirs'))
  })
})

onEveryEngineAtLength('stele apply', engine => {
  it('drops columns, links, components and types that are gone, with --yes only, and nothing else', async () => {
    const app = await home(engine)
    const former = {
      types: {
        note: {
          attributes: {
            title: text,
            views: { type: 'integer', index: true },
            tags,
            seo: { type: 'component', component: 'shared.seo' },
          },
        },
        tag,
      },
      components: seo,
    }
    await app.during(former, async world => {
      await world.make('/notes', { title: 'kept', views: 1, tags: [await world.make('/tags')], seo: { title: 's' } })
    })
    app.files(of({ title: text }))
    const refused = await app.say('apply')
    assert.equal(refused.code, 64)
    assert.match(
      refused.errors,
      /This makes 5 changes to the database\. 5 rows or values are lost or changed\. Go on\? Pass --yes/,
    )
    assert.deepEqual(await app.sql('select views from notes'), [{ views: 1 }])
    const done = await app.say('apply', '--yes')
    assert.equal(done.code, 0, done.errors)
    const { columns } = await layoutOf(app.database)
    for (const table of ['tags', 'notes_tags_links', 'notes_components', 'components_shared_seos'])
      assert.equal(columns.has(table), false, table)
    assert.equal(columns.get('notes')?.has('views'), false)
    assert.deepEqual(await app.sql('select title from notes'), [{ title: 'kept' }])
    assert.equal((await app.say('plan')).code, 0)
    await app.during(former, async world => assert.equal((await world.post('/notes', { views: 2 })).status, 200))
  })

  it('does what is chosen, and what is chosen has a name', async () => {
    const app = await home(engine)
    await app.during(of({ old: text }), async () => undefined)
    app.files(of({ title: text }))
    assert.equal((await app.say('apply', '--only', 'additions')).code, 0)
    const { columns } = await layoutOf(app.database)
    assert.deepEqual([columns.get('notes')?.has('title'), columns.get('notes')?.has('old')], [true, true])
    assert.equal((await app.say('plan')).code, 2)
    const wrong = await app.say('apply', '--only', 'everything')
    assert.equal(wrong.code, 64)
    assert.match(
      wrong.errors,
      /--only takes renames, types, links, additions, misplaced, withheld, removals, strapi, and "everything" is none/,
    )
    assert.equal((await app.json('apply', '--only', 'removals', '--yes')).applied.length, 1)
    assert.equal((await app.say('plan')).code, 0)
  })

  it('is done as it was planned, or not at all', async () => {
    const app = await home(engine)
    await app.during(of({ old: text }), world => world.make('/notes', { old: 'x' }))
    app.files(of({ title: text }))
    const planned = (await app.say('plan', '--json')).out
    const plan = join(app.folder, 'plan.json')
    writeFileSync(plan, planned)
    await app.sql("insert into notes (old) values ('y')")
    const other = await app.say('apply', '--plan', plan, '--yes')
    assert.equal(other.code, 75)
    assert.match(other.errors, /the pending changes are not those of .*plan\.json/)
    assert.equal((await app.say('apply', '--plan', plan, '--only', 'additions')).code, 0)
    assert.equal((await app.say('apply', '--plan', plan, '--only', 'removals', '--yes')).code, 75)
    assert.equal((await app.sql('select old from notes')).length, 2)
    writeFileSync(plan, (await app.say('plan', '--json')).out)
    assert.equal((await app.json('apply', '--plan', plan, '--yes')).applied.length, 1)
    writeFileSync(plan, '[]')
    assert.equal((await app.say('apply', '--plan', plan)).code, 64)
  })

  it('keeps what belongs to a plugin that is off', async () => {
    const app = await home(engine)
    const author = { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' }
    const types = {
      note: { options: { draftAndPublish: true }, attributes: { title: text, cover: { type: 'media' }, author } },
    }
    const plugins = [upload, usersPermissions, draftAndPublish]
    await app.during({ types, plugins }, async ({ app: { entries } }) => {
      const file = { name: 'a', hash: 'a', mime: 'text/plain', size: 1, url: '/a', provider: 'local' }
      const { id: cover } = await entries('plugin::upload.file').create(file)
      const ben = { username: 'ben', email: 'ben@example.com', provider: 'local' }
      const { id: author } = await entries('plugin::users-permissions.user').create(ben)
      await entries('api::note.note').create({ title: 't', cover, author })
    })
    app.files({ types })
    const { code, out } = await app.say('plan')
    assert.equal(code, 0, out)
    assert.match((await app.say('apply', '--yes')).out, /nothing to do/)
    for (const table of ['files_related_morphs', 'notes_author_links', 'up_users', 'notes'])
      assert.equal((await app.sql(`select * from ${table}`)).length, 1, table)
    assert.ok((await layoutOf(app.database)).columns.get('notes')?.has('published_at'))
  })

  it('drops a unique index that the schema no longer asks for', async () => {
    const app = await home(engine)
    await app.during(of({ title: { ...text, unique: true } }), world => world.make('/notes', { title: 'one' }))
    app.files(of({ title: text }))
    assert.match((await app.say('plan')).out, /drop the unique index notes_title_unique/)
    assert.equal((await app.say('apply', '--yes')).code, 0)
    await app.during(of({ title: text }), async world =>
      assert.equal((await world.post('/notes', { title: 'one' })).status, 200),
    )
    assert.equal((await app.say('plan')).code, 0)
  })

  it('says which unique index the data prevents, and makes it once nothing does', async () => {
    const app = await home(engine)
    await app.during(of({ title: text }), async world => {
      for (const title of ['same', 'same', 'other']) await world.make('/notes', { title })
    })
    app.files(of({ title: { ...text, unique: true } }))
    const { code, out } = await app.say('plan')
    assert.equal(code, 2)
    assert.match(
      out,
      /Prevented by data\n.*unique index notes_title_unique: 1 value of title stands there more than once/,
    )
    const tried = await app.say('apply')
    assert.equal(tried.code, 0)
    assert.match(tried.out, /Prevented: /)
    await app.sql("update notes set title = 'another' where id = 2")
    assert.equal((await app.say('apply')).code, 0)
    assert.equal((await app.say('plan')).code, 0)
    assert.ok((await layoutOf(app.database)).indexes.some(({ name }) => name === 'notes_title_unique'))
  })

  it('does not begin while another process changes the layout', async () => {
    const app = await home(engine)
    await app.during(of({ title: text }), async () => undefined)
    app.files(of({ name: text }))
    const until = Date.now() + 15_000
    await app.sql("delete from stele_schema where name = 'lease'")
    await app.sql(`insert into stele_schema (name, value, time) values ('lease', 'somebody', ${until})`)
    const { code, errors } = await app.say('apply', '--yes')
    assert.equal(code, 75)
    assert.match(errors, /another process changes the layout of the database right now/)
    assert.equal((await layoutOf(app.database)).columns.get('notes')?.has('name'), false)
    await app.sql("update stele_schema set time = 1 where name = 'lease'")
    assert.equal((await app.say('apply', '--yes')).code, 0, 'a lease that has run out holds nobody')
  })

  // The one writer of SQLite waits for the database itself.
  const onServers = engine.name === 'sqlite' ? it.skip : it
  onServers('keeps a start waiting that would add something meanwhile', async () => {
    const app = await home(engine)
    await app.during(of({ title: text }), async () => undefined)
    await app.sql("delete from stele_schema where name = 'lease'")
    await app.sql(`insert into stele_schema (name, value, time) values ('lease', 'x', ${Date.now() + 15_000})`)
    const lines: string[] = []
    const log = createLog('info', { destination: { write: line => lines.push(line) } })
    const starting = startOn(app.database, { types: { note: { attributes: { title: text, name: text } } }, log })
    await vi.waitUntil(() => lines.some(line => /waiting for a process that changes the layout/.test(line)), 20_000)
    assert.equal((await layoutOf(app.database)).columns.get('notes')?.has('name'), false)
    await app.sql("update stele_schema set time = 0 where name = 'lease'")
    const world = await starting
    assert.equal((await world.post('/notes', { name: 'n' })).status, 200)
    await world.app.close()
  })

  it('keeps what is stored when two begin at the same time', async () => {
    const app = await home(engine)
    await app.during(of({ title: text, old: text }), world => world.make('/notes', { title: 'kept', old: 'x' }))
    app.files(of({ name: { ...text, renamedFrom: 'title' }, added: text }))
    const both = await Promise.all([app.later('apply', '--yes'), app.later('apply', '--yes')])
    for (const { code, errors } of both)
      if (code !== 0)
        assert.match(
          errors,
          /another process (changes|has changed) the layout|the database has changed meanwhile|The database is busy/,
        )
    assert.ok(
      both.some(({ code }) => code === 0),
      JSON.stringify(both),
    )
    assert.deepEqual(
      await app.sql('select * from notes').then(rows => rows.map(({ name, added, old }) => [name, added, old])),
      [['kept', null, undefined]],
    )
    assert.equal((await app.say('plan')).code, 0)
  })

  it('says what was done when something fails, and goes on from there', async () => {
    const app = await home(engine)
    const former = { types: { note: { attributes: { title: text, old: text } }, tag } }
    await app.during(former, async world => {
      await world.make('/notes', { title: 'kept', old: 'x' })
      await world.make('/tags')
    })
    const key = engine.name === 'mysql' ? 'int unsigned' : 'integer'
    await app.sql(
      `create table theirs (id ${key}, foreign key (id) references tags (id))${engine.name === 'mysql' ? ' engine=InnoDB' : ''}`,
    )
    await app.sql('insert into theirs select id from tags')
    app.files(of({ name: { ...text, renamedFrom: 'title' } }))
    const { code, errors } = await app.say('apply', '--yes')
    assert.equal(code, 65)
    assert.match(errors, /^drop the table tags/)
    const stays = engine.name !== 'mysql'
    assert.match(
      errors,
      stays ? /Nothing was changed\./ : /1 of 3 changes were made; `stele plan` shows what is left\./,
    )
    const column = stays ? 'title' : 'name'
    assert.deepEqual(await app.sql(`select ${column} from notes`), [{ [column]: 'kept' }])
    await app.sql('drop table theirs')
    assert.equal((await app.say('apply', '--yes')).code, 0)
    assert.deepEqual(await app.sql('select name from notes'), [{ name: 'kept' }])
    assert.equal((await layoutOf(app.database)).columns.has('tags'), false)
    assert.equal((await app.say('plan')).code, 0)
  })
})

const hasTerminals = spawnSync('script', ['--version']).status === 0

describe('the commands', () => {
  // The SQL that is shown there is that of SQLite.
  it.skipIf(!engines[0]?.available)('print what their page shows', async () => {
    const readme = readFileSync(new URL('../../core/tools/cli/README.md', import.meta.url), 'utf8')
    const [planned = '', ...wrong] = ['plan', 'doctor'].flatMap(command => {
      const [, printed = ''] = new RegExp(`\\$ stele ${command} --app \\.\\./my-app\\n([^]*?)\`\`\``).exec(readme) ?? []
      return printed.split('\n...\n')
    })
    const app = await home(engines[0])
    await app.during(of({ title: text, length: text, draft: { type: 'text' } }), async world => {
      await world.make('/notes', { title: 'One', length: '12', draft: 'x' })
      await world.make('/notes', { title: 'Two', length: 'long' })
    })
    const integer = { type: 'integer' }
    app.files(of({ name: { ...text, renamedFrom: 'title' }, length: integer, stars: integer }))
    assert.equal((await app.say('plan')).out, planned)
    const { out } = await app.say('doctor')
    for (const part of wrong) assert.ok(out.includes(part), `${part}\nin\n${out}`)
  })

  it.skipIf(!hasTerminals)('ask on a terminal before anything is lost', async () => {
    const app = await home()
    await app.during(of({ title: text, old: text }), world => world.make('/notes', { title: 'a', old: 'b' }))
    app.files(of({ title: text }))
    const no = await app.onTerminal('n\r', 'apply')
    assert.match(no.out, /drop the column notes\.old and its 1 value/)
    assert.match(no.out, /1 row or value is lost or changed\. Go on\? \[y\/N\]/)
    assert.deepEqual([no.code, await app.sql('select old from notes')], [130, [{ old: 'b' }]])
    const yes = await app.onTerminal('y\r', 'apply')
    assert.equal(yes.code, 0, yes.out)
    assert.equal((await layoutOf(app.database)).columns.get('notes')?.has('old'), false)
  })

  for (const command of ['plan', 'apply'])
    it(`stele ${command} --help says what it does`, async () => {
      const { status, stdout } = await stele([command, '--help'])
      assert.equal(status, 0)
      assert.match(stdout, /--app <dir>/)
      assert.match(stdout, /--json/)
    })

  it('say where there is no app', async () => {
    const { status, stderr } = await stele(['plan', '--app', join('/nowhere', 'at-all')])
    assert.equal(status, 64)
    assert.match(stderr, /There is no app folder \/nowhere\/at-all/)
  })
})
