import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { createLog } from '../../core/log.js'
import { stele } from '../support/command.js'
import { DatabaseSync } from '../support/sqlite.js'
import { keyOf } from './fixture.js'
import { copyProject, type OpenProject, openProject, type ProjectFolder } from './project.js'

type Attributes = Record<string, Record<string, unknown>>

const to = (relation: string, target: string, more: Record<string, unknown> = {}) => ({
  type: 'relation',
  relation,
  target,
  ...more,
})

/** Tables as the comments plugin of Strapi 4 and the admin panel leave them. */
const tables = `
  create table comments_comment (id integer primary key autoincrement not null, content text);
  insert into comments_comment (id, content) values (1, 'first'), (2, 'second');
  create table tags_comments_links (id integer primary key autoincrement not null, tag_id integer null, comment_id integer null,
    comment_order float null,
    constraint tags_comments_links_fk foreign key (tag_id) references tags (id) on delete cascade,
    constraint tags_comments_links_inv_fk foreign key (comment_id) references comments_comment (id) on delete cascade);
  insert into tags_comments_links (tag_id, comment_id, comment_order) values (1, 1, 1), (2, 2, 1);
  create table components_shared_slides_top_comment_links (id integer primary key autoincrement not null, slide_id integer null, comment_id integer null,
    constraint components_shared_slides_top_comment_links_fk foreign key (slide_id) references components_shared_slides (id) on delete cascade,
    constraint components_shared_slides_top_comment_links_inv_fk foreign key (comment_id) references comments_comment (id) on delete cascade);
  insert into components_shared_slides_top_comment_links (slide_id, comment_id) select id, 1 from components_shared_slides;
`

