import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { createLog } from '../../core/log.js'
import { type MailSettings, withOlder } from '../../plugins/users-permissions/mail/index.js'
import { keyOf } from './fixture.js'
import { copyProject, generated, type OpenProject, openProject, type ProjectFolder, withoutCode } from './project.js'

describe('a project that Strapi 4 lives with', () => {
  let project: ProjectFolder
  let open: OpenProject | undefined
  let lines: string[]
  beforeEach(() => {
    project = copyProject()
    lines = []
  })
  afterEach(async () => {
    await open?.close()
    open = undefined
    project.remove()
  })
  const start = async (variables = {}) => {
    open = await openProject(
      project,
      variables,
      createLog('warn', { destination: { write: line => lines.push(line) } }),
    )
    return open
  }
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(project.folder, name)), { recursive: true })
    writeFileSync(join(project.folder, name), text)
  }
  const edit = (
    name: string,
    change: (attributes: Record<string, Record<string, unknown>>, schema: Record<string, unknown>) => void,
  ) => {
    const file = `src/api/${name}/content-types/${name}/schema.json`
    const schema = JSON.parse(readFileSync(join(project.folder, file), 'utf8'))
    change(schema.attributes, schema)
    write(file, JSON.stringify(schema))
  }
  const ask = async (path: string) => {
    const reply = await (open as OpenProject).send({
      method: 'GET',
      url: path,
      headers: { authorization: `Bearer ${keyOf('full')}` },
    })
    assert.equal(reply.statusCode, 200, reply.payload)
    return JSON.parse(reply.payload)
  }

  it('may say on both sides of a relation that they own it: one is taken, and it is told which', async () => {
    edit('tag', attributes => {
      attributes.articles = {
        type: 'relation',
        relation: 'manyToMany',
        target: 'api::article.article',
        inversedBy: 'tags',
      }
    })
    await start()
    assert.ok(
      lines.some(line => /articles\W+ of api::tag\.tag both say inversedBy|tags.*both say inversedBy/.test(line)),
      lines.join(),
    )
    const { send } = open as OpenProject
    const reply = await send({ method: 'PUT', url: '/api/articles/1', payload: { data: { tags: [7, 3] } } })
    assert.equal(reply.statusCode, 200, reply.payload)
    const { data } = await ask('/api/tags/7?populate[articles][fields]=id')
    assert.deepEqual(data.attributes.articles.data, [{ id: 1, attributes: {} }])
    const back = await ask('/api/articles/1?populate[tags][fields]=id')
    assert.deepEqual(
      back.data.attributes.tags.data.map(({ id }: { id: number }) => id),
      [7, 3],
    )
  })

  it('may have attributes whose names differ in case alone: both are served, and it is told', async () => {
    edit('tag', attributes => {
      attributes.Articles = { type: 'string' }
    })
    await start()
    const { send } = open as OpenProject
    const reply = await send({
      method: 'PUT',
      url: '/api/tags/7',
      payload: { data: { Articles: 'two', articles: [1] } },
    })
    assert.equal(reply.statusCode, 200, reply.payload)
    const { data } = await ask('/api/tags/7?fields[0]=Articles&populate[articles][fields]=id')
    assert.deepEqual(data.attributes, { Articles: 'two', articles: { data: [{ id: 1, attributes: {} }] } })
    const told = /attribute \W+Articles\W+: it differs from \W+articles\W+ in case alone; both are served/
    assert.ok(
      lines.some(line => told.test(line)),
      lines.join(),
    )
  })

  it('may have attributes of kinds that a plugin of it brings: they are not served, and it is told', async () => {
    edit('tag', attributes => {
      attributes.shade = { type: 'customField', customField: 'plugin::shades.shade' }
    })
    await start()
    const left = lines.filter(line => /is not served/.test(line))
    assert.match(left.join(), /attribute \\"shade\\" is not served/)
    assert.equal(left.length, 1, 'everything else is')
    assert.deepEqual(Object.keys((await ask('/api/tags/1')).data.attributes), [
      'name',
      'color',
      'createdAt',
      'updatedAt',
    ])
  })

  it('may have misspelt keys: they are ignored as Strapi ignores them, and it is told', async () => {
    edit('tag', (attributes, schema) => {
      attributes.name = { ...attributes.name, requird: true }
      attributes.code = { type: 'uid', targetField: 'nmae' }
      schema.optons = {}
      schema.options = { draftAndPublsh: true }
      schema.pluginOptions = { i18: { localized: true } }
    })
    await start()
    const told = lines.filter(line => /did you mean/.test(line)).map(line => JSON.parse(line).msg)
    const file = 'src/api/tag/content-types/tag/schema.json'
    assert.deepEqual(told, [
      `${file}: "optons" is not an option and is ignored; did you mean "options"?`,
      `${file}: "options.draftAndPublsh" is not an option and is ignored; did you mean "options.draftAndPublish"?`,
      `${file}: "pluginOptions.i18" is not an option and is ignored; did you mean "pluginOptions.i18n"?`,
      `${file}: attribute "name": "requird" is not an option and is ignored; did you mean "required"?`,
      `${file}: attribute "code": targetField names "nmae", which is not an attribute of the type; did you mean "name"?`,
    ])
  })

  it('may leave out kind and collectionName, as in Strapi', async () => {
    write(
      'src/api/note/content-types/short-note/schema.json',
      JSON.stringify({
        info: { singularName: 'short-note', pluralName: 'short-notes', displayName: 'Note' },
        attributes: { text: { type: 'string' } },
      }),
    )
    for (const [file, text] of Object.entries(generated('api::note.short-note'))) write(file, text)
    const { app } = await start()
    const type = app.types.get('api::note.short-note')
    assert.deepEqual([type.kind, type.table], ['collectionType', 'short-note'])
    assert.deepEqual((await ask('/api/short-notes')).data, [])
  })

  it('may have settings of its own, and files in config that need the server they were written for', async () => {
    write(
      'config/server.js',
      "module.exports = ({ env }) => ({ host: '127.0.0.1', port: 1337, app: { keys: ['k'] }, shop: { open: true } })",
    )
    write('config/api.js', 'module.exports = { rest: { maxLimit: 7, mine: 1 }, other: {} }')
    write('config/functions.js', "module.exports = require('@strapi/nowhere')")
    // Its code would get what the file says, so that the file would have to be there.
    await start(withoutCode)
    const { meta } = await ask('/api/tags?pagination[pageSize]=50')
    assert.equal(meta.pagination.pageSize, 7)
  })
})

