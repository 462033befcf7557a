import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { foreignParts } from '../../core/cli/doctor/foreign.js'
import { createLog } from '../../core/log.js'
import { keyOf } from './fixture.js'
import { copyProject, type OpenProject, openProject, type ProjectFolder } from './project.js'

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
        loadConfig(project.folder, { env: {}, again: true }),
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
      await assert.rejects(loadConfig(project.folder, { env: {} }), {
        message: `config/database.js cannot be loaded: Cannot find module 'pg-connection-string'; run npm install in ${project.folder}`,
      })
      mkdirSync(join(project.folder, 'node_modules'))
      await assert.rejects(loadConfig(project.folder, { env: {}, again: true }), {
        message: `config/database.js cannot be loaded: Cannot find module 'pg-connection-string'; run npm install pg-connection-string in ${project.folder}`,
      })
      const file = join(project.folder, 'package.json')
      const written = JSON.parse(readFileSync(file, 'utf8'))
      write('package.json', { ...written, dependencies: { ...written.dependencies, '@own/date': '1' } })
      write('config/database.js', "module.exports = require('./helpers/database')")
      write('config/helpers/database.js', "module.exports = require('@own/date/parse')")
      await assert.rejects(loadConfig(project.folder, { env: {}, again: true }), {
        message: `config/database.js cannot be loaded: Cannot find module '@own/date/parse'; run npm install in ${project.folder}`,
      })
      assert.ok(!existsSync(join(project.folder, 'package-lock.json')))
    })
  })
})
