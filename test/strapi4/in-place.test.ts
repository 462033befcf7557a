import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { foreignLayout } from '../../core/foreign/known.js'
import { createLog } from '../../core/log.js'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { DatabaseSync } from '../support/sqlite.js'
import { type Pristine, pristineOn } from './databases.js'
import { keyOf, recordedReads } from './fixture.js'
import { wrongIn } from './layout.js'
import { copyProject, generated, type OpenProject, openProject, type ProjectFolder } from './project.js'
import { requestOf } from './requests.js'

describe('opening a project in place', () => {
  let project: ProjectFolder
  let open: OpenProject | undefined
  beforeEach(() => {
    project = copyProject()
  })
  afterEach(async () => {
    await open?.close()
    open = undefined
    project.remove()
  })
  const start = async (variables = {}) => {
    open = await openProject(project, variables)
    return open
  }
  const stop = async () => {
    await open?.close()
    open = undefined
  }
  const bytes = () => createHash('sha256').update(readFileSync(project.database)).digest('hex')
  const ask = <T>(sql: string): T[] => {
    const file = new DatabaseSync(project.database)
    try {
      return file.prepare(sql).all() as T[]
    } finally {
      file.close()
    }
  }
  const names = (type: string) =>
    ask<{ name: string }>(`select name from sqlite_master where type = '${type}' order by name`).map(({ name }) => name)
  const write = async (name = 'new') => {
    const reply = await (open as OpenProject).send({ method: 'POST', url: '/api/tags', payload: { data: { name } } })
    assert.equal(reply.statusCode, 200, reply.payload)
  }
  const ownTables = () => names('table').filter(name => name.startsWith('stele_'))
  const protectedTables = () => {
    const [row] = ask<{ value: string }>(
      "select value from strapi_core_store_settings where key = 'core_persisted_tables'",
    )
    return JSON.parse(String(row?.value)) as string[]
  }
  const login = () =>
    (open as OpenProject).send({
      method: 'POST',
      url: '/api/auth/local',
      payload: { identifier: 'alice', password: 'alice-pass-1' },
    })
  const files = () => readdirSync(join(project.folder, 'public/uploads')).sort()

  it('and reading all that was recorded, signing in too, changes no byte of the database and no file', async () => {
    const [before, uploads] = [bytes(), files()]
    const { send } = await start()
    for (const read of recordedReads()) await send(requestOf(read))
    assert.equal((await login()).statusCode, 200)
    await stop()
    assert.equal(bytes(), before)
    assert.equal(existsSync(`${project.database}-wal`), false)
    assert.deepEqual(files(), uploads)
  })

  it('says that nothing is added yet, and names the dialect', async () => {
    const { app } = await start()
    assert.equal(app.config.project, 'strapi4')
    const lines: { msg: string; dialect?: string }[] = []
    await stop()
    open = await openProject(
      project,
      {},
      createLog('info', { destination: { write: line => lines.push(JSON.parse(line)) } }),
    )
    assert.ok(lines.some(({ dialect }) => dialect === 'strapi4'))
    assert.ok(lines.some(({ msg }) => /nothing is added to it before the first write/.test(msg)))
  })

  it('brings tables of our own and indexes with the first write, and leaves those of Strapi as they are', async () => {
    const before = new Set(names('index'))
    const columns = (table: string) => ask(`select * from pragma_table_info('${table}')`)
    const theirs = names('table').map(name => [name, columns(name)] as const)
    await start()
    await write()
    await stop()
    for (const [name, was] of theirs) assert.deepEqual(columns(name), was, name)
    const added = names('table').filter(name => !theirs.some(([known]) => known === name))
    assert.ok(added.length >= 5 && added.every(name => name.startsWith('stele_')), added.join())
    const unique = ask<{ name: string; tbl: string }>(
      'select i.name, m.name as tbl from sqlite_master m, pragma_index_list(m.name) i where i."unique" = 1 and m.type = \'table\'',
    )
    const rules = unique.filter(({ name, tbl }) => !before.has(name) && !tbl.startsWith('stele_'))
    assert.deepEqual(rules, [], 'a unique index would be a rule that Strapi does not know')
  })

  it('adds nothing a second time', async () => {
    await start()
    await write('one')
    await stop()
    const [tables, indexes] = [names('table'), names('index')]
    await start()
    await write('two')
    await stop()
    assert.deepEqual([names('table'), names('index')], [tables, indexes])
  })

  it('lists its tables where Strapi keeps what it must not drop, beside those that stand there', async () => {
    ask(
      `insert into strapi_core_store_settings (key, value, type) values ('core_persisted_tables', '["theirs"]', 'object')`,
    )
    await start()
    await write()
    await stop()
    const listed = protectedTables()
    assert.deepEqual(listed.sort(), [...ownTables(), 'theirs'])
  })

  it('makes again what a boot of Strapi with other schema files dropped', async () => {
    await start()
    await write('one')
    await stop()
    const lists = names('index').filter(name => name.endsWith('_list'))
    assert.ok(lists.length > 0)
    for (const name of lists) ask(`drop index "${name}"`)
    for (const name of names('table').filter(name => name.startsWith('stele_'))) ask(`drop table "${name}"`)
    await start()
    assert.equal((await login()).statusCode, 200, 'what is missing is read as empty')
    assert.deepEqual(
      names('index').filter(name => name.endsWith('_list')),
      [],
    )
    await write('two')
    await stop()
    assert.deepEqual(
      names('index').filter(name => name.endsWith('_list')),
      lists,
    )
    assert.deepEqual(ask('select id from stele_user_stamps'), [], 'the table is there again')
    assert.equal(ask("select id from stele_steps where name = 'users-permissions: the first roles'").length, 1)
  })

  it('leaves what Strapi remembers of its layout, so that Strapi finds nothing to migrate', async () => {
    const remembered = () => ask('select * from strapi_database_schema')
    const before = remembered()
    await start()
    await write()
    await stop()
    assert.deepEqual(remembered(), before)
  })

  it('counts attempts to sign in in a table of our own, which comes with the first of them and which Strapi leaves alone', async () => {
    const settings = {
      'users-permissions': { config: { ratelimit: { enabled: true, store: 'database', max: 1, interval: 1e12 } } },
    }
    mkdirSync(join(project.folder, 'config/env/production'), { recursive: true })
    writeFileSync(
      join(project.folder, 'config/env/production/plugins.js'),
      `module.exports = ${JSON.stringify(settings)}`,
    )
    const before = names('table')
    await start()
    assert.deepEqual(names('table'), before)
    assert.deepEqual([(await login()).statusCode, (await login()).statusCode], [200, 429])
    const { engine } = (open as OpenProject).app
    assert.ok((await foreignLayout.protectedTables(engine, engine.reader)).includes('stele_counts'))
    await stop()
    assert.ok(names('table').includes('stele_counts'))
  })

  it('leaves one file in which everything is, and which other programs read', async () => {
    await start()
    await write('kept')
    await stop()
    for (const log of [`${project.database}-wal`, `${project.database}-shm`]) rmSync(log, { force: true })
    assert.equal(ask("select id from tags where name = 'kept'").length, 1)
    assert.deepEqual(
      ask<{ integrity_check: string }>('pragma integrity_check').map(row => row.integrity_check),
      ['ok'],
    )
    assert.deepEqual(ask('pragma foreign_key_check'), [])
  })

  it('adds at once what Strapi would add too: a type that it has not seen yet', async () => {
    const folder = join(project.folder, 'src/api/note/content-types/note')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'schema.json'),
      JSON.stringify({
        kind: 'collectionType',
        collectionName: 'notes',
        info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
        attributes: { text: { type: 'string' } },
      }),
    )
    for (const [file, text] of Object.entries(generated('api::note.note'))) {
      mkdirSync(dirname(join(project.folder, file)), { recursive: true })
      writeFileSync(join(project.folder, file), text)
    }
    const { send } = await start()
    assert.ok(names('table').includes('notes'))
    const reply = await send({
      method: 'GET',
      url: '/api/notes',
      headers: { authorization: `Bearer ${keyOf('full')}` },
    })
    assert.equal(reply.statusCode, 200, reply.payload)
    await stop()
    // Strapi sees other schema files, and would drop what it does not know.
    assert.deepEqual(protectedTables().sort(), ownTables())
  })

  it('does not tell unpublished entries to be published, nor entries without a locale to have one', async () => {
    ask('update articles set locale = null, published_at = null where id in (1, 2)')
    const states = () => ask('select id, locale, published_at, updated_at from articles where id in (1, 2)')
    const before = states()
    await start()
    await write()
    await stop()
    assert.deepEqual(states(), before)
  })

  it('has the plugins that the project has', async () => {
    const file = join(project.folder, 'package.json')
    const { dependencies, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
    delete dependencies['@strapi/plugin-i18n']
    writeFileSync(file, JSON.stringify({ ...rest, dependencies }))
    const { get } = await start()
    assert.equal((await get('/api/i18n/locales')).statusCode, 404)
    assert.equal((await get('/api/articles?pagination[pageSize]=1')).statusCode, 200)
  })

  it('answers in the other dialect where the project asks for it, and still puts no rule on the tables', async () => {
    const { get } = await start({ STELE_REST_DIALECT: 'spec' })
    const { data } = JSON.parse((await get('/api/articles/1?fields=title')).payload)
    assert.deepEqual(Object.keys(data), ['id', 'attributes', 'meta'])
    await write()
    assert.equal(names('index').includes('authors_email_unique'), false)
  })
})

