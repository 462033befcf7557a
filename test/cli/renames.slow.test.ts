import assert from 'node:assert/strict'
import { describe, it, vi } from 'vitest'
import { connect } from '../../core/boot/connect.js'
import { requirementsOf } from '../../core/boot/database.js'
import { loadConfig } from '../../core/boot/load-config.js'
import { outline } from '../../core/boot/outline.js'
import type { Engine, Session } from '../../core/engines/engine.js'
import { applyChanges } from '../../core/layout/change/apply.js'
import { planChanges } from '../../core/layout/change/plan.js'
import { readRecordedLayout } from '../../core/layout/recorded-layout.js'
import { createLog } from '../../core/log.js'
import { wings } from '../../core/wings.js'
import { apiTokens } from '../../plugins/api-tokens/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { usersPermissions } from '../../plugins/users-permissions/index.js'
import { idsOf, type Server } from '../support/contract.js'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { runUnchecked } from '../support/run.js'
import { type Home, home, type Schemas } from './schema-home.js'

// A test runs many commands.
vi.setConfig({ testTimeout: 120_000 })
const text = { type: 'string' }
const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})
const title = async (world: Server, id: number) => (await world.get(`/notes/${id}`)).body.data.attributes.title
const attributes = async (world: Server, path: string) => (await world.get(path)).body.data.attributes

/** Applies what is planned, until a statement that is never sent; nothing reaches the database from then on. */
async function dieAt(statement: RegExp, { folder, env }: Pick<Home, 'folder' | 'env'>): Promise<void> {
  const log = createLog('silent')
  const config = await loadConfig(folder, { env: { ...env } })
  const outlined = await outline({ wings, config, log, plugins: [] })
  const engine = await connect(config, log)
  let isDead = false
  const dying = (session: Session): Session => ({
    ...session,
    all: (sql, values) => session.all(sql, values),
    run(sql, values) {
      isDead ||= statement.test(sql)
      if (isDead) throw new Error('dead')
      return session.run(sql, values)
    },
  })
  const mortal: Engine = {
    ...engine,
    altering: work => engine.altering(session => work(dying(session))),
    transaction: work => engine.transaction(session => work(dying(session))),
  }
  const {
    registry,
    tables: wanted,
    uidColumns,
    pluginsOfApp,
    foreign,
  } = requirementsOf(outlined, engine, wings.foreign.layout)
  const found = await engine.introspect()
  const known = await readRecordedLayout(engine, wanted, found, foreign)
  const plan = await planChanges(
    { engine, registry, wanted, known, found },
    { uidColumns, pluginsOfApp, foreign, progress: () => () => undefined },
  )
  const lease = { check: () => undefined }
  const job = { ...plan, engine: mortal, wanted, lease, begin: () => undefined, progress: () => () => undefined }
  await assert.rejects(applyChanges(job), /dead/)
  await engine.close()
}

