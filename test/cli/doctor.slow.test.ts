import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, vi } from 'vitest'
import { apiTokens } from '../../plugins/api-tokens/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { upload } from '../../plugins/upload/index.js'
import { usersPermissions } from '../../plugins/users-permissions/index.js'
import { layoutOf } from '../schema/found.js'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { runUnchecked } from '../support/run.js'
import { type Home, home, type Schemas } from './schema-home.js'

// A test runs many commands.
vi.setConfig({ testTimeout: 120_000 })
interface PrintedFinding {
  readonly check: string
  readonly severity: string
  readonly says: string
  readonly examples: readonly string[]
  readonly advice: string
  readonly fixable: boolean
  readonly fixed: boolean
}

const text = { type: 'string' }
const tags = { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'notes' }
const plain: Schemas = {
  types: {
    note: {
      attributes: {
        title: { ...text, unique: true },
        tags,
        best: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
        seo: { type: 'component', component: 'shared.seo' },
        marks: { type: 'relation', relation: 'morphMany', target: 'api::mark.mark', morphBy: 'things' },
      },
    },
    tag: {
      attributes: {
        name: text,
        notes: { type: 'relation', relation: 'manyToMany', target: 'api::note.note', mappedBy: 'tags' },
      },
    },
    mark: { attributes: { name: text, things: { type: 'relation', relation: 'morphToMany' } } },
  },
  components: { 'shared.seo': { attributes: { title: text } } },
}

