import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, vi } from 'vitest'
import { stele } from '../support/command.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { folderOf, started } from '../support/terminal.js'

// Tests here start several processes each.
vi.setConfig({ testTimeout: 60_000 })
const json = (value: unknown) => JSON.stringify(value)
const typeFile = (name: string, rest: object = {}) =>
  json({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s` },
    attributes: { text: { type: 'string' } },
    ...rest,
  })

const secrets = { JWT_SECRET: 'a secret of this test', API_TOKEN_SALT: 'a salt of this test' }
const files = {
  'package.json': '{"type":"module"}',
  'config/plugins.js': `export default {
    'users-permissions': {
      config: {
        jwtSecret: 'dontshowme',
        jwt: { expiresIn: '1h' },
        email: { provider: 'smtp', providerOptions: { host: 'mail.example.com', auth: { user: 'ann', pass: 'dontshowme' } } },
      },
    },
    'draft-and-publish': false,
    tally: { resolve: './tally.js', config: { apiKey: 'dontshowme', url: 'https://ann:dontshowme@example.com/x', step: 2, quiet: true } },
    tallier: { resolve: './tallier.js' },
  }`,
  'config/permissions.js': `export default { roles: { public: { note: ['find'] } } }`,
  'tally.js': `export const tally = {
    name: 'tally',
    config: { type: 'object', properties: { apiKey: { type: 'string' }, url: { type: 'string' }, step: { type: 'integer', default: 1 }, quiet: { type: 'boolean', default: true } } },
    params: { tally: { read: value => value } },
    routes: [
      { method: 'GET', path: '/tally', action: 'read', describe: 'the tally', run: () => ({}) },
      { method: 'GET', path: '/tally/open', action: null, run: () => ({}) },
      { method: 'POST', path: '/tally', at: 'root', action: 'add', credentials: 'needed', run: () => ({}) },
    ],
  }`,
  'tallier.js': `import { tally } from './tally.js'\nexport const tallier = { name: 'tallier', uses: [tally] }`,
  'content-types/note.json': typeFile('note', {
    options: { draftAndPublish: true },
    attributes: { text: { type: 'string' }, cover: { type: 'media' }, pin: { type: 'string' } },
  }),
  'content-types/about.json': typeFile('about', { kind: 'singleType', collectionName: 'about_us' }),
  'content-types/components/shared/seo.json': json({ collectionName: 'components_seos', attributes: {} }),
}

type Row = Record<string, unknown>

async function list(command: string, folder: string, env: Record<string, string> = {}) {
  const { stdout, stderr, status } = await stele([...command.split(' '), '--app', folder, '--json'], {
    env: { ...secrets, ...env },
  })
  assert.equal(status, 0, stderr)
  return { rows: JSON.parse(stdout) as Row[], stdout, stderr }
}

const shown = async (command: string, folder: string) =>
  (await stele([...command.split(' '), '--app', folder], { env: secrets })).stdout

const byName = (rows: Row[], key: string, name: string): Row => {
  const found = rows.find(row => row[key] === name)
  assert.ok(found, `there is no ${name}`)
  return found
}

describe('stele plugins', () => {
  it('says what is on, why, where it comes from and what it adds', async () => {
    const { rows } = await list('plugins', folderOf(files))
    const brief = (name: string) => {
      const { on, why, from } = byName(rows, 'name', name)
      return [on, why, from]
    }
    assert.deepEqual(brief('users-permissions'), [true, 'config/plugins turns it on', 'stele'])
    assert.deepEqual(brief('draft-and-publish'), [false, 'config/plugins turns it off', 'stele'])
    assert.deepEqual(brief('i18n'), [false, 'config/plugins does not name it', 'stele'])
    assert.deepEqual(brief('tally'), [true, 'config/plugins turns it on', './tally.js'])
    const { parameters, routes, neededBy } = byName(rows, 'name', 'tally')
    assert.deepEqual([parameters, routes, neededBy], [['tally'], 3, ['tallier']])
    assert.deepEqual(byName(rows, 'name', 'tallier').needs, ['tally'])
    const { types } = byName(rows, 'name', 'users-permissions')
    assert.ok((types as string[]).includes('plugin::users-permissions.user'))
    assert.deepEqual(byName(rows, 'name', 'upload').fieldTypes, ['media'])
  })

  it('shows the settings that are not the usual ones, and no secret', async () => {
    const folder = folderOf(files)
    const { rows, stdout } = await list('plugins', folder)
    assert.deepEqual(byName(rows, 'name', 'tally').settings, {
      apiKey: '***',
      url: 'https://ann:***@example.com/x',
      step: 2,
    })
    const settings = byName(rows, 'name', 'users-permissions').settings as Row
    assert.equal(settings.jwtSecret, '***')
    assert.equal(settings['jwt.expiresIn'], '1h')
    assert.equal(settings['email.providerOptions.host'], 'mail.example.com')
    assert.doesNotMatch(stdout + (await shown('plugins', folder)), /dontshowme/)
  })

  it('is a table for people', async () => {
    const lines = (await shown('plugins', folderOf(files))).split('\n')
    assert.match(lines[0] ?? '', /^plugin +on +why +from +adds +settings$/)
    assert.ok(
      lines.some(line => /^tally +on +config\/plugins turns it on; needed by tallier +\.\/tally\.js/.test(line)),
    )
    assert.ok(lines.some(line => /^i18n +off +config\/plugins does not name it/.test(line)))
  })

  it('says why in a project of Strapi 4', async () => {
    const dependencies = { '@strapi/strapi': '4.26.1', '@strapi/plugin-users-permissions': '4.26.1' }
    const folder = folderOf({
      'package.json': json({ dependencies }),
      'config/plugins.js': 'module.exports = { upload: { enabled: false } }',
    })
    const { rows } = await list('plugins', folder)
    const why = (name: string) => [byName(rows, 'name', name).on, byName(rows, 'name', name).why]
    assert.deepEqual(why('users-permissions'), [
      true,
      'it is standard in Strapi 4 projects with @strapi/plugin-users-permissions',
    ])
    assert.deepEqual(why('api-tokens'), [true, 'it is standard in Strapi 4 projects'])
    assert.deepEqual(why('i18n'), [false, 'the project does not depend on @strapi/plugin-i18n'])
    assert.deepEqual(why('upload'), [false, 'config/plugins turns it off'])
    assert.deepEqual(why('sample-content'), [false, 'it is no part of Strapi 4 projects'])
  })
})

describe('stele types', () => {
  it('says where types are, and what of their files is not served, and why', async () => {
    const { rows } = await list('types', folderOf(files))
    const note = byName(rows, 'uid', 'api::note.note')
    assert.deepEqual([note.kind, note.table, note.path], ['collectionType', 'notes', '/api/notes'])
    assert.deepEqual(note.options, { draftAndPublish: true })
    assert.deepEqual(note.notServed, [
      'attribute "cover" is not served: the plugin that brings the type "media" is disabled',
      'what it asks of draft-and-publish: the plugin is disabled',
    ])
    const about = byName(rows, 'uid', 'api::about.about')
    assert.deepEqual([about.kind, about.table, about.path], ['singleType', 'about_us', '/api/about'])
    assert.equal(byName(rows, 'uid', 'shared.seo').kind, 'component')
    assert.equal(byName(rows, 'uid', 'plugin::users-permissions.user').path, null)
    assert.ok(rows.every(row => !('rows' in row)))
  })

  it('is a table for people', async () => {
    const table = await shown('types', folderOf(files))
    assert.match(table, /^uid +kind +table +path +options +plugins +not served$/m)
    assert.match(table, /^api::note\.note +collectionType +notes +\/api\/notes +draftAndPublish +- +attribute "cover"/m)
  })
})

describe('stele routes', () => {
  it('lists every route and the permission that it requires', async () => {
    const { rows } = await list('routes', folderOf(files))
    const at = (method: string, path: string) => rows.find(row => row.method === method && row.path === path)
    const { permission, plugin, describe } = at('GET', '/api/tally') as Row
    assert.deepEqual([permission, plugin, describe], ['plugin::tally.read', 'tally', 'the tally'])
    assert.equal(at('GET', '/api/notes/:id')?.permission, 'api::note.note.findOne')
    assert.equal(at('PUT', '/api/about')?.permission, 'api::about.about.update')
    assert.deepEqual([at('GET', '/api/tally/open')?.permission, at('GET', '/api/tally/open')?.public], [null, true])
    assert.equal(at('POST', '/tally')?.public, false)
  })

  it('without a plugin that knows callers, goes by rest.public', async () => {
    const folder = folderOf({
      'content-types/note.json': typeFile('note'),
      'config/api.json': json({ rest: { public: { note: ['find'] } } }),
    })
    const { server } = await started(folder)
    await server.stop()
    const { rows } = await list('routes', folder)
    assert.deepEqual(
      rows.map(row => [row.method, row.path, row.public]),
      [
        ['GET', '/api/notes', true],
        ['POST', '/api/notes', false],
        ['GET', '/api/notes/:id', false],
        ['PUT', '/api/notes/:id', false],
        ['DELETE', '/api/notes/:id', false],
        ['GET', '/api/notes/aggregate', true],
      ],
    )
  })
})

describe('a list', () => {
  it('makes no database and no other file', async () => {
    const folder = folderOf(files)
    const before = readdirSync(folder)
    for (const command of ['routes', 'plugins', 'types', 'types --count', 'commands']) await list(command, folder)
    assert.deepEqual(readdirSync(folder), before)
    const { rows, stderr } = await list('routes', folder)
    assert.equal(byName(rows, 'path', '/api/notes').public, null)
    assert.equal(
      stderr,
      `who may do what is not known: no database at ${join(folder, '.tmp/data.db')}; \`stele start\` creates it\n`,
    )
    assert.equal(existsSync(join(folder, '.tmp')), false)
  })

  it('says in a sentence what is wrong with the app, and exits with 1', async () => {
    const folder = folderOf({ ...files, 'config/api.json': '{"rest":{"nosuch":1}}' })
    for (const command of ['routes', 'plugins', 'types', 'commands']) {
      const { stderr, stdout, status } = await stele([command, '--app', folder], { env: secrets })
      assert.equal(status, 78)
      assert.match(stderr, /^config\/api: rest\.nosuch is not a setting/)
      assert.equal(stdout, '')
    }
  })

  it('says how it is used', async () => {
    for (const command of ['routes', 'plugins', 'types', 'commands']) {
      const { stdout, status } = await stele([command, '--help'])
      assert.equal(status, 0)
      assert.match(stdout, new RegExp(`Usage: stele ${command}`))
      assert.match(stdout, /--json/)
    }
  })
})

