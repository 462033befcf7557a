import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'vitest'
import type { RunningProject } from '../support/project.js'
import { get, start } from '../support/written.js'
import { asking, atStart, granting } from './support.js'

type Answer = Record<string, never> & { readonly [key: string]: unknown }

async function ask(project: RunningProject, name: string): Promise<Answer> {
  const { status, body } = await get(project, `/api/ask/${name}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as Answer
}

const stored = (project: RunningProject): string[] =>
  readdirSync(path.join(project.app.config.appDir, 'public/uploads')).filter(name => !name.startsWith('.'))

/** Code that has a file somewhere. */
const own = `const fs = require('node:fs'); const file = name => { const path = require('node:path').join(strapi.dirs.app.root, name); fs.writeFileSync(path, 'text of ' + name); return { path, name, type: 'text/plain', size: fs.statSync(path).size } };`
const upload = `const upload = strapi.plugin('upload').service('upload');`

describe('the service of upload', () => {
  it('takes files that code has, with what is said of them, and leaves those of the code where they are', async () => {
    const project = await start(
      asking({
        take: `${own} ${upload} const [made] = await upload.upload({ data: { fileInfo: { name: 'Letter', caption: 'of June' } }, files: file('a.txt') })
          return { name: made.name, caption: made.caption, mime: made.mime, url: made.url, folderPath: made.folderPath, kept: fs.existsSync(file('a.txt').path) }`,
        several: `${own} ${upload} const made = await upload.upload({ data: { fileInfo: [{ name: 'one' }, { name: 'two' }] }, files: [file('b.txt'), file('c.txt')] }); return { names: made.map(({ name }) => name), page: (await upload.findPage({ pageSize: 2 })).pagination.total, many: (await upload.findMany({ filters: { name: 'two' } })).length }`,
        change: `${own} ${upload} const found = await upload.findOne(1); const changed = await upload.updateFileInfo(1, { caption: 'of July' }); const replaced = await upload.replace(1, { data: { fileInfo: { alternativeText: 'new' } }, file: file('d.txt') }); return { before: found.caption, after: changed.caption, url: replaced.url === found.url, alternativeText: replaced.alternativeText }`,
        remove: `${upload} await upload.remove(await upload.findOne(1)); return { left: await upload.findOne(1) }`,
        none: `${upload} try { await upload.updateFileInfo(99, {}) } catch (error) { return { name: error.name, settings: Object.keys(await upload.getSettings()).length > 0 } }`,
      }),
    )
    const { url, ...rest } = await ask(project, 'take')
    assert.match(String(url), /^\/uploads\/Letter_\w+\.txt$/)
    assert.deepEqual(rest, { name: 'Letter', caption: 'of June', mime: 'text/plain', folderPath: '/', kept: true })
    assert.deepEqual(await ask(project, 'several'), { names: ['one', 'two'], page: 3, many: 1 })
    assert.equal(stored(project).length, 3)
    assert.deepEqual(await ask(project, 'change'), {
      before: 'of June',
      after: 'of July',
      url: true,
      alternativeText: 'new',
    })
    assert.deepEqual(await ask(project, 'remove'), { left: null })
    assert.equal(stored(project).length, 2)
    assert.deepEqual(await ask(project, 'none'), { name: 'NotFoundError', settings: true })
  })

  it('links files with an entry: one attribute has the latest, a list all of them', async () => {
    const project = await start(
      asking({
        link: `${own} ${upload} const note = await strapi.entityService.create('api::note.note', { data: { title: 'n' } })
          const owner = field => ({ id: note.id, model: 'api::note.note', field })
          await upload.uploadToEntity(owner('cover'), file('a.txt'))
          await upload.uploadToEntity(owner('cover'), file('b.txt'))
          await upload.uploadToEntity(owner('pages'), [file('c.txt')])
          await upload.upload({ data: { ref: 'api::note.note', refId: note.id, field: 'pages' }, files: file('d.txt') })
          const found = await strapi.entityService.findOne('api::note.note', note.id, { populate: ['cover', 'pages'] })
          return { cover: found.cover.name, pages: found.pages.map(({ name }) => name) }`,
        with: `${own} const made = await strapi.entityService.create('api::note.note', { data: { title: 'm' }, files: { cover: file('e.txt'), pages: [file('f.txt'), file('g.txt')] }, populate: ['cover', 'pages'] })
          return { cover: made.cover.name, pages: made.pages.map(({ name }) => name) }`,
        wrong: `${own} ${upload} try { await upload.uploadToEntity({ id: 1, model: 'api::note.note', field: 'title' }, file('h.txt')) } catch (error) { return { message: error.message } }`,
      }),
    )
    assert.deepEqual(await ask(project, 'link'), { cover: 'b.txt', pages: ['c.txt', 'd.txt'] })
    assert.deepEqual(await ask(project, 'with'), { cover: 'e.txt', pages: ['f.txt', 'g.txt'] })
    assert.match(String((await ask(project, 'wrong')).message), /no media attribute "title"/)
  })

  it('belongs to the transaction of the code: what that undoes is not in storage either', async () => {
    const project = await start(
      asking({
        undone: `${own} ${upload} await strapi.db.transaction(async () => { await upload.upload({ data: {}, files: file('a.txt') }); throw new Error('no') }).catch(() => undefined); return { rows: await strapi.db.query('plugin::upload.file').count() }`,
        done: `${own} ${upload} await strapi.db.transaction(() => upload.upload({ data: {}, files: file('a.txt') })); return { rows: await strapi.db.query('plugin::upload.file').count() }`,
      }),
    )
    assert.deepEqual(await ask(project, 'undone'), { rows: 0 })
    assert.equal(stored(project).length, 0)
    assert.deepEqual(await ask(project, 'done'), { rows: 1 })
    assert.equal(stored(project).length, 1)
  })

  it('changes what is said of a file in the transaction of the code', async () => {
    const project = await start(
      asking({
        undone: `${own} ${upload} const [{ id }] = await upload.upload({ data: { fileInfo: { caption: 'first' } }, files: file('a.txt') })
          await strapi.db.transaction(async () => { await upload.updateFileInfo(id, { caption: 'second' }); throw new Error('no') }).catch(() => undefined)
          await strapi.db.transaction(async () => { await upload.remove({ id }); throw new Error('no') }).catch(() => undefined)
          return { caption: (await upload.findOne(id)).caption }`,
      }),
    )
    assert.deepEqual(await ask(project, 'undone'), { caption: 'first' })
    assert.equal(stored(project).length, 1)
  })

  it('is replaced for requests too, and wraps the action that takes them', async () => {
    const project = await start(
      asking(
        {},
        {
          'src/extensions/upload/strapi-server.js': `module.exports = plugin => {
            const { upload } = plugin.services
            plugin.services.upload = given => { const own = upload(given); return { ...own, upload: async asked => (await own.upload(asked)).map(file => ({ ...file, seen: true })) } }
            return plugin }`,
          ...atStart(granting('public', 'plugin::upload.content-api.upload')),
        },
      ),
    )
    const multipart = { files: [{ field: 'files', filename: 'x.txt', type: 'text/plain', text: 'x' }] }
    const { status, text } = await project.send({ auth: 'none', method: 'POST', path: '/api/upload', multipart })
    assert.equal(status, 200, text)
    assert.equal(JSON.parse(text)[0].seen, true)
  })

  it('leaves forms as they are to an action that code wraps', async () => {
    const project = await start(
      asking(
        {},
        {
          'src/extensions/upload/strapi-server.js': `module.exports = plugin => {
            const { upload } = plugin.controllers['content-api']
            plugin.controllers['content-api'].upload = async ctx => { await upload(ctx); ctx.body = ctx.body.map(({ name, caption }) => ({ name, caption })) }
            return plugin }`,
          ...atStart(granting('public', 'plugin::upload.content-api.upload')),
        },
      ),
    )
    const files = ['a', 'b'].map(name => ({ field: 'files', filename: `${name}.txt`, type: 'text/plain', text: name }))
    const fields = [['fileInfo', { caption: 'first' }] as const, ['fileInfo', { caption: 'second' }] as const]
    const { status, text } = await project.send({
      ...{ auth: 'none', method: 'POST', path: '/api/upload' },
      multipart: { files, fields },
    })
    assert.equal(status, 200, text)
    assert.deepEqual(JSON.parse(text), [
      { name: 'a.txt', caption: 'first' },
      { name: 'b.txt', caption: 'second' },
    ])
  })
})

describe('the service of email', () => {
  it('sends what code writes, by the mailer of the server', async () => {
    const file = 'letters.jsonl'
    const project = await start(
      asking(
        {
          send: `await strapi.plugin('email').service('email').send({ to: 'a@example.test', cc: ['b@example.test'], subject: 'Hi', text: 'there', attachments: [{ filename: 'x.txt', content: 'x' }] }); return {}`,
          template: `await strapi.plugins.email.services.email.sendTemplatedEmail({ to: 'c@example.test' }, { subject: 'For <%= user.name %>', text: '<%= user.name %>, <%= other %>', html: '<b><%= user.name %></b>' }, { user: { name: 'Nora' } }); return {}`,
          partly: `try { await strapi.plugin('email').service('email').sendTemplatedEmail({}, { subject: 'x' }, {}) } catch (error) { return { message: error.message } }`,
          settings: `return strapi.plugin('email').service('email').getProviderSettings()`,
        },
        {
          'config/plugins.js': `module.exports = { 'users-permissions': { config: { jwtSecret: 'a-long-secret-of-a-test', email: { provider: 'file', providerOptions: { path: '${file}' } } } }, email: { config: { settings: { defaultFrom: 'app@example.test' } } } }`,
        },
      ),
    )
    await ask(project, 'send')
    await ask(project, 'template')
    const letters = readFileSync(path.join(project.app.config.appDir, file), 'utf8').trim().split('\n')
    const [sent, filled] = letters.map(line => JSON.parse(line))
    assert.deepEqual(
      [sent.to, sent.subject, sent.written.cc, sent.written.attachments],
      ['a@example.test', 'Hi', ['b@example.test'], [{ filename: 'x.txt', content: 'x' }]],
    )
    assert.deepEqual([filled.subject, filled.text, filled.html], ['For Nora', 'Nora, <%= other %>', '<b>Nora</b>'])
    assert.match(String((await ask(project, 'partly')).message), /text, html/)
    assert.equal((await ask(project, 'settings')).provider, 'sendmail')
  })

  it('hands letters to the provider that the project has installed', async () => {
    const project = await start(
      asking(
        {
          send: `await strapi.plugin('email').service('email').send({ to: 'a@example.test', subject: 'Hi' }); return global.letters`,
        },
        {
          'config/plugins.js': `module.exports = { email: { config: { provider: 'pigeon', providerOptions: { speed: 3 }, settings: { defaultFrom: 'app@example.test' } } } }`,
          'node_modules/@strapi/provider-email-pigeon/package.json':
            '{ "name": "@strapi/provider-email-pigeon", "main": "index.js" }',
          'node_modules/@strapi/provider-email-pigeon/index.js':
            'module.exports = { init: (options, settings) => ({ send: async letter => { global.letters = { ...letter, ...options, from: letter.from ?? settings.defaultFrom } } }) }',
        },
      ),
    )
    assert.deepEqual(await ask(project, 'send'), {
      to: 'a@example.test',
      subject: 'Hi',
      speed: 3,
      from: 'app@example.test',
    })
  })

  it('says why nothing is sent, where the provider is not installed', async () => {
    const project = await start(
      asking(
        {
          send: `try { await strapi.plugin('email').service('email').send({ to: 'a@example.test' }) } catch (error) { return { message: error.message } }`,
        },
        { 'config/plugins.js': `module.exports = { email: { config: { provider: 'pigeon' } } }` },
      ),
    )
    assert.match(String((await ask(project, 'send')).message), /"pigeon" of config\/plugins is not installed/)
  })
})

describe('the services of i18n', () => {
  it('know the locales, and what is localized', async () => {
    const project = await start(
      asking({
        locales: `const locales = strapi.plugin('i18n').service('locales'); await locales.create({ code: 'fr', name: 'French' }); await locales.setDefaultLocale({ code: 'fr' })
          const [first] = await locales.setIsDefault(await locales.find({ code: 'fr' }))
          return { codes: (await locales.find()).map(({ code }) => code), standing: await locales.getDefaultLocale(), first: first.isDefault, count: await locales.count(), found: (await locales.findByCode('en')).name }`,
        types: `const types = strapi.plugin('i18n').service('content-types'); return { note: types.isLocalizedContentType(strapi.contentType('api::note.note')), valid: await types.getValidLocale(), none: await types.getValidLocale('xx').catch(error => error.message) }`,
        absent: `try { strapi.plugin('i18n').service('iso-locales').getIsoLocales() } catch (error) { return { name: error.name } }`,
      }),
    )
    const { found, ...locales } = await ask(project, 'locales')
    assert.ok(typeof found === 'string')
    assert.deepEqual(locales, { codes: ['en', 'fr'], standing: 'fr', first: true, count: 2 })
    assert.deepEqual(await ask(project, 'types'), { note: false, valid: 'fr', none: 'Locale not found' })
    assert.deepEqual(await ask(project, 'absent'), { name: 'NotCarriedError' })
  })
})

describe('what writes in a transaction of its own', () => {
  const within = (call: string) =>
    `return { message: await strapi.db.transaction(async () => ${call}).then(() => 'done', error => error.message) }`

  it('says so where one transaction writes at a time, rather than waiting for itself', async () => {
    const project = await start(
      asking({
        locale: within(`strapi.plugin('i18n').service('locales').create({ code: 'de' })`),
        letter: within(`strapi.plugin('users-permissions').service('user').sendConfirmationEmail({ id: 1 })`),
        action: within(`strapi.controller('plugin::users-permissions.auth').register(ctx)`),
      }),
    )
    const isAlone = project.app.store.facts.oneWriter
    for (const name of ['locale', 'letter', 'action']) {
      const message = String((await ask(project, name)).message)
      assert.equal(/cannot be called within strapi\.db\.transaction on SQLite/.test(message), isAlone, message)
    }
  })
})

describe('the services of users-permissions', () => {
  it('make, change and delete roles, in the transaction of the code', async () => {
    const tree = `{ 'api::ask': { controllers: { ask: { closed: { enabled: true, policy: '' } } } } }`
    const project = await start(
      asking(
        {
          closed: `return {}`,
          make: `const roles = strapi.plugin('users-permissions').service('role'); await roles.createRole({ name: 'Editor', description: 'edits', permissions: ${tree} }); const all = await roles.find(); const { permissions, ...role } = await roles.findOne(all.at(-1).id); return { types: all.map(({ type }) => type), users: all[0].nb_users, description: role.description, granted: permissions['api::ask'].controllers.ask.closed.enabled }`,
          change: `const roles = strapi.plugin('users-permissions').service('role'); const [{ id }] = await strapi.query('plugin::users-permissions.role').findMany({ where: { type: 'editor' } }); await strapi.db.transaction(() => roles.updateRole(id, { name: 'Chief', description: 'leads', permissions: {} })); const { name, permissions } = await roles.findOne(id); await roles.deleteRole(id, 2); return { name, granted: permissions['api::ask'].controllers.ask.closed.enabled, left: (await roles.find()).length }`,
          none: `return { message: await strapi.plugin('users-permissions').service('role').findOne(99).catch(error => error.message) }`,
          actions: `const rights = strapi.plugin('users-permissions').service('users-permissions'); return { off: rights.getActions()['api::ask'].controllers.ask.closed, on: rights.getActions({ defaultEnable: true })['api::ask'].controllers.ask.closed, text: await rights.template('<%= USER.name %>!', { USER: { name: 'Nora' } }), granted: (await strapi.plugin('users-permissions').service('permission').findPublicPermissions()).length > 0 }`,
        },
        {
          'src/api/closed/routes/closed.js': `module.exports = { routes: [{ method: 'GET', path: '/closed', handler: 'api::ask.ask.closed' }] }`,
        },
      ),
    )
    assert.deepEqual(await ask(project, 'make'), {
      types: ['authenticated', 'public', 'editor'],
      users: 0,
      description: 'edits',
      granted: true,
    })
    assert.deepEqual(await ask(project, 'change'), { name: 'Chief', granted: false, left: 2 })
    assert.deepEqual(await ask(project, 'none'), { message: 'Role not found' })
    assert.deepEqual(await ask(project, 'actions'), {
      off: { enabled: false, policy: '' },
      on: { enabled: true, policy: '' },
      text: 'Nora!',
      granted: true,
    })
  })

  it('issue tokens that are good at once, even after a new password', async () => {
    const project = await start(
      asking(
        {
          token: `const up = name => strapi.plugin('users-permissions').service(name); await up('user').edit(1, { password: 'Another1' }); return { jwt: up('jwt').issue({ id: 1, device: 'phone' }, { expiresIn: '1h' }) }`,
        },
        atStart(
          `await strapi.plugin('users-permissions').service('user').add({ username: 'nora', email: 'nora@example.test', password: 'Passw0rd', provider: 'local', confirmed: true, role: 1 })`,
        ),
      ),
    )
    const jwt = String((await ask(project, 'token')).jwt)
    const { status, text } = await project.send({ auth: jwt, method: 'GET', path: '/api/users/me' })
    assert.equal(status, 200, text)
  })

  it('have settings that code reads and changes, stored or not', async () => {
    const project = await start(
      asking({
        read: `const store = strapi.store({ type: 'plugin', name: 'users-permissions' }); const { allow_register, default_role } = await store.get({ key: 'advanced' }); return { allow_register, default_role, ways: Object.keys(await store.get({ key: 'grant' })), upload: typeof (await strapi.store({ type: 'plugin', name: 'upload', key: 'settings' }).get()).sizeOptimization }`,
        close: `const advanced = strapi.store({ type: 'plugin', name: 'users-permissions', key: 'advanced' }); await advanced.set({ value: { ...(await advanced.get()), allow_register: false } }); return {}`,
      }),
    )
    assert.deepEqual(await ask(project, 'read'), {
      allow_register: true,
      default_role: 'authenticated',
      ways: ['email'],
      upload: 'boolean',
    })
    await ask(project, 'close')
    const body = { username: 'otto', email: 'otto@example.test', password: 'Passw0rd' }
    const { text } = await project.send({ auth: 'none', method: 'POST', path: '/api/auth/local/register', body })
    assert.equal(JSON.parse(text).error.message, 'Register action is currently disabled')
  })
})