onEveryEngineAtLength('stele apply of a rename', engine => {
  /** A database that a server with the former schema filled, made ready for the next by `stele apply`. */
  async function renamed<T>(former: Schemas, next: Schemas, fill: (world: Server) => Promise<T>) {
    const app = await home(engine)
    const made = await app.during(former, fill)
    app.files(next)
    assert.equal((await app.say('plan')).code, 2)
    await assert.rejects(
      app.during(next, async () => undefined),
      /a start renames nothing:\n {2}.*stele apply/s,
    )
    const { code, out, errors } = await app.say('apply', '--yes')
    assert.equal(code, 0, errors)
    const left = await app.say('plan')
    assert.equal(left.code, 0, left.out)
    return { app, made, out }
  }

  it('keeps the values of an attribute, and what is unique', async () => {
    const former = { types: { note: { attributes: { title: { ...text, unique: true }, views: { type: 'integer' } } } } }
    const next = {
      types: {
        note: {
          attributes: {
            name: { ...text, unique: true, renamedFrom: 'title' },
            seen: { type: 'integer', renamedFrom: 'views' },
          },
        },
      },
    }
    const { app, made: id } = await renamed(former, next, world => world.make('/notes', { title: 'kept', views: 7 }))
    await app.during(next, async world => {
      const { name, seen } = await attributes(world, `/notes/${id}`)
      assert.deepEqual([name, seen], ['kept', 7])
      assert.equal((await world.post('/notes', { name: 'kept' })).status, 400)
    })
    assert.equal((await app.say('plan')).code, 0)
  })

  it('keeps the links of a relation in their order, and leaves the old name free', async () => {
    const tag = (more: object) => ({ attributes: { name: text, ...more } })
    const former = {
      types: {
        note: { attributes: { tags: relation('manyToMany', 'tag', { inversedBy: 'notes' }) } },
        tag: tag({ notes: relation('manyToMany', 'note', { mappedBy: 'tags' }) }),
      },
    }
    const labels = relation('manyToMany', 'tag', { inversedBy: 'texts', renamedFrom: 'tags' })
    const next = {
      types: {
        note: { attributes: { labels } },
        tag: tag({ texts: relation('manyToMany', 'note', { mappedBy: 'labels', renamedFrom: 'notes' }) }),
      },
    }
    const { app, made } = await renamed(former, next, async world => {
      const ids = [await world.make('/tags'), await world.make('/tags'), await world.make('/tags')].reverse()
      return { ids, id: await world.make('/notes', { tags: ids }) }
    })
    await app.during(next, async world => {
      assert.deepEqual(idsOf(await world.get(`/notes/${made.id}?populate=*`), 'labels'), made.ids)
      assert.deepEqual(idsOf(await world.get(`/tags/${made.ids[0]}?populate=*`), 'texts'), [made.id])
      assert.equal((await world.put(`/notes/${made.id}`, { labels: { disconnect: [made.ids[1]] } })).status, 200)
    })
    const settled = relation('manyToMany', 'tag', { inversedBy: 'texts' })
    const again = {
      types: {
        note: { attributes: { labels: settled, tags: relation('manyToMany', 'tag') } },
        tag: tag({ texts: relation('manyToMany', 'note', { mappedBy: 'labels' }) }),
      },
    }
    await app.during(again, async world => {
      assert.equal((await world.put(`/notes/${made.id}`, { tags: made.ids })).status, 200)
      const reply = await world.get(`/notes/${made.id}?populate=*`)
      assert.deepEqual(idsOf(reply, 'labels'), [made.ids[0], made.ids[2]])
      assert.deepEqual(idsOf(reply, 'tags'), made.ids)
    })
  })

  it('keeps components and zones', async () => {
    const components = {
      'shared.seo': {
        attributes: { title: text, links: { type: 'component', component: 'shared.link', repeatable: true } },
      },
      'shared.link': { attributes: { url: text } },
    }
    const parts = (seo: object, body: object) => ({ types: { note: { attributes: { ...seo, ...body } } }, components })
    const seo = { type: 'component', component: 'shared.seo' }
    const zone = { type: 'dynamiczone', components: ['shared.seo', 'shared.link'] }
    const former = parts({ seo }, { body: zone })
    const next = parts({ meta: { ...seo, renamedFrom: 'seo' } }, { parts: { ...zone, renamedFrom: 'body' } })
    const { app, made: id } = await renamed(former, next, world =>
      world.make('/notes', {
        seo: { title: 's', links: [{ url: 'a' }, { url: 'b' }] },
        body: [
          { __component: 'shared.link', url: 'c' },
          { __component: 'shared.seo', title: 'd' },
        ],
      }),
    )
    await app.during(next, async world => {
      const { meta, parts } = await attributes(
        world,
        `/notes/${id}?populate[meta][populate]=*&populate[parts][populate]=*`,
      )
      assert.deepEqual([meta.title, meta.links.map(({ url }: { url: string }) => url)], ['s', ['a', 'b']])
      assert.deepEqual(
        parts.map(({ url, title }: Record<string, string>) => url ?? title),
        ['c', 'd'],
      )
    })
  })

  it('keeps polymorphic links, whichever end is renamed', async () => {
    const former = {
      types: {
        note: { attributes: { title: text, marks: relation('morphMany', 'mark', { morphBy: 'subjects' }) } },
        mark: { attributes: { name: text, subjects: { type: 'relation', relation: 'morphToMany' } } },
      },
    }
    const next = {
      types: {
        memo: {
          renamedFrom: 'note',
          attributes: {
            title: text,
            signs: relation('morphMany', 'mark', { morphBy: 'things', renamedFrom: 'marks' }),
          },
        },
        mark: {
          attributes: { name: text, things: { type: 'relation', relation: 'morphToMany', renamedFrom: 'subjects' } },
        },
      },
    }
    const { app, made } = await renamed(former, next, async world => {
      const marks = [await world.make('/marks', { name: 'a' }), await world.make('/marks', { name: 'b' })]
      return { marks, id: await world.make('/notes', { title: 't', marks }) }
    })
    await app.during(next, async world => {
      assert.deepEqual(idsOf(await world.get(`/memos/${made.id}?populate=*`), 'signs'), made.marks)
      assert.equal((await attributes(world, `/marks/${made.marks[0]}?populate=*`)).things.data[0].attributes.title, 't')
    })
  })

  it('keeps a whole type: entries, links from both ends, components, drafts, rights', async () => {
    const plugins = [draftAndPublish, usersPermissions, [apiTokens, { salt: 'a salt' }] as const]
    const components = { 'shared.seo': { attributes: { title: text, best: relation('oneToOne', 'tag') } } }
    const of = (name: string, more: object): Schemas => ({
      types: {
        [name]: {
          options: { draftAndPublish: true },
          attributes: {
            title: text,
            tags: relation('manyToMany', 'tag', { inversedBy: 'notes' }),
            parent: relation('manyToOne', name, { inversedBy: 'children' }),
            children: relation('oneToMany', name, { mappedBy: 'parent' }),
            seo: { type: 'component', component: 'shared.seo' },
          },
          ...more,
        },
        tag: {
          attributes: {
            name: text,
            notes: relation('manyToMany', name, { mappedBy: 'tags' }),
            first: relation('oneToOne', name),
          },
        },
      },
      components,
      plugins,
    })
    const next = of('memo', { renamedFrom: 'note' })
    const { app, made, out } = await renamed(of('note', {}), next, async ({ app: { entries } }) => {
      const [tags, all] = [entries('api::tag.tag'), entries('api::note.note')]
      const two = [await tags.create({ name: 'a' }), await tags.create({ name: 'b' })].map(({ id }) => Number(id))
      const parent = await all.create({ title: 'parent', publishedAt: null })
      const seo = { title: 's', best: two[1] }
      const child = await all.create({
        title: 'child',
        publishedAt: null,
        tags: [...two].reverse(),
        parent: parent.id,
        seo,
      })
      await tags.update(two[0] as number, { first: child.id })
      const editor = await entries('plugin::users-permissions.role').create({ name: 'Editor', type: 'editor' })
      for (const action of ['api::note.note.find', 'api::tag.tag.find'])
        await entries('plugin::users-permissions.permission').create({ action, role: editor.id })
      return { two, parent: Number(parent.id), child: Number(child.id), editor: editor.id }
    })
    assert.match(out, /the table notes becomes memos/)
    await app.during(next, async ({ app: { entries } }) => {
      const memos = entries('api::memo.memo')
      const populate = { tags: true, parent: true, children: true, seo: { populate: '*' } }
      const child = await memos.first({ where: { id: made.child }, populate })
      const { tags, parent, seo } = child as unknown as Record<
        string,
        { id: number; title: string; best: { id: number } }
      > & {
        tags: { id: number }[]
      }
      assert.deepEqual(
        tags.map(({ id }) => id),
        [...made.two].reverse(),
      )
      assert.equal(parent?.id, made.parent)
      assert.deepEqual([seo?.title, seo?.best.id], ['s', made.two[1]])
      const tag = await entries('api::tag.tag').first({ where: { id: made.two[0] as number }, populate: '*' })
      assert.equal((tag?.first as { id: number } | undefined)?.id, made.child)
      // A type that drafts begin to apply to has all of its entries published.
      const drafts = await memos.find({
        where: { publishedAt: { $null: true } },
        params: { publicationState: 'preview' },
      })
      assert.deepEqual(drafts.map(({ title }) => title).sort(), ['child', 'parent'])
      const rights = await entries('plugin::users-permissions.permission').find({
        where: { role: { id: made.editor as number } },
        sort: 'action',
      })
      assert.deepEqual(
        rights.map(({ action }) => action),
        ['api::memo.memo.find', 'api::tag.tag.find'],
      )
      await memos.update(made.child, { tags: made.two })
      await memos.delete(made.parent)
    })
  })

  it('keeps a component, wherever it stands', async () => {
    const types = (uid: string) => ({
      note: {
        attributes: {
          seo: { type: 'component', component: uid },
          body: { type: 'dynamiczone', components: [uid] },
        },
      },
      tag: { attributes: { name: text } },
    })
    const seo = { attributes: { title: text, tags: relation('oneToMany', 'tag') } }
    const former = { types: types('shared.seo'), components: { 'shared.seo': seo } }
    const next = {
      types: types('site.meta-data'),
      components: { 'site.meta-data': { ...seo, renamedFrom: 'shared.seo' } },
    }
    const { app, made } = await renamed(former, next, async world => {
      const tags = [await world.make('/tags'), await world.make('/tags')]
      const body = [{ __component: 'shared.seo', title: 'z' }]
      return { tags, id: await world.make('/notes', { seo: { title: 's', tags }, body }) }
    })
    await app.during(next, async world => {
      const { seo, body } = await attributes(world, `/notes/${made.id}?populate[seo][populate]=*&populate[body]=*`)
      assert.deepEqual([seo.title, seo.tags.data.map(({ id }: { id: number }) => id)], ['s', made.tags])
      assert.deepEqual(
        body.map(({ __component, title }: Record<string, string>) => [__component, title]),
        [['site.meta-data', 'z']],
      )
    })
  })

  it('knows a table or column whose name is set, without being told', async () => {
    const former = { types: { note: { attributes: { title: text } } } }
    const next = {
      types: { note: { collectionName: 'papers', attributes: { title: { ...text, column: { name: 'headline' } } } } },
    }
    const { app, made: id } = await renamed(former, next, world => world.make('/notes', { title: 'kept' }))
    await app.during(next, async world => assert.equal(await title(world, id), 'kept'))
    assert.deepEqual(await app.sql('select headline from papers'), [{ headline: 'kept' }])
  })

  it('takes the place of an empty column that a start has made', async () => {
    const former = { types: { note: { attributes: { title: { ...text, unique: true } } } } }
    const name = { ...text, unique: true }
    const app = await home(engine)
    const id = await app.during(former, world => world.make('/notes', { title: 'kept' }))
    await app.during({ types: { note: { attributes: { name } } } }, async () => undefined)
    const next = { types: { note: { attributes: { name: { ...name, renamedFrom: 'title' } } } } }
    app.files(next)
    assert.equal((await app.say('apply', '--yes')).code, 0)
    await app.during(next, async world => assert.equal((await attributes(world, `/notes/${id}`)).name, 'kept'))
    assert.equal((await app.say('plan')).code, 0)
  })

  it('leaves both alone where both hold something, and says so', async () => {
    const app = await home(engine)
    await app.during({ types: { note: { attributes: { title: text } } } }, world =>
      world.make('/notes', { title: 'old' }),
    )
    await app.during({ types: { note: { attributes: { name: text } } } }, world =>
      world.make('/notes', { name: 'new' }),
    )
    const next = { types: { note: { attributes: { name: { ...text, renamedFrom: 'title' } } } } }
    app.files(next)
    const { code, out } = await app.say('plan')
    assert.equal(code, 0, out)
    assert.match(out, /notes\.title cannot become name: both are there, and name has 1 value;/)
    assert.equal((await app.say('apply', '--yes')).code, 0)
    assert.deepEqual(await app.sql('select title, name from notes order by id'), [
      { title: 'old', name: null },
      { title: null, name: 'new' },
    ])
    await app.during(next, async world => assert.equal((await world.get('/notes')).status, 200))
  })

  it('takes the place of an empty table that a start has made, and of no other', async () => {
    const former = { types: { note: { attributes: { title: text } } } }
    const next = (more: object): Schemas => ({ types: { memo: { attributes: { title: text }, ...more } } })
    const app = await home(engine)
    const id = await app.during(former, world => world.make('/notes', { title: 'kept' }))
    const mine = await app.during(next({}), world => world.make('/memos', { title: 'mine' }))
    app.files(next({ renamedFrom: 'note' }))
    const { code, out } = await app.say('plan')
    assert.equal(code, 0, out)
    assert.match(out, /notes cannot become memos: both are there, and memos has 1 row; move them by hand/)
    await app.during(next({}), async world => assert.equal((await world.delete(`/memos/${mine}`)).status, 200))
    const done = await app.say('apply', '--yes')
    assert.equal(done.code, 0, done.errors)
    assert.match(done.out, /tables without rows make way for renamed ones/)
    await app.during(next({ renamedFrom: 'note' }), async world => {
      assert.equal((await attributes(world, `/memos/${id}`)).title, 'kept')
    })
    assert.equal((await app.say('plan')).code, 0)
  })

  it('goes on where it was broken off', async () => {
    const app = await home(engine)
    const of = (name: string, more: object = {}): Schemas => ({
      types: {
        [name]: {
          attributes: { title: text, tags: relation('manyToMany', 'tag'), best: relation('oneToOne', 'tag') },
          ...more,
        },
        tag: { attributes: { name: text } },
      },
    })
    const made = await app.during(of('note'), async world => {
      const tags = [await world.make('/tags'), await world.make('/tags')]
      return { tags, id: await world.make('/notes', { title: 'kept', tags, best: tags[1] }) }
    })
    // MySQL looks at the keys of a table when they get their new names, and stops at this one.
    await runUnchecked(app.database, `insert into notes_tags_links (note_id, tag_id) values (99, ${made.tags[0]})`)
    const next = of('memo', { renamedFrom: 'note' })
    app.files(next)
    const first = await app.say('apply', '--yes')
    assert.equal(first.code, engine.name === 'mysql' ? 1 : 0, first.errors)
    if (first.code === 1) {
      assert.match(first.errors, /1 of \d changes were made; `stele plan` shows what is left/)
      await assert.rejects(
        app.during(next, async () => undefined),
        /a start renames nothing/,
      )
      await app.sql('delete from memos_tags_links where memo_id = 99')
      const second = await app.say('apply', '--yes')
      assert.equal(second.code, 0, second.errors)
    }
    assert.equal((await app.say('plan')).code, 0)
    await app.during(next, async world => {
      const reply = await world.get(`/memos/${made.id}?populate=*`)
      assert.equal(reply.body.data.attributes.title, 'kept')
      assert.deepEqual([idsOf(reply, 'tags'), idsOf(reply, 'best')], [made.tags, made.tags[1]])
    })
  })

  it('goes on where its process died between two statements', async () => {
    const app = await home(engine)
    const of = (name: string, more: object = {}): Schemas => ({
      types: {
        [name]: { attributes: { title: text, tags: relation('manyToMany', 'tag') }, ...more },
        tag: { attributes: {} },
      },
    })
    const made = await app.during(of('note'), async world => {
      const tags = [await world.make('/tags'), await world.make('/tags')]
      return { tags, id: await world.make('/notes', { title: 'kept', tags }) }
    })
    const next = of('memo', { renamedFrom: 'note' })
    app.files(next)
    await dieAt(/rename column/, app)
    const { code, errors } = await app.say('apply', '--yes')
    assert.equal(code, 0, errors)
    assert.equal((await app.say('plan')).code, 0)
    await app.during(next, async world => {
      assert.deepEqual(idsOf(await world.get(`/memos/${made.id}?populate=*`), 'tags'), made.tags)
    })
  })

  it('is a note on a new database: there is nothing to rename', async () => {
    const app = await home(engine)
    const types = { note: { renamedFrom: 'memo', attributes: { name: { ...text, renamedFrom: 'title' } } } }
    await app.during({ types }, async world => assert.equal((await world.post('/notes', { name: 'n' })).status, 200))
    app.files({ types })
    assert.equal((await app.say('plan')).code, 0)
  })
})

describe('renamedFrom', () => {
  const cases = [
    {
      says: 'an attribute that is still there',
      types: { note: { attributes: { title: text, name: { ...text, renamedFrom: 'title' } } } },
      gives: /note\.json: attribute "name": renamedFrom names "title", and there still is an attribute of this name/,
    },
    {
      says: 'one attribute twice',
      types: { note: { attributes: { a: { ...text, renamedFrom: 'c' }, b: { ...text, renamedFrom: 'c' } } } },
      gives: /attribute "b": renamedFrom names "c", and so does .*attribute "a"/,
    },
    {
      says: 'a type that is still there',
      types: { note: { renamedFrom: 'tag' }, tag: {} },
      gives: /note\.json: renamedFrom names "api::tag\.tag", and there still is a type of this name/,
    },
  ]
  for (const { says, types, gives } of cases)
    it(`does not name ${says}`, async () => {
      const app = await home()
      app.files({ types: types as Schemas['types'] })
      const { code, errors } = await app.say('plan')
      assert.equal(code, 78)
      assert.match(errors, gives)
    })
})
