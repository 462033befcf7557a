import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { foreignProjects } from '../../core/foreign/known.js'
import { createLog } from '../../core/log.js'
import { foreignParts } from '../../core/tools/cli/doctor/foreign.js'
import { keyOf } from './fixture.js'
import { copyProject, generated, type OpenProject, openProject, type ProjectFolder } from './project.js'

const jwtSecret = 'a secret of this test that is long'

describe('a project that Strapi 4 starts with', () => {
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
  const write = (name: string, content: string | object) => {
    mkdirSync(dirname(join(project.folder, name)), { recursive: true })
    writeFileSync(join(project.folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const start = async (variables: Readonly<Record<string, string>> = {}) => {
    const log = createLog('warn', { destination: { write: line => lines.push(JSON.parse(line).msg) } })
    open = await openProject(project, variables, log)
    return open
  }
  const ask = async (path: string, method: 'GET' | 'POST' = 'GET', payload?: object) => {
    const { send } = open as OpenProject
    const headers = { authorization: `Bearer ${keyOf('full')}` }
    const reply = await send({ method, url: path, headers, ...(payload && { payload }) })
    return { status: reply.statusCode, body: JSON.parse(reply.payload) }
  }

  describe('in config', () => {
    const plugins = (text: string) =>
      write(
        'config/plugins.js',
        `module.exports = ({ env }) => ({ 'users-permissions': { config: { jwtSecret: '${jwtSecret}' } }, ${text} })`,
      )

    it('a plugin may have no config: null is nothing', async () => {
      plugins('upload: { config: null }')
      const { offered } = await start()
      assert.equal(offered.find(({ plugin }) => plugin.name === 'upload')?.enabled, true)
      assert.equal((await ask('/api/upload/files')).status, 200)
    })

    const truths: readonly [said: string, isEnabled: boolean][] = [
      ["env.int('NOWHERE_SET')", true],
      ['Number.NaN', false],
      ['null', false],
      ["'yes'", true],
      ['1', true],
      ["''", false],
    ]
    for (const [said, isEnabled] of truths)
      it(`enabled: ${said} of a plugin ${isEnabled ? 'enables' : 'disables'} it`, async () => {
        plugins(`i18n: { enabled: ${said} }, redis: { enabled: ${said} }`)
        const { offered } = await start()
        assert.equal(offered.find(({ plugin }) => plugin.name === 'i18n')?.enabled, isEnabled)
        if (said === "'yes'")
          assert.ok(
            lines.includes('config/plugins: redis.enabled is "yes"; expected true or false; it counts as true'),
            lines.join('\n'),
          )
      })

    it('keys of config/plugins that are no plugins are ignored, and it is told', async () => {
      plugins("plugins: ['a', 'b'], text: 'x'")
      await start()
      assert.deepEqual(
        lines.filter(line => line.startsWith('config/plugins')),
        [
          'config/plugins: plugins is a list; expected true, false or an object of enabled, resolve and config; it is ignored',
          'config/plugins: text is "x"; expected true, false or an object of enabled, resolve and config; it is ignored',
        ],
      )
    })

    it('settings of plugins of another type are as if they were not set', async () => {
      plugins(
        "upload: { config: { sizeLimit: '1000', breakpoints: { large: 'x', small: 500 }, maxAge: [], providerOptions: null } }, email: { config: { provider: 'nodemailer', providerOptions: {} } }",
      )
      await start()
      assert.ok(lines.some(line => /breakpoints\.large must be .*; pictures get no format of this name/.test(line)))
      const settings = (name: string) =>
        (open as OpenProject).app.plugins.find(({ spec }) => spec.name === name)?.config
      assert.deepEqual([settings('upload')?.sizeLimit, settings('upload')?.maxAge], [1000, 60])
      assert.ok(lines.some(line => /email\.config\.providerOptions\.host names no mail server/.test(line)))
      const parts = await foreignParts((open as OpenProject).app, (open as OpenProject).offered)
      assert.deepEqual(parts.find(({ what }) => what === 'values of plugin settings')?.where, ['upload.config.maxAge'])
    })

    for (const [name, options] of [
      [
        'without a bucket',
        "{ s3Options: { credentials: { accessKeyId: 'a', secretAccessKey: 's' }, params: { Bucket: env('NO_BUCKET') } } }",
      ],
      ['without keys', "{ s3Options: { params: { Bucket: 'b' } } }"],
      ['with nothing', '{}'],
    ])
      it(`S3 ${name} refuses uploads with a sentence, and the rest is served`, async () => {
        plugins(`upload: { config: { provider: 'aws-s3', providerOptions: ${options} } }`)
        await start()
        assert.ok(
          lines.some(line =>
            /^uploads are refused, .*s3Options\..* is missing\. Set it, or .*provider to local/.test(line),
          ),
          lines.join('\n'),
        )
        assert.equal((await ask('/api/tags')).status, 200)
        const form = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n'
        const reply = await (open as OpenProject).send({
          method: 'POST',
          url: '/api/upload',
          headers: { authorization: `Bearer ${keyOf('full')}`, 'content-type': 'multipart/form-data; boundary=x' },
          payload: form,
        })
        assert.equal(reply.statusCode, 400)
        assert.equal(
          JSON.parse(reply.payload).error.message,
          'Files cannot be stored: the storage of the server is not set up',
        )
      })

    it('a lifetime of tokens that is none is the usual one, and it is told', async () => {
      write(
        'config/plugins.js',
        `module.exports = { 'users-permissions': { config: { jwtSecret: '${jwtSecret}', jwt: { expiresIn: 'for ever' } } } }`,
      )
      await start()
      assert.ok(
        lines.some(line => /jwt\.expiresIn is "for ever"; .*; until then tokens are valid for 30 days/.test(line)),
      )
    })

    it('settings of the server may be of another type: they are ignored, and it is told', async () => {
      write(
        'config/server.js',
        "module.exports = { host: null, port: '1337', url: 5, proxy: 'x', app: { keys: ['k'] } }",
      )
      write('config/api.js', "module.exports = { rest: { maxLimit: '7', defaultLimit: null, withCount: 'yes' } }")
      await start()
      const page = await ask('/api/tags?pagination[pageSize]=50')
      assert.equal(page.body.meta.pagination.pageSize, 7)
      assert.ok(
        lines.includes('config/server: proxy is "x"; expected true, false or a list of addresses; it is ignored'),
      )
    })

    it('numbers of config/database may be text, and null sets nothing; a value that cannot be read is refused', async () => {
      const database = (more: string) =>
        `module.exports = { connection: { client: 'sqlite', connection: { filename: '.tmp/data.db', ssl: null }, pool: { min: '0', max: '1' }, acquireConnectionTimeout: '6000'${more} } }`
      write('config/database.js', database(', debug: null'))
      await start()
      assert.equal((await ask('/api/tags')).status, 200)
      await open?.close()
      open = undefined
      write('config/database.js', database('').replace("'.tmp/data.db'", '[1]'))
      await assert.rejects(
        loadConfig(project.folder, { projects: foreignProjects, env: {}, again: true }),
        /config\/database: connection\.connection\.filename is a list; expected/,
      )
    })

    it('two files of one name are as Strapi reads them', async () => {
      write('config/api.js', 'module.exports = { rest: { maxLimit: 3 } }')
      write('config/api.json', '{ "rest": { "maxLimit": 5 } }')
      await start()
      assert.equal((await ask('/api/tags?pagination[pageSize]=50')).body.meta.pagination.pageSize, 5)
      assert.ok(lines.includes('config/api.js and config/api.json both set "api"; config/api.json counts'))
    })

    it('a file that needs a package which is not installed says what to run', async () => {
      write('config/database.js', "const { parse } = require('pg-connection-string')\nmodule.exports = {}")
      await assert.rejects(loadConfig(project.folder, { projects: foreignProjects, env: {} }), {
        message: `config/database.js cannot be loaded: Cannot find module 'pg-connection-string'; run npm install in ${project.folder}`,
      })
      mkdirSync(join(project.folder, 'node_modules'))
      await assert.rejects(loadConfig(project.folder, { projects: foreignProjects, env: {}, again: true }), {
        message: `config/database.js cannot be loaded: Cannot find module 'pg-connection-string'; run npm install pg-connection-string in ${project.folder}`,
      })
      const file = join(project.folder, 'package.json')
      const written = JSON.parse(readFileSync(file, 'utf8'))
      write('package.json', { ...written, dependencies: { ...written.dependencies, '@own/date': '1' } })
      write('config/database.js', "module.exports = require('./helpers/database')")
      write('config/helpers/database.js', "module.exports = require('@own/date/parse')")
      await assert.rejects(loadConfig(project.folder, { projects: foreignProjects, env: {}, again: true }), {
        message: `config/database.js cannot be loaded: Cannot find module '@own/date/parse'; run npm install in ${project.folder}`,
      })
      assert.ok(!existsSync(join(project.folder, 'package-lock.json')))
    })
  })

  describe('in schema files', () => {
    const route = (api: string, uid: string) => {
      for (const [file, text] of Object.entries(generated(uid, api))) write(file, text)
    }
    const type = (name: string, attributes: object, more: object = {}) =>
      write(`src/api/${name}/content-types/${name}/schema.json`, {
        kind: 'collectionType',
        collectionName: `${name}_rows`,
        info: { singularName: name, pluralName: `${name}-rows`, displayName: name },
        options: {},
        attributes,
        ...more,
      })
    const withRoutes: typeof type = (name, ...said) => {
      type(name, ...said)
      route(name, `api::${name}.${name}`)
    }
    const told = (pattern: RegExp) =>
      assert.ok(
        lines.some(line => pattern.test(line)),
        lines.join('\n'),
      )
    const create = async (path: string, data: object) => {
      const { status, body } = await ask(path, 'POST', { data })
      assert.equal(status, 200, JSON.stringify(body))
      return body.data
    }

    it('attributes that the server has itself give way to it', async () => {
      const own = { type: 'string', required: true, maxLength: 1 }
      withRoutes(
        'bet',
        {
          ...{ name: { type: 'string' }, createdAt: own, updatedAt: own, publishedAt: own, locale: own },
          createdBy: own,
          updatedBy: { type: 'relation', relation: 'oneToOne', target: 'admin::user' },
          localizations: { type: 'json' },
        },
        { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } },
      )
      await start()
      const { attributes } = await create('/api/bet-rows', { name: 'x' })
      assert.match(attributes.publishedAt, /^\d{4}-.*Z$/)
      assert.match(attributes.createdAt, /^\d{4}-.*Z$/)
      assert.equal(attributes.locale, 'en')
      assert.equal('createdBy' in attributes, false)
      for (const name of ['createdAt', 'updatedAt', 'publishedAt', 'locale', 'createdBy', 'updatedBy', 'localizations'])
        told(new RegExp(`"${name}": the server has one of this name itself, and what the file says`))
    })

    it('they are the own ones of the project where no plugin has them', async () => {
      withRoutes('bet', { publishedAt: { type: 'string' }, locale: { type: 'integer' } })
      await start()
      const { attributes } = await create('/api/bet-rows', { publishedAt: 'soon', locale: 3 })
      assert.deepEqual([attributes.publishedAt, attributes.locale], ['soon', 3])
      assert.deepEqual(
        lines.filter(line => line.includes('bet')),
        [],
      )
    })

    it('two relations may name one inverse: it shows the last one, the others are served from their side', async () => {
      const relation = { type: 'relation', relation: 'manyToOne', target: 'api::worker.worker', inversedBy: 'jobs' }
      withRoutes('job', { name: { type: 'string' }, operator: relation, reviewer: relation })
      const back = { type: 'relation', relation: 'oneToMany', target: 'api::job.job', mappedBy: 'operator' }
      withRoutes('worker', { name: { type: 'string' }, jobs: back })
      await start()
      const [ann, bob] = [
        await create('/api/worker-rows', { name: 'Ann' }),
        await create('/api/worker-rows', { name: 'Bob' }),
      ]
      await create('/api/job-rows', { name: 'dig', operator: ann.id, reviewer: bob.id })
      const { body } = await ask('/api/job-rows?populate=*')
      const { operator, reviewer } = body.data[0].attributes
      assert.deepEqual([operator.data.attributes.name, reviewer.data.attributes.name], ['Ann', 'Bob'])
      const workers = (await ask('/api/worker-rows?populate=jobs')).body.data
      assert.deepEqual(
        workers.map(({ attributes }: { attributes: { jobs: { data: unknown[] } } }) => attributes.jobs.data.length),
        [0, 1],
      )
      told(
        /attribute "operator": "jobs" of api::worker\.worker does not show this relation; it is served from this side only/,
      )
      told(
        /attribute "jobs": it shows the links of "reviewer" of api::job\.job, which .* comes last, not those of "operator"/,
      )
    })

    it('relations without their other end are not served, and the rest of the type is', async () => {
      const to = (target: string, more: object = {}) => ({ type: 'relation', relation: 'oneToMany', target, ...more })
      withRoutes('lone', {
        name: { type: 'string' },
        gone: to('api::gone.gone', { mappedBy: 'lone' }),
        nothing: to('api::tag.tag', { mappedBy: 'nowhere' }),
        empty: to('api::tag.tag', { mappedBy: null }),
        strange: { type: 'relation', relation: 'oneToSome', target: 'api::tag.tag' },
        part: { type: 'component', component: 'gone.part' },
        zone: { type: 'dynamiczone', components: ['gone.part', 'gone.other'] },
        pictures: { type: 'relation', relation: 'morphMany', target: 'api::tag.tag', morphBy: 'name' },
      })
      await start()
      assert.deepEqual((await create('/api/lone-rows', { name: 'x', zone: [] })).attributes.name, 'x')
      const { body } = await ask('/api/lone-rows?populate=*')
      assert.deepEqual(Object.keys(body.data[0].attributes), ['name', 'createdAt', 'updatedAt', 'zone'])
      for (const name of ['gone', 'nothing', 'empty', 'strange', 'part', 'pictures'])
        told(new RegExp(`attribute "${name}".* is not served: `))
      told(/attribute "zone": there is no component "gone\.part".*; the zone is served without it/)
    })

    it('options of another type are ignored or read as JavaScript reads them', async () => {
      withRoutes(
        'odd',
        {
          title: {
            type: 'string',
            required: 'yes',
            maxLength: '3',
            minLength: null,
            regex: '(',
            default: 5,
            column: null,
          },
          count: { type: 'integer', min: '2', max: {}, required: null, unique: 0, pluginOptions: null },
          choice: { type: 'enumeration', enum: [] },
          text: { type: 'text', private: 'no', configurable: null },
        },
        {
          options: null,
          pluginOptions: { strange: 7, i18n: null },
          kind: 'someType',
          search: 'x',
          indexes: [{ columns: ['x'] }],
        },
      )
      await start()
      const { attributes } = await create('/api/odd-rows', { title: 'abc', count: 2, text: 'hidden' })
      assert.deepEqual(
        [attributes.title, attributes.count, attributes.choice, 'text' in attributes],
        ['abc', 2, null, false],
      )
      for (const data of [{ title: 'abcd' }, { count: 5 }, { title: 'abc', count: 1 }])
        assert.equal((await ask('/api/odd-rows', 'POST', { data })).status, 400, JSON.stringify(data))
      told(/"title": regex "\(" is not a regular expression; regex is ignored/)
      told(/"title": required is "yes"; .*; it counts as true/)
      told(/"choice": enum must list at least one value; it is served as string, and cannot be written/)
    })

    it('names may be of other letters, and differ in little: the last one has the column', async () => {
      withRoutes(
        'wide',
        {
          größe: { type: 'integer' },
          'my-name': { type: 'string' },
          '2nd': { type: 'string' },
          'a.b': { type: 'string' },
          '12': { type: 'string' },
          Title: { type: 'string' },
          title: { type: 'string' },
          created_at: { type: 'string' },
          id: { type: 'string' },
        },
        { collectionName: 'wide rows (2)' },
      )
      await start()
      const data = { größe: 4, 'my-name': 'x', '2nd': 'y', title: 't' }
      const { attributes } = await create('/api/wide-rows', data)
      const { createdAt, updatedAt, ...own } = attributes
      assert.ok(createdAt && updatedAt)
      assert.deepEqual(own, data)
      const found = await ask('/api/wide-rows?filters[my-name][$eq]=x&sort=größe&fields[0]=2nd&fields[1]=title')
      assert.deepEqual(found.body.data[0]?.attributes, { '2nd': 'y', title: 't' })
      told(/"Title" is not served: "title" has its column "title"/)
      told(/"created_at" is not served: "createdAt" has its column/)
      told(/"a\.b" is not served: requests cannot name it/)
    })

    it('a folder of an API and a file of a component may have names in other letters', async () => {
      write('src/api/blogPosts/content-types/post/schema.json', {
        info: { singularName: 'post', pluralName: 'posts', displayName: 'Post' },
        attributes: {
          part: { type: 'component', component: 'shared.bigpart' },
          next: { type: 'relation', relation: 'oneToOne', target: 'api::blog-posts.post' },
        },
      })
      write(
        'src/components/Shared/BigPart.json',
        `\uFEFF${JSON.stringify({ collectionName: 'components_big', info: null, attributes: { a: { type: 'string' } } })}`,
      )
      route('blogPosts', 'api::blog-posts.post')
      await start()
      const { attributes } = await create('/api/posts?populate=*', { part: { a: 'x' } })
      assert.equal(attributes.part.a, 'x')
    })

    const refused: readonly [what: string, make: () => void, says: RegExp][] = [
      ['a type without info', () => type('bad', {}, { info: undefined }), /info is missing/],
      ['a type without names', () => type('bad', {}, { info: {} }), /info\.singularName is missing/],
      ['a type without attributes', () => type('bad', {}, { attributes: undefined }), /attributes is missing/],
      ['an attribute that is no object', () => type('bad', { a: null }), /attribute "a" must be an object/],
      ['two types of one table', () => type('bad', {}, { collectionName: 'tags' }), /collectionName "tags" is already/],
      [
        'a component without a table',
        () => write('src/components/a/b.json', { attributes: {} }),
        /collectionName is missing/,
      ],
      [
        'a relation that names a missing attribute as its inverse',
        () =>
          type('bad', { a: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag', inversedBy: 'nowhere' } }),
        /attribute "a": api::tag\.tag has no relation "nowhere"/,
      ],
      [
        'a relation to a type that is not there, which it owns',
        () => type('bad', { a: { type: 'relation', relation: 'oneToOne', target: 'api::nowhere.nowhere' } }),
        /attribute "a": there is no type "api::nowhere\.nowhere"/,
      ],
      ['a file that is no JSON', () => write('src/components/a/b.json', '{'), /is not valid JSON/],
    ]
    for (const [what, make, says] of refused)
      it(`${what} stops the start, as it does in Strapi`, async () => {
        make()
        await assert.rejects(start(), says)
      })
  })
})