describe('mail of a project', () => {
  const none: MailSettings = { providerOptions: {}, settings: {} }
  const lines: string[] = []
  const log = createLog('warn', { destination: { write: line => lines.push(line) } })
  const email = (config: Readonly<Record<string, unknown>>, enabled = true) => ({
    plugins: { email: { enabled, config } },
  })
  const server = { host: 'mail.example.test', port: 587, auth: { user: 'u', pass: 'p' } }
  const sender = { defaultFrom: 'a@example.test', defaultReplyTo: 'b@example.test' }

  for (const provider of ['nodemailer', '@strapi/provider-email-nodemailer'])
    it(`goes through the server that ${provider} is told`, () =>
      assert.deepEqual(withOlder(none, email({ provider, providerOptions: server, settings: sender }), log), {
        provider: 'smtp',
        providerOptions: server,
        settings: sender,
      }))

  it('goes through the server that strapi-provider-email-smtp is told, in its words', () =>
    assert.deepEqual(
      withOlder(
        none,
        email({
          provider: 'strapi-provider-email-smtp',
          providerOptions: {
            host: 'h',
            port: 465,
            secure: true,
            username: 'u',
            password: 'p',
            rejectUnauthorized: false,
          },
        }),
        log,
      ).providerOptions,
      { host: 'h', port: 465, secure: true, auth: { user: 'u', pass: 'p' }, tls: { rejectUnauthorized: false } },
    ))

  it('has the sender at least where the provider is not known, and it is told', () => {
    const settings = withOlder(none, email({ provider: './src/own.js', settings: sender }), log)
    assert.deepEqual(settings, { ...none, settings: sender })
    assert.match(lines.join(), /provider of email\.config, \\"\.\/src\/own\.js\\"/)
  })

  it('is as if nothing had been said where the plugin is off', () =>
    assert.deepEqual(withOlder(none, email({ provider: 'nodemailer', providerOptions: server }, false), log), none))

  it('is what users-permissions is told, where that says something', () => {
    const said: MailSettings = { provider: 'file', providerOptions: { path: 'x' }, settings: {} }
    assert.deepEqual(withOlder(said, email({ provider: 'nodemailer', providerOptions: server }), log), said)
  })
})
