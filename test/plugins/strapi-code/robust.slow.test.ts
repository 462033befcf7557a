import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { freePort } from '../../support/free-port.js'
import { ask, folderOf, Server } from '../../support/terminal.js'

const schema = JSON.stringify({
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'note' },
  options: { draftAndPublish: false },
  attributes: { title: { type: 'string', required: true } },
})

const usual = {
  'package.json': JSON.stringify({ name: 'robust', dependencies: { '@strapi/strapi': '4.26.2' } }),
  'config/server.js':
    "module.exports = ({ env }) => ({ host: env('HOST'), port: env.int('PORT'), app: { keys: ['a', 'b'] }, shutdownDeadline: 1000, cron: { enabled: true, tasks: require('../src/tasks') } })",
  'src/tasks.js': 'module.exports = {}',
  'src/api/note/content-types/note/schema.json': schema,
}

const route = (name: string) => `{ method: 'GET', path: '/${name}', handler: 'bad.${name}', config: { auth: false } }`

const handlers = (named: Readonly<Record<string, string>>) => ({
  'src/api/bad/controllers/bad.js': `module.exports = {\n${Object.entries({ fine: '() => 1', ...named })
    .map(([name, text]) => `${name}: ${text},`)
    .join('\n')}\n}`,
  'src/api/bad/routes/bad.js': `module.exports = { routes: [${Object.keys({ fine: '', ...named })
    .map(route)
    .join(', ')}] }`,
})

/** A project of these files in a process of its own. */
async function serve(files: Readonly<Record<string, string>>) {
  const folder = folderOf({ ...usual, ...handlers({}), ...files })
  const port = await freePort()
  const env = {
    ...{ PORT: String(port), HOST: '127.0.0.1', NODE_ENV: 'production' },
    ...{ JWT_SECRET: 'a-long-secret-for-tests-of-code', API_TOKEN_SALT: 'a-long-salt-for-tests-of-code' },
  }
  return { server: new Server(folder, env), url: `http://127.0.0.1:${port}` }
}

const texts = (server: Server) => server.lines.map(line => JSON.stringify(line))

describe('code that catches no failures', () => {
  it('by promises: the log names file and line, and the server goes on', async () => {
    const { server, url } = await serve(
      handlers({
        forgets: "() => { strapi.entityService.create('api::note.note', { data: {} }); return 1 }",
        rejects: "() => { Promise.reject(new Error('left alone')); return 1 }",
        text: "() => { Promise.reject('a text left alone'); return 1 }",
      }),
    )
    await server.said(/listening on/)
    for (const name of ['forgets', 'rejects', 'text']) assert.equal((await ask(`${url}/api/${name}`)).status, 200, name)
    await server.said(/nothing waits for/, 3)
    const lines = texts(server).filter(line => line.includes('nothing waits for'))
    assert.equal(lines.length, 3, lines.join('\n'))
    assert.ok(lines.every(line => line.includes('"level":"error"')))
    assert.ok(lines.some(line => line.includes('title must be defined') || line.includes('title')))
    assert.ok(
      lines.some(line => /src\/api\/bad\/controllers\/bad\.js, line 4/.test(line) && line.includes('left alone')),
    )
    assert.ok(lines.some(line => line.includes('a text left alone')))
    assert.equal((await ask(`${url}/api/fine`)).status, 200)
    assert.equal(await server.stop(), 0)
  })

  it('by timers: the log names file and line before the process ends', async () => {
    const { server, url } = await serve(
      handlers({ timer: "() => { setTimeout(() => { throw new Error('in a timer') }, 10); return 1 }" }),
    )
    await server.said(/listening on/)
    assert.equal((await ask(`${url}/api/timer`)).status, 200)
    assert.notEqual(await server.ended, 0)
    const line = texts(server).find(text => text.includes('in a timer'))
    assert.match(
      line ?? '',
      /src\/api\/bad\/controllers\/bad\.js, line 3: an error was thrown where nothing catches it/,
    )
  })
})

describe('a bootstrap', () => {
  it('is over before any request is served, and says so while it takes long', async () => {
    const { server, url } = await serve({
      'src/index.js':
        "module.exports = { async bootstrap({ strapi }) { strapi.log.info('bootstrap begins'); await new Promise(done => setTimeout(done, 11_000)); strapi.ready = true } }",
      ...handlers({ ready: '() => ({ ready: strapi.ready === true })' }),
    })
    await server.said(/bootstrap begins/)
    for (const path of ['/api/ready', '/api/notes', '/_health', '/_health/ready'])
      assert.equal((await ask(`${url}${path}`)).status, 503, path)
    await server.said(/bootstrap of src\/index(\.js)? has not ended after 10 s; nothing is served before it does/)
    await server.said(/listening on/)
    assert.deepEqual((await ask(`${url}/api/ready`)).body, { ready: true })
    assert.equal(await server.stop(), 0)
  })

  it('that never ends can be stopped', async () => {
    const { server } = await serve({
      'src/index.js':
        "module.exports = { bootstrap({ strapi }) { strapi.log.info('bootstrap begins'); setInterval(() => {}, 1000); return new Promise(() => {}) } }",
    })
    await server.said(/bootstrap begins/)
    const stopped = await Promise.race([server.stop().then(() => true), pause(5_000, false)])
    assert.ok(stopped)
  })

  it('that ends the process says so', async () => {
    const { server } = await serve({ 'src/index.js': 'module.exports = { bootstrap() { process.exit(3) } }' })
    assert.equal(await server.ended, 3)
    assert.match(server.output, /bootstrap of src\/index(\.js)? has ended the process, with the exit code 3/)
  })

  it('that throws ends the start, with file and line', async () => {
    const { server } = await serve({
      'src/index.js': "module.exports = {\n  bootstrap() {\n    throw new Error('no luck')\n  },\n}",
    })
    assert.notEqual(await server.ended, 0)
    assert.match(server.output + server.errors, /src\/index\.js, line 3: no luck/)
  })
})

describe('a stop', () => {
  it('runs destroy, and waits no longer than it has to for what code has left', async () => {
    const { server, url } = await serve({
      ...handlers({ never: '() => new Promise(() => {})' }),
      'src/index.js':
        "module.exports = { bootstrap() { setInterval(() => {}, 10) }, destroy({ strapi }) { strapi.log.info('destroy runs'); return new Promise(() => {}) } }",
      'src/tasks.js':
        "module.exports = { '* * * * * *': () => { strapi.log.info('task begins'); return new Promise(() => {}) } }",
    })
    await server.said(/listening on/)
    const never = fetch(`${url}/api/never`).catch(() => 'cut')
    await server.said(/task begins/)
    const began = performance.now()
    assert.equal(await server.stop(), 0)
    assert.ok(performance.now() - began < 15_000)
    assert.equal(await never, 'cut')
    assert.match(server.output, /destroy runs/)
  })
})

describe('a cron task that throws', () => {
  it('is in the log, and has its next turn', async () => {
    const { server, url } = await serve({
      'src/tasks.js':
        "module.exports = {\n  '* * * * * *': () => {\n    throw new Error('of a task')\n  },\n  late: { task: async () => { throw 'of another' }, options: { rule: '* * * * * *' } },\n}",
    })
    await server.said(/of a task[\s\S]*of a task/)
    await server.said(/of another/)
    const line = texts(server).find(text => text.includes('of a task'))
    assert.match(line ?? '', /"level":"error".*src\/tasks\.js:3/)
    assert.equal((await ask(`${url}/api/fine`)).status, 200)
    assert.equal(await server.stop(), 0)
  })
})
