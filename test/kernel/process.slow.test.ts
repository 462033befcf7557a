import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { stele as inProcess } from '../support/command.js'
import { freePort } from '../support/free-port.js'
import { ask, folderOf, Server, started as startedIn, stele } from '../support/terminal.js'
import { isNightly } from '../support/time.js'

const note = JSON.stringify({
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'string' }, pin: { type: 'password' } },
})
const usual = {
  'content-types/note.json': note,
  'config/api.json': JSON.stringify({ rest: { public: true } }),
  'config/server.json': JSON.stringify({ shutdownDeadline: 5000 }),
}

const started = (files: Record<string, string> = usual, env: Record<string, string> = {}) =>
  startedIn(folderOf(files), env)

/** A connection of one's own: bytes go when the test says so. */
class Line {
  readonly socket: Socket
  text = ''
  readonly closed: Promise<unknown>
  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.setEncoding('utf8').on('data', part => {
      this.text += part
    })
    this.closed = new Promise(resolve => this.socket.once('close', resolve))
  }
  async write(text: string): Promise<void> {
    await new Promise<void>((resolve, reject) => this.socket.write(text, error => (error ? reject(error) : resolve())))
  }
}

describe('a server that starts', () => {
  it('answers, and stores what it is sent where the app says', async () => {
    const { server, url } = await started()
    const made = await fetch(`${url}/api/notes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"data":{"text":"a"}}',
    })
    assert.equal(made.status, 200)
    assert.match(await (await fetch(`${url}/api/notes/1`)).text(), /"text":"a"/)
    assert.equal((await fetch(`${url}/_health`)).status, 204)
    assert.deepEqual(await (await fetch(`${url}/_health/ready`)).json(), { ready: true, problems: [] })
    assert.equal(await server.stop(), 0)
    assert.equal(server.errors, '')
  })

  it.runIf(isNightly)(
    'answers what arrived while it stood still for longer than a connection may be idle',
    async () => {
      const { server, url } = await started({ ...usual, 'config/server.json': '{"keepAliveTimeout":500}' })
      const line = new Line(Number(new URL(url).port))
      const ask = () => line.write('GET /api/notes HTTP/1.1\r\nHost: here\r\n\r\n')
      const answers = async (count: number) => {
        while (line.text.split('"pagination"').length <= count && !line.socket.closed) await wait(10)
        return line.text.split('"pagination"').length - 1
      }
      await ask()
      assert.equal(await answers(1), 1)
      server.child.kill('SIGSTOP')
      await ask()
      await wait(1000)
      server.child.kill('SIGCONT')
      assert.equal(await answers(2), 2)
      await line.closed
    },
  )

  it('logs lines of JSON with request ids, and no secrets', async () => {
    const { server, url } = await started(usual, { LOG_LEVEL: 'debug', API_TOKEN_SECRET: 'dontlogme' })
    await fetch(`${url}/api/notes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer dontlogme', cookie: 'a=dontlogme' },
      body: '{"data":{"text":"dontlogme","pin":"dontlogme"}}',
    })
    const answer = await fetch(`${url}/api/notes?filters[text]=dontlogme`, { headers: { 'x-request-id': 'my-own.id' } })
    assert.equal(answer.headers.get('x-request-id'), 'my-own.id')
    assert.equal(await server.stop(), 0)
    assert.ok(
      server.lines.every(
        line => typeof line.level === 'string' && typeof line.time === 'string' && typeof line.msg === 'string',
      ),
    )
    assert.ok(server.lines.some(line => line.requestId === 'my-own.id' && line.status === 200))
    assert.doesNotMatch(server.output, /dontlogme/)
  })

  it('says less or nothing when it is told so', async () => {
    const port = await freePort()
    const server = new Server(folderOf(usual), { PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'silent' })
    const answer = await (async () => {
      for (;;)
        try {
          const answer = await fetch(`http://127.0.0.1:${port}/_health`)
          // The port is open before the server can serve.
          if (answer.status !== 503) return answer
        } catch {
          await new Promise(setImmediate)
        }
    })()
    assert.equal(answer.status, 204)
    assert.equal(await server.stop(), 0)
    assert.equal(server.output, '')
  })

  it('takes host, port and database from the environment, from .env, and from the command line', async () => {
    const port = await freePort()
    const folder = folderOf({ ...usual, '.env': `PORT=${port}\nHOST=127.0.0.1\nDATABASE_FILENAME=data/other.db\n` })
    const byFile = new Server(folder)
    await byFile.said(new RegExp(`listening on http://127\\.0\\.0\\.1:${port}`))
    assert.equal(await byFile.stop(), 0)
    const { existsSync } = await import('node:fs')
    assert.ok(existsSync(join(folder, 'data/other.db')))

    const other = await freePort()
    const byEnvironment = new Server(folder, { PORT: String(other), DATABASE_FILENAME: 'data/third.db' })
    await byEnvironment.said(new RegExp(`:${other}`))
    assert.equal(await byEnvironment.stop(), 0)
    assert.ok(existsSync(join(folder, 'data/third.db')))

    const third = await freePort()
    const byOption = new Server(folder, { PORT: String(other) }, ['--port', String(third)])
    await byOption.said(new RegExp(`:${third}`))
    assert.equal(await byOption.stop(), 0)
  })
})