onEveryEngine('opening a project in place', engine => {
  let pristine: Pristine
  let open: OpenProject | undefined
  beforeEach(async () => {
    pristine = await pristineOn(engine)
  }, 120_000)
  afterEach(async () => {
    await open?.close()
    await pristine?.drop()
  })
  const place = { sqlite: "'main'", mysql: 'database()', postgres: 'current_schema()' }[engine.name]
  const tables = async (): Promise<string[]> => {
    const sql =
      engine.name === 'sqlite'
        ? "select name from sqlite_master where type = 'table'"
        : `select table_name as name from information_schema.tables where table_schema = ${place}`
    return (await run(pristine.database, sql)).map(({ name }) => String(name)).sort()
  }

  it('makes tables with the first write only, and keeps the layout of the rows', async () => {
    const own = (await tables()).filter(name => name.startsWith('stele_'))
    for (const name of own) await run(pristine.database, `drop table ${name}`)
    const before = await tables()
    assert.deepEqual(await wrongIn(pristine.database), [], 'before anything is written')
    open = await openProject(pristine.project, pristine.variables)
    const { send } = open
    const credentials = { identifier: 'alice@example.test', password: 'alice-pass-1' }
    const signedIn = await send({ method: 'POST', url: '/api/auth/local', payload: credentials })
    assert.equal(signedIn.statusCode, 200, signedIn.payload)
    const headers = { authorization: `Bearer ${keyOf('alice')}` }
    assert.equal((await send({ method: 'GET', url: '/api/articles', headers })).statusCode, 200)
    assert.deepEqual(await tables(), before)
    const write = () =>
      send({
        method: 'POST',
        url: '/api/articles',
        headers: { 'idempotency-key': 'new' },
        payload: {
          data: { title: 'New', tags: [1, 2], author: 3, cover: 1, blocks: [{ __component: 'shared.quote' }] },
        },
      })
    const written = await write()
    assert.equal(written.statusCode, 200, written.payload)
    assert.equal((await write()).payload, written.payload)
    const added = (await tables()).filter(name => !before.includes(name))
    assert.ok(added.length >= 5 && added.every(name => name.startsWith('stele_')), added.join())
    assert.deepEqual(await wrongIn(pristine.database), [])
  }, 120_000)
})