onEveryEngineAtLength('stele doctor', engine => {
  const findings = async (app: Home, ...more: string[]): Promise<PrintedFinding[]> =>
    (await app.json('doctor', ...more)).findings
  const brief = (found: readonly PrintedFinding[]) =>
    found.map(({ check, severity, says }) => `${severity} ${check}: ${says}`)
  /** Rows that no constraint of the database would let in, such as those of a dump. */
  const force = async (app: Home, ...statements: string[]) => {
    for (const sql of statements) await runUnchecked(app.database, sql)
  }

  it('finds nothing wrong with a database that is in order, and changes nothing', async () => {
    const app = await home(engine)
    await app.during(plain, async world => {
      const tags = [await world.make('/tags'), await world.make('/tags')]
      const marks = [await world.make('/marks'), await world.make('/marks')]
      const id = await world.make('/notes', { title: 'a', tags, best: tags[0], seo: { title: 's' }, marks })
      await world.make('/notes', { title: 'b', tags })
      await world.put(`/notes/${id}`, { tags: { disconnect: [tags[0]] } })
    })
    app.files(plain)
    const before = await layoutOf(app.database)
    const { code, out, errors } = await app.say('doctor')
    assert.deepEqual([code, out], [0, '8 checks: 0 errors, 0 warnings, 0 notes\n'], errors)
    assert.deepEqual(await layoutOf(app.database), before)
    assert.deepEqual(await findings(app, '--fix'), [])
  })

  it('tells of links that lead to nothing, lists without order and doubles, and mends what is safe', async () => {
    const app = await home(engine)
    const made = await app.during(plain, async world => {
      const tags = [await world.make('/tags'), await world.make('/tags'), await world.make('/tags')]
      return { tags, note: await world.make('/notes', { tags, best: tags[0], seo: { title: 's' } }) }
    })
    const order = engine.name === 'mysql' ? '`order`' : '"order"'
    await force(
      app,
      `insert into notes_best_links (note_id, tag_id) values (${made.note}, ${made.tags[1]})`,
      `insert into notes_tags_links (note_id, tag_id, tag_order) values (99, ${made.tags[0]}, 1), (${made.note}, 98, 1)`,
      `insert into notes_components (entity_id, component_id, component_type, field, ${order}) values (${made.note}, 97, 'shared.seo', 'seo', 2)`,
      `insert into notes_components (entity_id, component_id, component_type, field, ${order}) values (${made.note}, 1, 'shared.gone', 'seo', 2)`,
      `insert into marks_things_morphs (mark_id, things_id, things_type, field, ${order}) values (96, ${made.note}, 'api::note.note', 'marks', 1)`,
      `insert into components_shared_seos (title) values ('nobody''s')`,
      `update notes_tags_links set tag_order = 5 where tag_id = ${made.tags[2]}`,
      `update notes_tags_links set tag_order = 1 where tag_id = ${made.tags[1]}`,
    )
    app.files(plain)
    const found = await findings(app)
    assert.deepEqual(brief(found).sort(), [
      'note links: rows of components_shared_seos that belong to no entry: 1',
      'note links: rows of notes_components that name types or attributes which are not there: 1',
      'warning links: rows of marks_things_morphs that lead to nothing, or from nothing: 1',
      'warning links: rows of notes_components that lead to nothing, or from nothing: 1',
      'warning links: rows of notes_tags_links that lead to nothing, or from nothing: 2',
      'warning lists: entries of api::note.note with more than one best, which leads to one only: 1',
      'warning lists: entries of api::note.note with more than one seo, which leads to one only: 1',
      'warning lists: lists of api::note.note.tags that do not count 1, 2, 3: 1',
    ])
    assert.deepEqual(
      found.map(({ severity }) => severity).filter((severity, index, all) => severity !== all[index - 1]),
      ['warning', 'note'],
      'the worst comes first',
    )
    assert.equal((await app.say('doctor')).code, 0, 'warnings are no failure')
    const fixed = (await findings(app, '--fix')).filter(one => one.fixed)
    assert.equal(fixed.length, 4, JSON.stringify(fixed))
    const left = await findings(app)
    assert.ok(
      left.every(({ fixable }) => !fixable),
      JSON.stringify(left),
    )
    const list = await app.sql(`select tag_id from notes_tags_links where note_id = ${made.note} order by tag_order`)
    assert.deepEqual(
      list.map(({ tag_id }) => Number(tag_id)),
      [made.tags[0], made.tags[1], made.tags[2]],
    )
  })

  it('shows the DDL of indexes that are missing, and adds them', async () => {
    const app = await home(engine)
    await app.during(plain, async () => undefined)
    await app.sql(
      engine.name === 'mysql'
        ? 'drop index notes_tags_links_list on notes_tags_links'
        : 'drop index notes_tags_links_list',
    )
    app.files(plain)
    const [missing] = await findings(app)
    assert.equal(missing?.says, 'missing indexes: 1')
    assert.match(
      missing?.advice ?? '',
      /(create index|add index) .notes_tags_links_list.\s?.*\(.note_id., .tag_order.\);/,
    )
    assert.equal(
      (await layoutOf(app.database)).indexes.some(({ name }) => name === 'notes_tags_links_list'),
      false,
    )
    assert.equal((await findings(app, '--fix'))[0]?.fixed, true)
    assert.ok((await layoutOf(app.database)).indexes.some(({ name }) => name === 'notes_tags_links_list'))
    assert.deepEqual(await findings(app), [])
  })

  it('names the fields of a large table that filters would read all of, with the DDL', async () => {
    const app = await home(engine)
    const types = {
      note: {
        attributes: {
          title: text,
          slug: { type: 'uid' },
          body: { type: 'text' },
          views: { type: 'integer', index: true },
        },
      },
    }
    await app.during({ types }, async world => {
      await world.app.store.transaction(async session => {
        const rows = Array.from({ length: 1000 }, (_, n) => `('${n}')`).join()
        for (let part = 0; part < 10; part += 1) await session.run(`insert into notes (title) values ${rows}`, [])
      })
    })
    app.files({ types })
    const [one, ...more] = await findings(app)
    assert.deepEqual(more, [])
    assert.equal(one?.check, 'indexes')
    assert.deepEqual(one?.examples, ['title', 'createdAt', 'updatedAt'])
    assert.match(one?.advice ?? '', /"index": true.*notes_title_index/s)
  })

  it('tells what a start or stele apply would change, and that the checks of plugins are skipped', async () => {
    const app = await home(engine)
    await app.during({ types: { note: { attributes: { title: text, old: text } } } }, async () => undefined)
    app.files({ types: { note: { attributes: { name: { ...text, renamedFrom: 'title' } } }, tag: { attributes: {} } } })
    const { code, out } = await app.say('doctor')
    assert.equal(code, 1, out)
    assert.match(out, /error: layout: renames to be made: 1\n {2}the column notes\.title becomes name\n/)
    assert.match(out, /note: layout: removals to be made: 1\n {2}drop the column notes\.old and its 0 values\n/)
    assert.match(out, /note: layout: missing tables and columns: 1\n {2}create the table tags\n/)
    assert.match(out, /note: plugins: plugin checks skipped/)
  })

  it('looks at what plugins keep: files, permissions, accounts, tokens, languages', async () => {
    const app = await home(engine)
    const localized = { pluginOptions: { i18n: { localized: true } } }
    const all: Schemas = {
      types: { note: { ...localized, attributes: { title: { ...text, ...localized } } } },
      plugins: [upload, usersPermissions, apiTokens, i18n],
    }
    const made = await app.during(all, async ({ app: { entries } }) => {
      const note = entries('api::note.note')
      const [en, de] = [await note.create({ title: 'en' }), await note.create({ title: 'de' })].map(({ id }) =>
        Number(id),
      )
      const file = { name: 'a', mime: 'text/plain', ext: '.txt', size: 1, url: '/a', provider: 'local' }
      for (const hash of ['here', 'gone']) await entries('plugin::upload.file').create({ ...file, hash })
      const left = { hash: 'waiting', keys: ['waiting.txt'], provider: 'local' }
      await entries('plugin::upload.leftover').create(left)
      const permission = entries('plugin::users-permissions.permission')
      const [role] = await entries('plugin::users-permissions.role').find({ where: { type: 'authenticated' } })
      await permission.create({ action: 'api::gone.gone.find', role: role?.id })
      await permission.create({ action: 'api::note.note.find' })
      await entries('plugin::users-permissions.user').create({
        username: 'ben',
        email: 'ben@example.com',
        provider: 'local',
      })
      const token = { accessKey: 'x', type: 'custom', expiresAt: '2020-01-01T00:00:00.000Z' }
      const { id } = await entries('admin::api-token').create({ ...token, name: 'old' })
      await entries('admin::api-token-permission').create({ action: 'api::gone.gone.find', token: id })
      return { en, de }
    })
    await app.sql('delete from up_users_role_links')
    await app.sql(`update notes set locale = 'de' where id = ${made.de}`)
    await app.sql(
      `insert into notes_localizations_links (note_id, inv_note_id, note_order) values (${made.en}, ${made.de}, 1)`,
    )
    app.files(all)
    app.write('config/plugins.json', {
      upload: true,
      'users-permissions': { config: { jwtSecret: 'tobemodified' } },
      'api-tokens': { config: { salt: 'aaaaaaaaaaaaaaaaaaaaaaaaaaa' } },
      i18n: true,
    })
    mkdirSync(join(app.folder, 'public/uploads'), { recursive: true })
    for (const name of ['here.txt', 'strange.txt', 'waiting.txt'])
      writeFileSync(join(app.folder, 'public/uploads', name), '')
    const { code } = await app.say('doctor')
    assert.equal(code, 1, 'an error is a failure')
    const found = await findings(app)
    const wanted: Record<string, RegExp> = {
      'upload: files': /files without their content.*: 1 of 2$/,
      'users-permissions: secret': /stands in examples/,
      'api-tokens: salt': /repeats a few characters/,
      'users-permissions: permissions': /permissions that name actions which there are not: 1/,
      'users-permissions: roles': /accounts without a role, .*: 1$/,
      'api-tokens: tokens': /actions that tokens list and that there are not: 1/,
      'i18n: locales': /entries of api::note\.note in locales that do not exist, .*: 1$/,
      'i18n: localizations': /localizations of api::note\.note that are known from one side only: 1/,
    }
    for (const [check, says] of Object.entries(wanted))
      assert.ok(
        found.some(one => one.check === check && says.test(one.says)),
        `${check}: ${JSON.stringify(brief(found))}`,
      )
    const strange = found.find(({ says }) => /that belong to no row: 1/.test(says))
    assert.deepEqual(strange?.examples, ['strange.txt'])
    assert.ok(found.some(({ says }) => /tokens that have expired: 1/.test(says)))
    const fixed = (await findings(app, '--fix')).filter(one => one.fixed)
    assert.deepEqual(fixed.map(({ check }) => check).sort(), ['i18n: localizations', 'users-permissions: permissions'])
    const pairs = await app.sql('select note_id as a, inv_note_id as b from notes_localizations_links order by 1')
    assert.deepEqual(
      pairs.map(({ a, b }) => [Number(a), Number(b)]),
      [
        [made.en, made.de],
        [made.de, made.en],
      ],
    )
    const left = await findings(app)
    assert.ok(
      left.every(({ fixable }) => !fixable),
      JSON.stringify(left),
    )
  })

  it('looks at what plugins of the app declare, and one that cannot look keeps no other from it', async () => {
    const app = await home(engine)
    const types = { note: { attributes: { title: text } } }
    await app.during({ types }, async () => undefined)
    app.files({ types })
    writeFileSync(
      join(app.folder, 'mine.mjs'),
      `export const mine = {
        name: 'mine',
        register: () => ({ count: 3 }),
        checks: [
          { name: 'broken', describe: 'x', run() { throw new Error('out of order') } },
          { name: 'own', describe: 'y', run: ({ count }, report) =>
              report({ severity: 'warning', says: 'things: ' + count, advice: 'put them away', fix: { does: 'does it', run() {} } }) },
        ],
      }`,
    )
    app.write('config/plugins.json', { mine: { resolve: './mine.mjs' } })
    assert.deepEqual(brief(await findings(app)), [
      'error mine: broken: it could not be looked at: out of order',
      'warning mine: own: things: 3',
    ])
    const { code, out } = await app.say('doctor', '--fix')
    assert.equal(code, 1)
    assert.match(out, /warning: mine: own: things: 3\n {2}put them away\n {2}fixed: does it\n/)
  })

  it('says what keeps the app from starting', async () => {
    const app = await home(engine)
    app.files({ types: { note: { attributes: { title: { type: 'strin' } } } } })
    const { code, out } = await app.say('doctor')
    assert.equal(code, 1)
    assert.match(out, /^error: app: content-types\/note\.json: attribute "title" has the type "strin"/)
    app.files(plain)
    app.write('config/server.json', { app: { keys: ['k'] } })
    app.write('config/middlewares.json', ['strapi::errors'])
    await app.during(plain, async () => undefined)
    const [note] = await findings(app)
    assert.equal(note?.check, 'settings')
    assert.deepEqual(note?.examples, ['config/middlewares', 'config/server: app'])
  })
})