describe('a server that stops', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`on ${signal}: finishes what runs, is not ready for more, and exits with 0`, async () => {
      const { server, port } = await started()
      const body = '{"data":{"text":"in time"}}'
      const write = new Line(port)
      await write.write(
        `POST /api/notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
      )
      const ready = new Line(port)
      await ready.write('GET /_health/ready HTTP/1.1\r\nHost: x\r\n')
      const idle = new Line(port)
      await idle.write('GET /_health HTTP/1.1\r\nHost: x\r\n\r\n')
      // The answer on one connection says that the bytes of the others have been looked at too.
      await once(idle.socket, 'data')

      server.child.kill(signal)
      await server.said(/"msg":"stopping"/)
      await idle.closed
      const refused = new Line(port)
      const [error] = await once(refused.socket, 'error')
      assert.match(String((error as NodeJS.ErrnoException).code), /^ECONN(REFUSED|RESET)$/)

      await ready.write('\r\n')
      await ready.closed
      assert.match(ready.text, /^HTTP\/1\.1 503 /)
      assert.match(ready.text, /connection: close/i)
      assert.match(ready.text, /the server is stopping/)

      await write.write(body.slice(10))
      await write.closed
      assert.match(write.text, /^HTTP\/1\.1 200 /)
      assert.match(write.text, /"text":"in time"/)
      assert.equal(await server.ended, 0)
      assert.match(server.output, /"msg":"stopped"/)
      assert.equal(server.errors, '')
    })

  it('cuts what is still running at the deadline, and exits with 0 all the same', async () => {
    const { server, port } = await started({ ...usual, 'config/server.json': '{"shutdownDeadline":300}' })
    const stuck = new Line(port)
    await stuck.write(
      'POST /api/notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    const other = new Line(port)
    await other.write('GET /_health HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(other.socket, 'data')
    assert.equal(await server.stop(), 0)
    assert.match(server.output, /were cut/)
  })

  it('does not wait after a second signal', async () => {
    const { server, port } = await started()
    const stuck = new Line(port)
    stuck.socket.on('error', () => undefined)
    await stuck.write(
      'POST /api/notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    const other = new Line(port)
    await other.write('GET /_health HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(other.socket, 'data')
    server.child.kill('SIGTERM')
    await server.said(/"msg":"stopping"/)
    assert.equal(await server.stop('SIGTERM'), 1)
  })
})

describe('a server that cannot start says why in a sentence, and exits with 1', () => {
  const broken: readonly (readonly [
    says: string,
    files: Record<string, string>,
    env: Record<string, string>,
    sentence: RegExp,
  ])[] = [
    ['a setting that is misspelt', { ...usual, 'config/server.json': '{"prot":1}' }, {}, /config\/server.*prot/],
    [
      'a setting of a wrong type',
      { ...usual, 'config/api.json': '{"rest":{"defaultLimit":"many"}}' },
      {},
      /config\/api.*defaultLimit/,
    ],
    [
      'a config file that is no JSON',
      { ...usual, 'config/server.json': '{' },
      {},
      /config\/server\.json cannot be loaded/,
    ],
    [
      'a config file that throws',
      { ...usual, 'config/server.json': '{}', 'config/log.mjs': "throw new Error('on purpose')" },
      {},
      /config\/log\.mjs cannot be loaded: line 1: on purpose/,
    ],
    ['a port that is none', usual, { PORT: 'abc' }, /PORT/],
    [
      'a schema that is no JSON',
      { ...usual, 'content-types/note.json': '{' },
      {},
      /content-types\/note\.json is not valid JSON/,
    ],
    ['a schema without a name', { ...usual, 'content-types/note.json': '{}' }, {}, /content-types\/note\.json/],
    [
      'an attribute of an unknown type',
      { ...usual, 'content-types/note.json': note.replace('"string"', '"strnig"') },
      {},
      /attribute "text" has the type "strnig"/,
    ],
    [
      'a relation to an unknown type',
      {
        ...usual,
        'content-types/note.json': note.replace(
          '"type":"string"',
          '"type":"relation","relation":"oneToOne","target":"api::x.x"',
        ),
      },
      {},
      /there is no type "api::x\.x"/,
    ],
    ['an unknown plugin', { ...usual, 'config/plugins.json': '{"nosuch":true}' }, {}, /there is no plugin "nosuch"/],
    [
      'a plugin that is not there',
      { ...usual, 'config/plugins.json': '{"mine":{"resolve":"./mine.js"}}' },
      {},
      /config\/plugins: mine could not be loaded: there is no file \S+\/mine\.js$/m,
    ],
    [
      'a plugin package that is not there',
      { ...usual, 'config/plugins.json': '{"mine":{"resolve":"no-such-package"}}' },
      {},
      /mine could not be (found|loaded)/,
    ],
    [
      'a plugin with a setting that it does not have',
      {
        ...usual,
        'config/plugins.json': '{"mine":{"resolve":"./mine.mjs","config":{"a":1}}}',
        'mine.mjs': "export const mine = { name: 'mine' }",
      },
      {},
      /mine\.config\.a is not a setting/,
    ],
    [
      'a plugin that fails to start',
      {
        ...usual,
        'config/plugins.json': '{"mine":{"resolve":"./mine.mjs"}}',
        'mine.mjs': "export const mine = { name: 'mine', register() { throw new Error('no luck') } }",
      },
      {},
      /plugin mine could not start: no luck/,
    ],
    [
      'a database that cannot be reached',
      usual,
      {
        DATABASE_CLIENT: 'postgres',
        DATABASE_HOST: '127.0.0.1',
        DATABASE_PORT: '1',
        DATABASE_NAME: 'x',
        DATABASE_USERNAME: 'x',
        DATABASE_PASSWORD: 'dontsayme',
      },
      /database/,
    ],
    [
      'a database file that is none',
      { ...usual, 'broken.db': 'this is no database at all, but it is long enough to be looked at as one' },
      { DATABASE_FILENAME: 'broken.db' },
      /database/,
    ],
    [
      'a database file in a place that cannot be',
      { ...usual, file: '' },
      { DATABASE_FILENAME: 'file/data.db' },
      /file\/data\.db|database/,
    ],
  ]
  for (const [says, files, env, sentence] of broken)
    it(says, async () => {
      const { status, stdout, stderr } = await inProcess(['start', '--app', folderOf(files)], {
        env: { PORT: '0', HOST: '127.0.0.1', ...env },
      })
      assert.equal(status, says.startsWith('a database') ? 69 : 78)
      assert.match(stderr, sentence)
      assert.doesNotMatch(stderr, /^\s+at .*\d+:\d+\)?$/m)
      assert.doesNotMatch(stderr + stdout, /dontsayme/)
      assert.doesNotMatch(stdout, /listening/)
    })

  it('a plugin is found in the packages of the app', async () => {
    const { server } = await started({
      ...usual,
      'config/plugins.json': '{"mine":{"resolve":"some-package"}}',
      'node_modules/some-package/package.json':
        '{"name":"some-package","type":"module","exports":{"import":"./main.js"}}',
      'node_modules/some-package/main.js':
        "export const mine = { name: 'mine', register({ log }) { log.info('here I am') } }",
    })
    assert.match(server.output, /here I am/)
    assert.equal(await server.stop(), 0)
  })

  it('an app folder that does not exist', async () => {
    const server = new Server('/nowhere/at/all')
    assert.equal(await server.ended, 64)
    assert.match(server.errors, /There is no app folder \/nowhere\/at\/all/)
    assert.doesNotMatch(server.errors, /^\s+at /m)
  })

  it('a port that is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as { port: number }
    const server = new Server(folderOf(usual), { PORT: String(port), HOST: '127.0.0.1' })
    assert.equal(await server.ended, 71)
    assert.match(server.errors, new RegExp(`cannot listen on 127\\.0\\.0\\.1:${port}: the port is taken`))
    assert.doesNotMatch(server.errors, /^\s+at /m)
    holder.close()
  })
})

describe("a plugin's command", () => {
  const greeter = `export const greeter = {
    name: 'greeter',
    register: ({ entries }) => entries('api::note.note'),
    commands: [{
      name: 'greet',
      describe: 'greets whoever is named',
      arguments: [{ name: 'who', describe: 'who is greeted', required: true }],
      run: async ({ args: [who] }, notes) => console.log('hello', who, 'of', await notes.count(), 'notes'),
    }],
  }`
  const files = {
    ...usual,
    'package.json': '{"type":"module"}',
    'config/plugins.json': JSON.stringify({ greeter: { resolve: './greeter.js' } }),
    'greeter.js': greeter,
  }
  const run = (...args: string[]) => stele([...args, '--app', folderOf(files)])

  it('runs with its arguments and its service, and the process ends', () => {
    const { stdout, status } = run('greet', 'Ann')
    assert.equal(stdout, 'hello Ann of 0 notes\n')
    assert.equal(status, 0)
  })

  it('may be written in TypeScript, and take the server from its name', () => {
    const files = {
      ...usual,
      'config/plugins.json': JSON.stringify({ greeter: { resolve: './greeter.ts' } }),
      'greeter.ts': `import { definePlugin, type Host } from 'stele'
        export const greeter = definePlugin({
          name: 'greeter',
          register: ({ entries }: Host) => entries('api::note.note'),
          commands: [{ name: 'greet', describe: 'greets', run: async (_, notes) => console.log('hello', await notes.count()) }],
        })`,
    }
    const { stdout, stderr } = stele(['greet', '--app', folderOf(files)])
    assert.deepEqual([stdout, stderr], ['hello 0\n', ''])
  })

  it('gets this server by its name in scripts too, where none is installed', () => {
    const files = {
      ...usual,
      'package.json': '{"type":"module"}',
      'config/plugins.json': JSON.stringify({ greeter: { resolve: './greeter.js' } }),
      'greeter.js': `import { definePlugin } from 'stele'\n${greeter.replace('= {', '= definePlugin({')})`,
    }
    const { stdout, stderr } = stele(['greet', 'Ann', '--app', folderOf(files)])
    assert.deepEqual([stdout, stderr], ['hello Ann of 0 notes\n', ''])
  })

  it('may use all of TypeScript, in files that a script imports too', async () => {
    const marks = `import { definePlugin, Host, InvalidParameter, Row } from 'stele'
      import { Mark, Marked } from './kinds.js'
      export const marks = definePlugin({
        name: 'marks',
        register: (host: Host) => host,
        params: {
          mark: {
            read(raw: unknown, { path }): Mark {
              if (raw === 'good') return Mark.Good
              throw new InvalidParameter(path, 'only good marks')
            },
          },
        },
        hooks: { serialize: (entry: Row & Marked) => { entry.mark = Mark[Mark.Good] } },
      })`
    const kinds = 'export enum Mark { Good = 1, Bad }\nexport interface Marked { mark?: string }'
    const app = (plugin: Readonly<Record<string, string>>, resolve: string) =>
      started({
        ...usual,
        'package.json': '{"type":"module"}',
        'config/plugins.json': JSON.stringify({ marks: { resolve } }),
        ...plugin,
      })
    for (const [plugin, resolve] of [
      [{ 'marks.ts': marks, 'kinds.ts': kinds }, './marks.ts'],
      [{ 'marks.mts': marks, 'kinds.ts': kinds }, './marks.mts'],
      [{ 'index.js': "export { marks } from './marks.ts'", 'marks.ts': marks, 'kinds.ts': kinds }, './index.js'],
    ] as const) {
      const { server, url } = await app(plugin, resolve)
      assert.equal((await ask(`${url}/api/notes?mark=good`)).status, 200)
      const { status, body } = await ask(`${url}/api/notes?mark=bad`)
      // An error of another copy of the server would be none of a request.
      assert.deepEqual([status, body.error.message], [400, 'mark: only good marks'])
      assert.equal(await server.stop(), 0)
    }
  })

  const within = (...args: string[]) => inProcess([...args, '--app', folderOf(files)])

  it('is listed', async () => {
    assert.equal((await within('commands')).stdout, 'command  describe\ngreet    greets whoever is named\n')
    assert.deepEqual(JSON.parse((await within('commands', '--json')).stdout), [
      { command: 'greet', describe: 'greets whoever is named' },
    ])
  })

  it('says what it takes where that is left out', async () => {
    const { stderr, status } = await within('greet')
    assert.match(stderr, /missing required argument 'who'/)
    assert.match(stderr, /Usage: stele greet/)
    assert.notEqual(status, 0)
  })

  it('is refused with those that exist where its name is wrong', async () => {
    const { stderr, status } = await within('gret')
    assert.equal(
      stderr,
      'neither stele nor a plugin of this app has the command "gret"; did you mean "greet"? plugins bring: greet\n',
    )
    assert.equal(status, 64)
  })
})