onEveryEngineAtLength('a list of an app that has run', engine => {
  const layout = async ({ database }: FreshDatabase) => {
    const tables = {
      sqlite: 'sqlite_master',
      mysql: 'information_schema.columns',
      postgres: 'information_schema.columns',
    }
    const own = { sqlite: 'sql is not null', mysql: 'table_schema = database()', postgres: "table_schema = 'public'" }
    return run(database, `select count(*) as n from ${tables[engine.name]} where ${own[engine.name]}`)
  }

  it('knows what visitors may do and how many entries there are, and leaves the database as it is', async () => {
    const folder = folderOf(files)
    const fresh = await engine.fresh()
    const { server } = await started(folder, { ...secrets, ...fresh.env })
    await server.stop()
    await run(fresh.database, "insert into notes (text) values ('a'), ('b')")
    await run(fresh.database, 'delete from up_permissions')
    const before = await layout(fresh)

    const { rows } = await list('types --count', folder, fresh.env)
    assert.equal(byName(rows, 'uid', 'api::note.note').rows, 2)
    assert.equal(byName(rows, 'uid', 'api::about.about').rows, 0)
    const { rows: closed } = await list('routes', folder, fresh.env)
    assert.equal(byName(closed, 'path', '/api/notes').public, false)
    await list('plugins', folder, fresh.env)
    await list('commands', folder, fresh.env)
    // A start brings the roles of config/permissions back; a list does not.
    assert.equal(Number((await run(fresh.database, 'select count(*) as n from up_permissions'))[0]?.n), 0)
    assert.deepEqual(await layout(fresh), before)

    const again = await started(folder, { ...secrets, ...fresh.env })
    await again.server.stop()
    const { rows: open } = await list('routes', folder, fresh.env)
    assert.equal(open.find(row => row.path === '/api/notes' && row.method === 'GET')?.public, true)
    assert.equal(open.find(row => row.path === '/api/notes' && row.method === 'POST')?.public, false)
    await fresh.drop()
  })

  it('adds nothing to a database that lacks something', async () => {
    const folder = folderOf(files)
    const fresh = await engine.fresh()
    const { server } = await started(folder, { ...secrets, ...fresh.env })
    await server.stop()
    await run(fresh.database, 'alter table notes drop column text')
    const before = await layout(fresh)
    const { rows, stderr } = await list('routes', folder, fresh.env)
    assert.equal(byName(rows, 'path', '/api/notes').public, null)
    assert.match(stderr, /the database lacks tables or columns of this app: a start of the app adds them/)
    assert.deepEqual(await layout(fresh), before)
    await fresh.drop()
  })
})
