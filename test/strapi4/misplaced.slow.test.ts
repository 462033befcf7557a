import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { it, onTestFinished, vi } from 'vitest'
import { createLog } from '../../core/log.js'
import { home } from '../cli/schema-home.js'
import { layoutOf } from '../schema/found.js'
import { stele } from '../support/command.js'
import type { DatabaseSettings } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { pristineOn } from './databases.js'
import { keyOf } from './fixture.js'
import { generated, type OpenProject, openProject } from './project.js'

// A test runs many commands.
vi.setConfig({ testTimeout: 180_000 })

type Attributes = Record<string, Record<string, unknown>>

const collection = (name: string) => ({
  type: 'relation',
  relation: 'manyToMany',
  target: 'api::collection.collection',
  inversedBy: name,
})
/** The attribute that comes last owns the links for Strapi. */
const selfRelation = {
  RelatedCollectionsSource: collection('RelatedCollectionsDestination'),
  RelatedCollectionsDestination: collection('RelatedCollectionsSource'),
}
const selfLinks = 'collections_related_collections_destination_links'

const id: Readonly<Record<DatabaseSettings['client'], string>> = {
  sqlite: 'id integer primary key autoincrement',
  mysql: 'id int unsigned auto_increment primary key',
  postgres: 'id serial primary key',
}

