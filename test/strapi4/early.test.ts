import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'vitest'
import { stele } from '../support/command.js'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { type Pristine, pristineOn } from './databases.js'
import { keyOf } from './fixture.js'
import { type OpenProject, openProject } from './project.js'

onEveryEngine('a database that Strapi 4.0 to 4.4 made', engine => {
  let pristine: Pristine
  let open: OpenProject | undefined
  beforeEach(async () => {
    pristine = await pristineOn(engine)
    await makeEarly()
  }, 120_000)
  afterEach(async () => {
    await open?.close()
    open = undefined
    await pristine?.drop()
  })
  const sql = (text: string) => run(pristine.database, text)
  const schemaName = engine.name === 'mysql' ? 'database()' : 'current_schema()'
  const columnsOf = async (table: string): Promise<string[]> =>
    (
      await sql(
        engine.name === 'sqlite'
          ? `select name from pragma_table_info('${table}')`
          : `select column_name as name from information_schema.columns where table_schema = ${schemaName} and table_name = '${table}' order by ordinal_position`,
      )
    ).map(({ name }) => String(name))
  const linkTables = async (): Promise<string[]> =>
    (
      await sql(
        engine.name === 'sqlite'
          ? "select name from sqlite_master where type = 'table'"
          : `select table_name as name from information_schema.tables where table_schema = ${schemaName}`,
      )
    )
      .map(({ name }) => String(name))
      .filter(name => name.endsWith('_links'))
      .sort()

  /** Early tables of links had two columns: no id, no places, no rule against doubles. */
  async function makeEarly(): Promise<void> {
    for (const table of await linkTables()) {
      const kept = (await columnsOf(table)).filter(name => name !== 'id' && !name.endsWith('_order'))
      if (engine.name === 'sqlite') await rebuild(table, kept)
      else {
        const gone = (await columnsOf(table)).filter(name => !kept.includes(name))
        if (engine.name === 'mysql') await sql(`alter table ${table} drop index ${table}_unique`)
        else await sql(`alter table ${table} drop constraint if exists ${table}_unique`)
        await sql(`alter table ${table} ${gone.map(name => `drop column ${name}`).join(', ')}`)
      }
    }
    if (engine.name !== 'sqlite') await sql('drop table if exists stele_schema')
    // Without the rule there may be doubles.
    await sql(
      'insert into articles_tags_links (article_id, tag_id) select 2, min(tag_id) from articles_tags_links where article_id = 2',
    )
  }
  async function rebuild(table: string, kept: readonly string[]): Promise<void> {
    const keys = await sql(`select "from", "table" from pragma_foreign_key_list('${table}')`)
    const target = (name: string) => keys.find(({ from }) => from === name)?.table
    const columns = kept.map(name => `${name} integer null`)
    const references = kept.map(name => `foreign key (${name}) references ${target(name)} (id) on delete cascade`)
    await sql(`create table early as select ${kept.join(', ')} from ${table} order by id`)
    await sql(`drop table ${table}`)
    await sql(`create table ${table} (${[...columns, ...references].join(', ')})`)
    await sql(`insert into ${table} select * from early`)
    await sql('drop table early')
    await sql(`create index ${table}_fk on ${table} (${kept[0]})`)
    await sql(`create index ${table}_inv_fk on ${table} (${kept[1]})`)
  }
  const say = async (...args: string[]) => {
    const { status, stdout, stderr } = await stele([...args, '--app', pristine.project.folder], {
      env: pristine.variables,
    })
    return { code: status, out: stdout, errors: stderr }
  }
  const start = async () => {
    open = await openProject(pristine.project, pristine.variables)
  }
  const ask = async (method: 'GET' | 'PUT', url: string, data?: unknown) => {
    const reply = await (open as OpenProject).send({
      method,
      url: `/api${url}`,
      headers: { authorization: `Bearer ${keyOf('full')}` },
      ...(data !== undefined && { payload: { data } }),
    })
    assert.equal(reply.statusCode, 200, reply.payload)
    return JSON.parse(reply.payload)
  }
  const ids = (list: { id: number }[]) => list.map(({ id }) => id)

  it('is refused by a start, which changes nothing and says what to do', async () => {
    const before = await columnsOf('articles_tags_links')
    await assert.rejects(start(), {
      name: 'BootError',
      message:
        /^\d+ tables have no id, as Strapi 4\.0 to 4\.4 made them: .*articles_tags_links.*`stele apply` .*`stele plan`/s,
    })
    assert.deepEqual(await columnsOf('articles_tags_links'), before)
  }, 120_000)

  it('is told by plan and doctor, and brought up to date by apply, with every link', async () => {
    const links = async () =>
      (await sql('select article_id, tag_id from articles_tags_links order by article_id, tag_id')).map(row =>
        Object.values(row).map(Number),
      )
    const before = await links()
    const tables = await linkTables()
    const plan = await say('plan', '--json')
    assert.equal(plan.code, 2, plan.errors)
    const changes = JSON.parse(plan.out).changes.filter(({ group }: { group: string }) => group === 'links')
    assert.ok(changes.length > 15 && changes.length <= tables.length, `${changes.length} of ${tables.length}`)
    assert.ok(changes.every(({ loses }: { loses: number }) => loses === 0))
    const doctor = await say('doctor', '--json')
    assert.equal(doctor.code, 1, doctor.errors)
    assert.doesNotMatch(doctor.out, /could not be looked at/)
    assert.match(doctor.out, /tables without an id: \d+/)

    assert.equal((await say('apply', '--yes')).code, 0)
    assert.deepEqual(await links(), before, 'every link is there, doubles included')
    assert.deepEqual(
      new Set(await columnsOf('articles_tags_links')),
      new Set(['id', 'article_id', 'tag_id', 'tag_order', 'article_order']),
    )
    const [first] = await sql(
      'select min(tag_order) as first, max(tag_order) as last, count(*) as count from articles_tags_links where article_id = 2',
    )
    assert.deepEqual([Number(first?.first), Number(first?.last)], [1, Number(first?.count)])
    assert.doesNotMatch((await say('plan')).out, /without|\bid\b.*articles_tags_links/)

    await start()
    const put = await ask('PUT', '/articles/2?populate[tags][fields]=id', { tags: { connect: [20] } })
    assert.equal(ids(put.data.attributes.tags.data).at(-1), 20)
    const set = await ask('PUT', '/articles/2?populate[tags][fields]=id', { tags: [7, 3] })
    assert.deepEqual(ids(set.data.attributes.tags.data), [7, 3])
    const author = await ask('PUT', '/articles/2?populate[author][fields]=id', { author: 3 })
    assert.equal(author.data.attributes.author.data.id, 3)
    await open?.close()
    open = undefined
    const healthy = await say('doctor', '--json')
    assert.equal(healthy.code, 0, healthy.out)
    // Doubles are found in a list: one entry stands there twice.
    assert.doesNotMatch(healthy.out, /could not be looked at|without an id/)
  }, 240_000)

  it('keeps its indexes, and gives new links ids', async () => {
    assert.equal((await say('apply', '--yes')).code, 0)
    await sql('insert into articles_tags_links (article_id, tag_id) values (1, 2)')
    const [row] = await sql('select max(id) as last, count(*) as count from articles_tags_links')
    assert.equal(Number(row?.last), Number(row?.count))
    const indexes = await sql(
      engine.name === 'sqlite'
        ? "select name from sqlite_master where type = 'index' and tbl_name = 'articles_tags_links'"
        : engine.name === 'mysql'
          ? "select distinct index_name as name from information_schema.statistics where table_schema = database() and table_name = 'articles_tags_links'"
          : "select indexname as name from pg_indexes where tablename = 'articles_tags_links'",
    )
    const names = indexes.map(({ name }) => String(name))
    for (const name of ['articles_tags_links_fk', 'articles_tags_links_inv_fk', 'articles_tags_links_list'])
      assert.ok(names.includes(name), `${name} of ${names}`)
  }, 240_000)
})