describe('a relation to a type of a plugin that is not run', () => {
  let project: ProjectFolder
  let open: OpenProject | undefined
  let lines: { msg: string }[]
  beforeEach(() => {
    project = copyProject()
    lines = []
    edit('src/api/tag/content-types/tag/schema.json', attributes => {
      attributes.comments = to('oneToMany', 'plugin::comments.comment')
      attributes.thread = to('oneToOne', 'plugin::comments.thread', { mappedBy: 'related' })
      attributes.editors = to('manyToMany', 'admin::role', { inversedBy: 'tags' })
      attributes.reports = to('morphMany', 'plugin::comments.comment-report', { morphBy: 'related' })
    })
    edit('src/components/shared/slide.json', attributes => {
      attributes.topComment = to('oneToOne', 'plugin::comments.comment')
    })
    const file = new DatabaseSync(project.database)
    file.exec(tables)
    recordLayout(file)
    file.close()
  })
  afterEach(async () => {
    await open?.close()
    open = undefined
    project.remove()
  })
  const edit = (name: string, change: (attributes: Attributes) => void) => {
    const file = join(project.folder, name)
    const schema = JSON.parse(readFileSync(file, 'utf8'))
    change(schema.attributes)
    writeFileSync(file, JSON.stringify(schema))
  }
  /** Strapi 4 records the tables that it creates; a plan would drop recorded tables that are no longer required. */
  const recordLayout = (file: InstanceType<typeof DatabaseSync>) => {
    const row = file.prepare('select id, schema from strapi_database_schema').get() as { id: number; schema: string }
    const layout = JSON.parse(row.schema)
    for (const [name, ...columns] of [
      ['tags_comments_links', 'id', 'tag_id', 'comment_id', 'comment_order'],
      ['components_shared_slides_top_comment_links', 'id', 'slide_id', 'comment_id'],
    ])
      layout.tables.push({ name, columns: columns.map(column => ({ name: column })), indexes: [] })
    file.prepare('update strapi_database_schema set schema = ? where id = ?').run(JSON.stringify(layout), row.id)
  }
  const start = async () => {
    const log = createLog('warn', { destination: { write: line => lines.push(JSON.parse(line)) } })
    open = await openProject(project, {}, log)
  }
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, data?: unknown) => {
    const reply = await (open as OpenProject).send({
      method,
      url: `/api${path}`,
      headers: { authorization: `Bearer ${keyOf('full')}` },
      ...(data !== undefined && { payload: { data } }),
    })
    return { status: reply.statusCode, body: JSON.parse(reply.payload) }
  }
  const rows = (sql: string) => {
    const file = new DatabaseSync(project.database)
    try {
      return file
        .prepare(sql)
        .all()
        .map(row => Object.values(row as object))
    } finally {
      file.close()
    }
  }

  it('is told in one warning for all of them, but for those of a plugin that is only disabled', async () => {
    await start()
    const told = lines.filter(({ msg }) => /not served/.test(msg))
    assert.deepEqual(
      told.map(({ msg }) => msg),
      [
        'src/api/tag/content-types/tag/schema.json: attribute "editors" is not served: it leads to admin::role, ' +
          'and the plugin admin is disabled',
        '4 attributes are not served, because the server does not run the plugins of their targets: ' +
          'comments, thread, reports of api::tag.tag, topComment of shared.slide ' +
          '(plugin::comments.comment, plugin::comments.thread, plugin::comments.comment-report); ' +
          'the links stay in the database unchanged',
      ],
    )
  })

  it('is an attribute that does not exist: not answered, not selected, not written', async () => {
    await start()
    const { body } = await ask('GET', '/tags/1?populate=*')
    assert.deepEqual(
      Object.keys(body.data.attributes).filter(name => /comments|thread|editors|reports/.test(name)),
      [],
    )
    for (const query of ['filters[comments][id]=1', 'sort=comments.id', 'fields=comments', 'filters[editors][id]=1']) {
      const known = await ask('GET', `/tags?${query}`)
      const unknown = await ask('GET', `/tags?${query.replace(/comments|editors/, 'nothing')}`)
      assert.equal(known.status, 400, query)
      assert.equal(unknown.status, 400, query)
      assert.equal(
        known.body.error.message,
        unknown.body.error.message.replace('nothing', query.match(/comments|editors/)?.[0]),
      )
    }
    const before = rows('select * from tags_comments_links')
    const written = await ask('PUT', '/tags/1', { comments: [2], editors: [1], name: 'changed' })
    assert.equal(written.status, 200)
    assert.equal(written.body.data.attributes.name, 'changed')
    assert.deepEqual(rows('select * from tags_comments_links'), before)
  })

  it('keeps its links when entries and components change, and lets entries be deleted', async () => {
    await start()
    assert.equal((await ask('PUT', '/tags/1', { name: 'x' })).status, 200)
    assert.equal((await ask('DELETE', '/tags/2')).status, 200)
    assert.deepEqual(rows('select tag_id, comment_id from tags_comments_links'), [[1, 1]])
    const [[article] = []] = rows("select entity_id from articles_components where component_type = 'shared.slide'")
    const [[slide] = []] = rows(
      `select component_id from articles_components where component_type = 'shared.slide' and entity_id = ${article}`,
    )
    const kept = await ask('PUT', `/articles/${article}`, { slides: [{ id: slide, caption: 'y' }] })
    assert.equal(kept.status, 200, JSON.stringify(kept.body))
    assert.deepEqual(
      rows(`select comment_id from components_shared_slides_top_comment_links where slide_id = ${slide}`),
      [[1]],
    )
    assert.equal((await ask('DELETE', `/articles/${article}`)).status, 200)
    assert.deepEqual(rows('select id, content from comments_comment'), [
      [1, 'first'],
      [2, 'second'],
    ])
    assert.deepEqual(rows('pragma foreign_key_check'), [])
  })

  it('is left alone where a polymorphic relation leads to it, whatever is written', async () => {
    edit('src/api/tag/content-types/tag/schema.json', attributes => {
      attributes.things = { type: 'relation', relation: 'morphToMany' }
      attributes.subject = { type: 'relation', relation: 'morphToOne' }
    })
    await start()
    const article = { id: 1, __type: 'api::article.article' }
    assert.equal((await ask('PUT', '/tags/1', { things: [article] })).status, 200)
    const file = new DatabaseSync(project.database)
    file.exec(`insert into tags_things_morphs (tag_id, things_id, things_type, "order") values (1, 1, 'plugin::comments.comment', 2);
      update tags set target_id = 2, target_type = 'plugin::comments.comment' where id = 1`)
    file.close()
    const { body } = await ask('GET', '/tags/1?populate=*')
    assert.doesNotMatch(JSON.stringify(body), /comments/)
    assert.equal((await ask('PUT', '/tags/1', { things: [], subject: null })).status, 200)
    assert.deepEqual(rows('select things_id, things_type from tags_things_morphs'), [[1, 'plugin::comments.comment']])
    assert.deepEqual(rows('select target_id, target_type from tags where id = 1'), [[2, 'plugin::comments.comment']])
    const wrong = await ask('PUT', '/tags/1', { things: [{ id: 1, __type: 'plugin::comments.comment' }] })
    assert.equal(wrong.status, 400, JSON.stringify(wrong.body))
  })

  it('leaves types of the app, and targets that are nowhere, to be checked', async () => {
    edit('src/api/tag/content-types/tag/schema.json', attributes => {
      attributes.typo = to('oneToMany', 'api::artcle.artcle')
    })
    await assert.rejects(start(), {
      name: 'BootError',
      message:
        'src/api/tag/content-types/tag/schema.json: attribute "typo": there is no type "api::artcle.artcle"; did you mean "api::article.article"?',
    })
  })

  it('lets the other side be missing at a type of a plugin that is run', async () => {
    edit('src/api/tag/content-types/tag/schema.json', attributes => {
      attributes.owner = to('manyToOne', 'plugin::users-permissions.user', { inversedBy: 'tags' })
      attributes.likers = to('manyToMany', 'plugin::users-permissions.user', { mappedBy: 'liked' })
    })
    await start()
    assert.equal(lines.filter(({ msg }) => /"owner"/.test(msg)).length, 1, 'it is told')
    assert.equal(lines.filter(({ msg }) => /likers .*plugin::users-permissions.user.liked/.test(msg)).length, 1)
    const { body, status } = await ask('PUT', '/tags/1?populate=*', { owner: 1 })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.data.attributes.owner.data.id, 1)
    assert.equal('likers' in body.data.attributes, false)
  })

  it('is nothing to `stele plan` and `stele doctor`, and named by `stele types`', async () => {
    const say = async (...args: string[]) => await stele([...args, '--json', '--app', project.folder], { env: {} })
    assert.doesNotMatch((await say('plan')).stdout, /comment/)
    const tag = JSON.parse((await say('types')).stdout).find(({ uid }: { uid: string }) => uid === 'api::tag.tag')
    assert.match(tag.notServed.join(), /attribute "comments" is not served: .*plugin::comments\.comment/)
    const doctor = await say('doctor')
    assert.equal(doctor.status, 0, doctor.stdout)
    assert.doesNotMatch(doctor.stdout, /comment|could not be looked at/)
  }, 60_000)
})