onEveryEngine('names that Strapi 4 gives', engine => {
  /** The project on its database, as Strapi left both. */
  async function opened() {
    const { project, variables, database, drop } = await pristineOn(engine)
    onTestFinished(drop)
    if (engine.name !== 'sqlite') await run(database, 'drop table stele_schema')
    const lines: string[] = []
    let open: OpenProject | undefined
    onTestFinished(async () => open?.close())
    const write = (name: string, content: unknown) => {
      const file = join(project.folder, `src/api/${name}/content-types/${name}/schema.json`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify(content))
    }
    const link = (table: string, ...columns: string[]) =>
      run(
        database,
        `create table ${table} (${[id[database.client], ...columns.map(column => `${column} int`)].join(', ')})`,
      )
    const headers = { authorization: `Bearer ${keyOf('full')}` }
    const ask = async (path: string) => {
      const reply = await (open as OpenProject).send({ method: 'GET', url: path, headers })
      assert.equal(reply.statusCode, 200, reply.payload)
      return JSON.parse(reply.payload).data
    }
    return {
      database,
      lines,
      link,
      sql: (text: string) => run(database, text),
      edit: (name: string, change: (attributes: Attributes) => void) => {
        const file = join(project.folder, `src/api/${name}/content-types/${name}/schema.json`)
        const schema = JSON.parse(readFileSync(file, 'utf8'))
        change(schema.attributes)
        write(name, schema)
      },
      add: (name: string, attributes: object, table = `${name}s`) => {
        write(name, {
          kind: 'collectionType',
          collectionName: table,
          info: { singularName: name, pluralName: `${name}s`, displayName: name },
          options: { draftAndPublish: false },
          attributes,
        })
        for (const [place, text] of Object.entries(generated(`api::${name}.${name}`))) {
          mkdirSync(dirname(join(project.folder, place)), { recursive: true })
          writeFileSync(join(project.folder, place), text)
        }
      },
      async start() {
        const destination = { write: (line: string) => lines.push(JSON.parse(line).msg) }
        open = await openProject(project, variables, createLog('warn', { destination }))
        return open
      },
      async stop() {
        await open?.close()
        open = undefined
      },
      put: async (path: string, data: object) => {
        const reply = await (open as OpenProject).send({ method: 'PUT', url: path, headers, payload: { data } })
        assert.equal(reply.statusCode, 200, reply.payload)
      },
      get: ask,
      attributes: async (path: string) => (await ask(path)).attributes,
      linked: async (path: string, name: string) =>
        (await ask(`${path}?populate[${name}][fields]=id`)).attributes[name].data.map((one: { id: number }) => one.id),
      async say(...args: string[]) {
        const { status, stdout, stderr } = await stele([...args, '--app', project.folder], { env: variables })
        return { code: status, out: stdout, errors: stderr }
      },
    }
  }
  type World = Awaited<ReturnType<typeof opened>>

  async function collections({ add, sql, link, database }: World) {
    add('collection', { name: { type: 'string' }, ...selfRelation })
    await sql(
      `create table collections (${id[database.client]}, name varchar(255), created_at ${database.client === 'sqlite' ? 'datetime' : 'timestamp(6) null'}, updated_at ${database.client === 'sqlite' ? 'datetime' : 'timestamp(6) null'}, created_by_id int, updated_by_id int)`,
    )
    await sql("insert into collections (name) values ('a'), ('b'), ('c'), ('d')")
    await link(selfLinks, 'collection_id', 'inv_collection_id', 'collection_order', 'inv_collection_order')
  }

  it('are those of columns with ordinals and accents, and nothing is added beside them', async () => {
    const world = await opened()
    const { sql, edit, start, attributes, get, put, database } = world
    await sql('alter table tags add column title_1st_row varchar(255)')
    await sql('alter table tags add column grosse varchar(255)')
    await sql("update tags set title_1st_row = 'first', grosse = 'large' where id = 1")
    edit('tag', tag => Object.assign(tag, { Title1stRow: { type: 'string' }, größe: { type: 'string' } }))
    await start()
    const { Title1stRow, größe } = await attributes('/api/tags/1')
    assert.deepEqual([Title1stRow, größe], ['first', 'large'])
    const found = await get(
      `/api/tags?fields=${encodeURIComponent('größe')}&filters[${encodeURIComponent('größe')}]=large`,
    )
    assert.deepEqual(found, [{ id: 1, attributes: { größe: 'large' } }])
    await put('/api/tags/1', { Title1stRow: 'written', größe: 'small' })
    assert.deepEqual(await sql('select title_1st_row, grosse from tags where id = 1'), [
      { title_1st_row: 'written', grosse: 'small' },
    ])
    const { columns } = await layoutOf(database)
    assert.deepEqual([...(columns.get('tags')?.keys() ?? [])].filter(name => /title|gr/.test(name)).sort(), [
      'grosse',
      'title_1st_row',
    ])
  })

  it('are those of the attribute that stands last, where both sides of a relation to itself say inversedBy', async () => {
    const world = await opened()
    const { sql, start, linked, put, lines, database } = world
    await collections(world)
    await sql(
      `insert into ${selfLinks} (collection_id, inv_collection_id, collection_order, inv_collection_order) values (1, 3, 1, 1), (1, 2, 2, 1)`,
    )
    await start()
    assert.deepEqual(await linked('/api/collections/1', 'RelatedCollectionsDestination'), [3, 2])
    assert.deepEqual(await linked('/api/collections/2', 'RelatedCollectionsSource'), [1])
    const [told, ...more] = lines.filter(line => /inversedBy/.test(line))
    assert.deepEqual(more, [])
    assert.match(
      told ?? '',
      /"RelatedCollectionsSource" and "RelatedCollectionsDestination" of api::collection\.collection both say inversedBy; the latter comes last and is taken for the owner/,
    )
    await put('/api/collections/4', { RelatedCollectionsSource: [2] })
    assert.deepEqual(
      await sql(`select collection_id, inv_collection_id from ${selfLinks} where inv_collection_id = 4`),
      [{ collection_id: 2, inv_collection_id: 4 }],
    )
    assert.equal((await layoutOf(database)).columns.has('collections_related_collections_source_links'), false)
  })

  /** A database in which an earlier version has stored things beside their place, and recorded them there. */
  async function misplaced() {
    const world = await opened()
    const { sql, edit, add, link, start, stop } = world
    await collections(world)
    edit('tag', tag =>
      Object.assign(tag, {
        Title1stRow: { type: 'string' },
        code1st: { type: 'uid' },
        place1st: { type: 'relation', relation: 'manyToMany', target: 'api::article.article' },
      }),
    )
    add('top-1st', { tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' } }, 'tops')
    await start()
    await stop()
    const [{ value } = {}] = await sql("select value from stele_schema where name = 'layout'")
    const earlier = String(value)
      .replaceAll('title_1st_row', 'title_1_st_row')
      .replaceAll('code_1st', 'code_1_st')
      .replaceAll('tags_place_1st', 'tags_place_1_st')
      .replaceAll('top_1st', 'top_1_st')
      .replaceAll('related_collections_destination', 'related_collections_source')
      .replaceAll('"attribute":"RelatedCollectionsDestination"', '"attribute":"RelatedCollectionsSource"')
    assert.notEqual(earlier, value)
    await sql(`update stele_schema set value = '${earlier}' where name = 'layout'`)
    await sql('alter table tags add column title_1_st_row varchar(255)')
    await sql('alter table tags add column code_1_st varchar(255)')
    await sql('alter table tops_tags_links add column top_1_st_id int')
    await link('tags_place_1_st_links', 'tag_id', 'article_id', 'article_order')
    await link(
      'collections_related_collections_source_links',
      'collection_id',
      'inv_collection_id',
      'collection_order',
      'inv_collection_order',
    )
    return world
  }

  it('of what an earlier version stored beside its place are said, and stele apply moves it there', async () => {
    const { sql, start, stop, lines, say, attributes, linked, database } = await misplaced()
    await sql("update tags set title_1st_row = 'strapi', title_1_st_row = 'other' where id = 1")
    await sql("update tags set title_1_st_row = 'moved' where id = 2")
    await sql("update tags set title_1st_row = 'same', title_1_st_row = 'same' where id = 3")
    await sql("update tags set code_1st = 'one' where id = 1")
    await sql("update tags set code_1_st = 'one' where id = 2")
    await sql("update tags set code_1_st = 'three' where id = 3")
    await sql('insert into tags_place_1st_links (tag_id, article_id, article_order) values (1, 5, 1), (3, 4, 1)')
    await sql(
      'insert into tags_place_1_st_links (tag_id, article_id, article_order) values (1, 1, 1), (2, 3, 2), (2, 6, 1), (3, 4, 1), (4, 9999, 1)',
    )
    await sql('insert into tops (created_at) values (null), (null)')
    await sql('insert into tops_tags_links (top_1st_id, tag_id, tag_order) values (1, 1, 1)')
    await sql('insert into tops_tags_links (top_1_st_id, tag_id, tag_order) values (1, 2, 1), (2, 3, 1)')
    await sql(
      'insert into collections_related_collections_source_links (collection_id, inv_collection_id, collection_order, inv_collection_order) values (2, 1, 1, 1), (3, 1, 1, 2)',
    )
    const stored = async () => ({
      tags: await sql(
        'select id, title_1st_row, title_1_st_row, code_1st, code_1_st from tags where id < 4 order by id',
      ),
      places: await sql('select tag_id, article_id from tags_place_1_st_links order by id'),
    })
    const before = await stored()

    await start()
    const told = lines.filter(line => /beside its place/.test(line))
    assert.match(told.join('\n'), /move 2 values of tags\.title_1_st_row to tags\.title_1st_row; nothing is lost/)
    assert.equal((await attributes('/api/tags/2')).Title1stRow, null)
    await stop()
    assert.deepEqual(await stored(), before, 'a start moves nothing')

    const sentences = [
      'move 2 values of tags.title_1_st_row to tags.title_1st_row',
      'move 1 value of tags.code_1_st to tags.code_1st',
      'move 3 links of tags_place_1_st_links to tags_place_1st_links',
      'move 1 link of tops_tags_links (top_1_st_id) to tops_tags_links (top_1st_id)',
      `move 2 links of collections_related_collections_source_links to ${selfLinks}`,
    ]
    const doctor = await say('doctor')
    for (const sentence of sentences) assert.ok(doctor.out.includes(sentence), `${sentence}\n${doctor.out}`)
    const plan = JSON.parse((await say('plan', '--json')).out)
    const of = (group: string) =>
      plan.changes
        .filter((change: { group: string }) => change.group === group)
        .map((change: { describe: string }) => change.describe)
    assert.deepEqual(of('misplaced').sort(), [...sentences].sort())
    assert.deepEqual(of('removals'), [], 'what still holds something is not removed')
    assert.deepEqual(plan.prevented.map(({ describe }: { describe: string }) => describe).sort(), [
      'move 1 link of tags_place_1_st_links to tags_place_1st_links: the entry has other links there',
      'move 1 link of tops_tags_links (top_1_st_id) to tops_tags_links (top_1st_id): the entry has other links there',
      'move 1 value of tags.code_1_st to tags.code_1st: another value is there, or an entry that has it already',
      'move 1 value of tags.title_1_st_row to tags.title_1st_row: another value is there, or an entry that has it already',
    ])
    assert.deepEqual(await stored(), before, 'a plan moves nothing')

    const done = await say('apply', '--yes')
    assert.equal(done.code, 0, done.errors)
    assert.deepEqual(await stored(), {
      tags: [
        { id: 1, title_1st_row: 'strapi', title_1_st_row: 'other', code_1st: 'one', code_1_st: null },
        { id: 2, title_1st_row: 'moved', title_1_st_row: null, code_1st: null, code_1_st: 'one' },
        { id: 3, title_1st_row: 'same', title_1_st_row: null, code_1st: 'three', code_1_st: null },
      ],
      places: [
        { tag_id: 1, article_id: 1 },
        { tag_id: 4, article_id: 9999 },
      ],
    })
    await start()
    assert.equal((await attributes('/api/tags/2')).Title1stRow, 'moved')
    assert.deepEqual(await linked('/api/tags/1', 'place1st'), [5])
    assert.deepEqual(await linked('/api/tags/2', 'place1st'), [6, 3])
    assert.deepEqual(await linked('/api/tags/3', 'place1st'), [4])
    assert.deepEqual(await linked('/api/top-1sts/1', 'tags'), [1])
    assert.deepEqual(await linked('/api/top-1sts/2', 'tags'), [3])
    assert.deepEqual(await linked('/api/collections/1', 'RelatedCollectionsDestination'), [2, 3])
    assert.deepEqual(await linked('/api/collections/2', 'RelatedCollectionsSource'), [1])
    await stop()

    const [conflict] = await sql('select id from tops_tags_links where top_1_st_id = 1')
    await sql(`delete from tops_tags_links where id = ${conflict?.id}`)
    await sql('update tags set title_1_st_row = null, code_1_st = null')
    await sql('delete from tags_place_1_st_links where tag_id = 1')
    const left = JSON.parse((await say('plan', '--json')).out)
    assert.deepEqual(left.prevented, [])
    assert.deepEqual(
      left.changes.map(({ group, describe }: { group: string; describe: string }) => `${group}: ${describe}`).sort(),
      [
        'removals: drop the column tags.code_1_st and its 0 values',
        'removals: drop the column tags.title_1_st_row and its 0 values',
        'removals: drop the column tops_tags_links.top_1_st_id and its 0 values',
        'removals: drop the table collections_related_collections_source_links and its 0 rows',
        'removals: drop the table tags_place_1_st_links and its 1 row',
      ],
    )
    assert.equal((await say('apply', '--yes')).code, 0)
    assert.equal((await layoutOf(database)).columns.has('tags_place_1_st_links'), false)
    assert.equal((await say('plan')).code, 0)
  })
})

onEveryEngine('a column of an app that an earlier version called otherwise', engine => {
  it('is a rename: a start refuses, and stele apply keeps what is stored', async () => {
    const app = await home(engine)
    const types = (attribute: object) => ({ types: { note: { attributes: { Title1stRow: attribute } } } })
    await app.during(types({ type: 'string', column: { name: 'title_1_st_row' } }), world =>
      world.make('/notes', { Title1stRow: 'kept' }),
    )
    app.files(types({ type: 'string' }))
    const refused = await app.say('start', '--port', '0')
    assert.equal(refused.code, 65)
    assert.match(refused.errors, /the column notes\.title_1_st_row becomes title_1st_row/)
    assert.equal((await app.say('apply', '--yes')).code, 0)
    assert.deepEqual(await app.sql('select title_1st_row from notes'), [{ title_1st_row: 'kept' }])
    assert.equal((await app.say('plan')).code, 0)
  })
})
