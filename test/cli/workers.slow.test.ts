import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { stele as inProcess } from '../support/command.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { ask, folderOf, Server, started, stele } from '../support/terminal.js'
import { isNightly } from '../support/time.js'

// Tests here start several processes each.
vi.setConfig({ testTimeout: 60_000 })
const json = (value: unknown) => JSON.stringify(value)
const typeFile = (kind: string, name: string) =>
  json({
    kind,
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s` },
    attributes: { text: { type: 'string' } },
  })

const open = {
  'content-types/note.json': typeFile('collectionType', 'note'),
  'config/api.json': json({ rest: { public: true } }),
}
const guarded = {
  ...open,
  'config/plugins.json': json({ 'users-permissions': true, 'api-tokens': true }),
}
const env = { LOG_LEVEL: 'debug', JWT_SECRET: 'a secret of this test', API_TOKEN_SALT: 'a salt of this test' }

type Reply = Awaited<ReturnType<typeof ask>>
interface WorkerReply extends Reply {
  readonly worker: number
  readonly sentAt: number
}

/** Asks, and finds out which worker has answered: the log says it. */
async function asked(server: Server, url: string, init: Parameters<typeof ask>[1] = {}): Promise<WorkerReply> {
  const id = crypto.randomUUID()
  const sentAt = performance.now()
  const reply = await ask(url, { ...init, headers: { ...init.headers, 'x-request-id': id } })
  await server.said(new RegExp(`"requestId":"${id}"`))
  const line = server.lines.find(({ requestId }) => requestId === id)
  return { ...reply, worker: Number(line?.worker), sentAt }
}

/** Asks until every one of two workers has answered, and gives an answer of each. */
async function askEach(server: Server, url: string, init: Parameters<typeof ask>[1] = {}): Promise<WorkerReply[]> {
  const answers = new Map<number, WorkerReply>()
  for (let tries = 0; answers.size < 2 && tries < 50; tries += 1) {
    const answer = await asked(server, url, init)
    answers.set(answer.worker, answer)
  }
  assert.deepEqual([...answers.keys()].sort(), [1, 2])
  return [...answers.values()]
}

/** Asks until both workers refuse. A request sent more than a second after a change must not pass. */
async function refusedWithinASecond(server: Server, url: string, init: Parameters<typeof ask>[1], changed: number) {
  const refusing = new Set<number>()
  for (const deadline = changed + 5000; refusing.size < 2; ) {
    const { status, worker, sentAt } = await asked(server, url, init)
    if (status === 401 || status === 403) refusing.add(worker)
    else
      assert.ok(sentAt - changed < 1000, `worker ${worker} answers ${status} ${sentAt - changed} ms after the change`)
    assert.ok(performance.now() < deadline, 'a worker was never asked')
  }
}

onEveryEngineAtLength('several workers', engine => {
  const serving = async (files: Record<string, string>, work: (it: RunningServer) => Promise<void>) => {
    const fresh = await engine.fresh()
    const folder = folderOf(files)
    const all = { ...env, ...fresh.env }
    try {
      const { server, url } = await started(folder, all, 2)
      await work({ server, url, folder, fresh, env: all })
      assert.equal(await server.stop(), 0)
      assert.equal(server.errors, '')
    } finally {
      await fresh.drop()
    }
  }
  interface RunningServer {
    readonly server: Server
    readonly url: string
    readonly folder: string
    readonly fresh: FreshDatabase
    readonly env: Record<string, string>
  }

  const singles = ['about', 'imprint', 'home', 'footer', 'banner', 'contact']
  const types = Object.fromEntries(singles.map(name => [`content-types/${name}.json`, typeFile('singleType', name)]))

  describe('of one server', () => {
    let place: Pick<RunningServer, 'server' | 'url' | 'fresh'>
    beforeAll(async () => {
      const fresh = await engine.fresh()
      const { server, url } = await started(folderOf({ ...open, ...types }), { ...env, ...fresh.env }, 2)
      place = { server, url, fresh }
    })
    afterAll(async () => {
      try {
        assert.equal(await place.server.stop(), 0)
        assert.equal(place.server.errors, '')
      } finally {
        await place.server.stop('SIGKILL')
        await place.fresh.drop()
      }
    })

    it('answer behind one port, and the first has made the tables before the second begins', async () => {
      const { server, url } = place
      for (const { status } of await askEach(server, `${url}/api/notes`)) assert.equal(status, 200)
      for (const { body } of await askEach(server, `${url}/_health/ready`)) assert.equal(body.ready, true)
      const lines = server.lines.filter(({ worker }) => worker !== undefined)
      const firstListens = lines.findIndex(({ worker, msg }) => worker === 1 && /listening/.test(String(msg)))
      const secondBegins = lines.findIndex(({ worker }) => worker === 2)
      assert.ok(firstListens >= 0 && firstListens < secondBegins)
      const added = lines.filter(({ msg }) => /^added to the database/.test(String(msg)))
      assert.deepEqual(
        added.map(({ worker }) => worker),
        [1],
      )
    })

    it('see at once what another has written: entries, totals, and answers that were kept', async () => {
      const { server, url } = place
      for (let count = 1; count <= 10; count += 1) {
        // Twice, so that the answer is one that is kept.
        for (let times = 0; times < 2; times += 1) await askEach(server, `${url}/api/notes`)
        await ask(`${url}/api/notes`, { method: 'POST', data: { text: `note ${count}` } })
        for (const { body } of await askEach(server, `${url}/api/notes`)) {
          assert.equal(body.meta.pagination.total, count)
          assert.equal(body.data.length, count)
        }
      }
    })

    it('write at the same time, and nothing is lost', async () => {
      const { url, fresh } = place
      const before = Number((await run(fresh.database, 'select count(*) as n from notes'))[0]?.n)
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          ask(`${url}/api/notes`, { method: 'POST', data: { text: `note ${index}` } }),
        ),
      )
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      assert.equal(new Set(replies.map(({ body }) => body.data.id)).size, 100)
      assert.equal(Number((await run(fresh.database, 'select count(*) as n from notes'))[0]?.n), before + 100)
    })

    it('make one entry of a single type, however many write it first', async () => {
      const { url, fresh } = place
      const replies = await Promise.all(
        singles.flatMap(name =>
          Array.from({ length: 8 }, (_, index) =>
            ask(`${url}/api/${name}`, { method: 'PUT', data: { text: `${index}` } }),
          ),
        ),
      )
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      for (const name of singles)
        assert.equal(Number((await run(fresh.database, `select count(*) as n from ${name}s`))[0]?.n), 1, name)
      // After it was deleted the next first one is one again.
      assert.equal((await ask(`${url}/api/about`, { method: 'DELETE' })).status, 200)
      const again = await Promise.all(
        Array.from({ length: 8 }, () => ask(`${url}/api/about`, { method: 'PUT', data: { text: 'again' } })),
      )
      assert.deepEqual([...new Set(again.map(({ status }) => status))], [200])
      assert.equal(Number((await run(fresh.database, 'select count(*) as n from abouts'))[0]?.n), 1)
    })
  })

  it.runIf(isNightly)('know within a second that a session has ended, a right was taken, a token was revoked', () => {
    const permissions = json({ roles: { public: { note: ['find'] } } })
    return serving({ ...guarded, 'config/permissions.json': permissions }, async place => {
      const { server, url, folder, fresh, env: all } = place
      const account = { username: 'ann', email: 'ann@example.com', password: 'correct horse' }
      const { body: made } = await ask(`${url}/api/auth/local/register`, { method: 'POST', body: account })
      const signed = { headers: { authorization: `Bearer ${made.jwt}` } }
      for (const { status } of await askEach(server, `${url}/api/users/me`, signed)) assert.equal(status, 200)
      const { stdout } = stele(['token', 'create', 'reader', '--app', folder, '--json'], {
        env: { ...all, LOG_LEVEL: 'warn' },
      })
      const program = { headers: { authorization: `Bearer ${JSON.parse(stdout).accessKey}` } }
      for (let seen = false; !seen; ) {
        const statuses = (await askEach(server, `${url}/api/notes`, program)).map(({ status }) => status)
        seen = statuses.every(status => status === 200)
      }

      const changed = await ask(`${url}/api/auth/change-password`, {
        method: 'POST',
        ...signed,
        body: { currentPassword: account.password, password: 'battery staple', passwordConfirmation: 'battery staple' },
      })
      assert.equal(changed.status, 200)
      await refusedWithinASecond(server, `${url}/api/users/me`, signed, performance.now())

      for (const { status } of await askEach(server, `${url}/api/notes`)) assert.equal(status, 200)
      await run(fresh.database, "delete from up_permissions where action = 'api::note.note.find'")
      await refusedWithinASecond(server, `${url}/api/notes`, {}, performance.now())

      await run(fresh.database, 'delete from strapi_api_tokens')
      await refusedWithinASecond(server, `${url}/api/notes`, program, performance.now())
    })
  })

  it.runIf(isNightly)(
    'know of it also where the tables of it came with the first write to a database of Strapi 4',
    async () => {
      const fresh = await engine.fresh()
      const folder = folderOf(guarded)
      const first = await started(folder, { ...env, ...fresh.env })
      const account = { username: 'ann', email: 'ann@example.com', password: 'correct horse' }
      const { body: made } = await ask(`${first.url}/api/auth/local/register`, { method: 'POST', body: account })
      await first.server.stop()
      for (const table of ['user_stamps', 'sessions', 'login_codes', 'steps', 'schema'])
        await run(fresh.database, `drop table if exists stele_${table}`)
      const schema = engine.name === 'mysql' ? '`schema`' : '"schema"'
      await run(fresh.database, `create table strapi_database_schema (id integer, ${schema} json)`)

      const { server, url } = await started(folder, { ...env, ...fresh.env }, 2)
      await server.said(/nothing is added to it before the first write/, 2)
      const signed = { headers: { authorization: `Bearer ${made.jwt}` } }
      for (const { status } of await askEach(server, `${url}/api/users/me`, signed)) assert.equal(status, 200)
      const changed = await ask(`${url}/api/auth/change-password`, {
        method: 'POST',
        ...signed,
        body: { currentPassword: account.password, password: 'battery staple', passwordConfirmation: 'battery staple' },
      })
      assert.equal(changed.status, 200)
      await refusedWithinASecond(server, `${url}/api/users/me`, signed, performance.now())
      assert.equal(await server.stop(), 0)
      await fresh.drop()
    },
  )
})

describe('stele start --workers', () => {
  const pids = (server: Server) =>
    new Map(server.lines.filter(({ worker }) => worker !== undefined).map(({ worker, pid }) => [worker, Number(pid)]))

  it.runIf(isNightly)('starts a worker again that dies, while the other one answers', async () => {
    const { server, url } = await started(folderOf(open), env, 2)
    process.kill(pids(server).get(1) as number, 'SIGKILL')
    await server.said(/worker 1 ended by SIGKILL and is started again/)
    assert.equal((await ask(`${url}/api/notes`)).status, 200)
    await server.said(/listening on/, 3)
    await askEach(server, `${url}/api/notes`)
    const [fallen] = server.lines.filter(({ msg }) => /is started again/.test(String(msg)))
    assert.deepEqual([fallen?.worker, fallen?.signal, fallen?.level], [1, 'SIGKILL', 'error'])
    assert.equal(await server.stop(), 0)
  })

  it('lets a worker that is told to stop finish, and starts it again', async () => {
    const { server, url } = await started(folderOf(open), env, 2)
    process.kill(pids(server).get(2) as number, 'SIGTERM')
    await server.said(/"msg":"stopped"/)
    await server.said(/listening on/, 3)
    await askEach(server, `${url}/api/notes`)
    assert.equal(await server.stop(), 0)
  })

  it.runIf(isNightly)('waits longer with every fall', async () => {
    const { server } = await started(folderOf(open), env, 2)
    for (const falls of [1, 2, 3]) {
      process.kill(pids(server).get(1) as number, 'SIGKILL')
      await server.said(/listening on/, 2 + falls)
    }
    const pauses = server.lines.flatMap(({ msg }) => /started again in (\d+) ms/.exec(String(msg))?.[1] ?? [])
    assert.deepEqual(pauses, ['100', '200', '400'])
    assert.equal(await server.stop(), 0)
  })

  const killing = (condition: string) => ({
    ...open,
    'config/server.mjs': `import { existsSync, writeFileSync } from 'node:fs'
      const isFirst = !existsSync('killed')
      if (process.env.STELE_WORKER === '1' && (${condition})) {
        writeFileSync('killed', '')
        process.kill(process.pid, 'SIGKILL')
      }
      export default {}`,
  })
  it.runIf(isNightly)('starts the first again that is killed before it is ready, and says how it ended', async () => {
    const { server, url } = await started(folderOf(killing('isFirst')), env, 2)
    assert.match(server.output, /"worker 1 ended by SIGKILL before it was ready and is started again in 100 ms"/)
    assert.equal((await ask(`${url}/api/notes`)).status, 200)
    assert.equal(await server.stop(), 0)
  })

  it.runIf(isNightly)('gives up with a sentence where the first is killed again and again', async () => {
    const server = new Server(folderOf(killing('true')), { ...env, PORT: '0', HOST: '127.0.0.1' }, ['--workers', '2'])
    assert.equal(await server.ended, 1)
    const last = server.lines.at(-1)
    assert.deepEqual([last?.level, last?.worker, last?.signal], ['fatal', 1, 'SIGKILL'])
    assert.match(String(last?.msg), /^worker 1 ended by SIGKILL before it was ready \(5 times in a row\)/)
  })

  it('gives up with a sentence where the first cannot start', async () => {
    const folder = folderOf({ ...open, 'content-types/broken.json': '{' })
    const server = new Server(folder, { PORT: '0', HOST: '127.0.0.1' }, ['--workers', '2'])
    assert.equal(await server.ended, 78)
    assert.match(server.errors, /content-types\/broken\.json is not valid JSON/)
    assert.doesNotMatch(server.errors, /^\s+at /m)
    assert.doesNotMatch(server.output, /started again/)
    assert.match(server.output, /"worker 1 ended with code 78 before it was ready \(its own output says why\)/)
  })

  it.runIf(isNightly)(
    'on SIGTERM under load: cuts no request on an open connection, and exits with 0 in time',
    async () => {
      const { server, port } = await started(folderOf(open), { ...env, LOG_LEVEL: 'info' }, 2)
      const clients = Array.from({ length: 20 }, () => new Client(port))
      const reading = clients.map(client => client.readOn())
      while (clients.some(({ answers }) => answers < 20)) await new Promise(setImmediate)
      const begun = performance.now()
      const code = await server.stop()
      assert.ok(performance.now() - begun < 10_000)
      assert.equal(code, 0)
      await Promise.all(reading)
      assert.deepEqual(
        clients.map(({ lost }) => lost),
        clients.map(() => ''),
      )
      assert.equal(server.lines.filter(({ msg }) => msg === 'stopped').length, 2)
      assert.match(server.output, /all workers have stopped/)
    },
  )

  it('finishes a write that is under way, and takes no more', async () => {
    const { server, port, url } = await started(folderOf(open), env, 2)
    const body = '{"data":{"text":"in time"}}'
    const write = new Client(port)
    await write.send(
      `POST /api/notes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    )
    // The request makes both workers read the current state.
    await askEach(server, `${url}/_health`)
    server.child.kill('SIGTERM')
    await server.said(/"msg":"stopping"/, 2)
    await write.send(body.slice(10))
    await write.closed
    assert.match(write.text, /^HTTP\/1\.1 200 /)
    assert.match(write.text, /connection: close/i)
    assert.equal(await server.ended, 0)
  })

  it('a terminal that stops all its processes at once stops them in order as well', async () => {
    const { server, url } = await started(folderOf(open), env, 2)
    await askEach(server, `${url}/api/notes`)
    for (const pid of [...pids(server).values(), server.child.pid as number]) process.kill(pid, 'SIGINT')
    assert.equal(await server.ended, 0)
    assert.equal(server.lines.filter(({ msg }) => msg === 'stopped').length, 2)
  })

  it('ends in order where it is stopped while workers still start', async () => {
    const server = new Server(folderOf(open), { PORT: '0', HOST: '127.0.0.1' }, ['--workers', '2'])
    await server.said(/listening/)
    assert.equal(await server.stop(), 0)
  })

  it('does not wait after a second signal', async () => {
    const { server, port, url } = await started(folderOf(open), env, 2)
    const stuck = new Client(port)
    await stuck.send(
      'POST /api/notes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    )
    await askEach(server, `${url}/_health`)
    server.child.kill('SIGTERM')
    await server.said(/"msg":"stopping"/, 2)
    assert.equal(await server.stop('SIGTERM'), 1)
    await stuck.closed
  })

  it('takes the number from STELE_WORKERS, also from .env, and what is said wins', async () => {
    const folder = folderOf({ ...open, '.env': 'STELE_WORKERS=2\n' })
    const byFile = new Server(folder, { PORT: '0', HOST: '127.0.0.1' })
    await byFile.said(/"worker":2.*listening/)
    assert.equal(await byFile.stop(), 0)
    const said = new Server(folder, { PORT: '0', HOST: '127.0.0.1' }, ['--workers', '1'])
    await said.said(/listening/)
    assert.ok(said.lines.every(({ worker }) => worker === undefined))
    assert.equal(await said.stop(), 0)
  })

  it('auto is one for each CPU', async () => {
    const server = new Server(folderOf(open), { PORT: '0', HOST: '127.0.0.1' }, ['--workers', 'auto'])
    await server.said(/listening/, availableParallelism())
    assert.equal(await server.stop(), 0)
  })

  it('refuses a number that is none, and a database that only one process has', async () => {
    const folder = folderOf(open)
    for (const number of ['0', 'many', '1.5', '1000', '']) {
      const { stderr, status } = await inProcess(['start', '--app', folder, '--workers', number])
      assert.equal(status, 64)
      assert.equal(stderr, `--workers is "${number}"; it is auto or a number from 1 to 256\n`)
    }
    const memory = await inProcess(['start', '--app', folder, '--workers', '2'], {
      env: { DATABASE_FILENAME: ':memory:' },
    })
    assert.equal(memory.status, 64)
    assert.match(memory.stderr, /a database in memory is that of one process; give it a file/)
  })

  it('lets no more attempts pass than one process would', async () => {
    const { server, url } = await started(folderOf(guarded), env, 2)
    const attempt = () =>
      ask(`${url}/api/auth/local`, { method: 'POST', body: { identifier: 'nobody', password: 'wrong' } })
    const statuses = []
    for (let count = 0; count < 24; count += 1) statuses.push((await attempt()).status)
    assert.equal(statuses.filter(status => status !== 429).length, 10)
    assert.equal(await server.stop(), 0)
  })
})

/** A connection that is kept, one request after the other. */
class Client {
  readonly #socket: Socket
  readonly closed: Promise<unknown>
  text = ''
  answers = 0
  /** The received part of a response that was cut off. */
  lost = ''

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1')
    this.closed = new Promise(resolve => this.#socket.once('close', resolve))
    this.#socket.on('error', () => undefined)
    this.#socket.setEncoding('latin1').on('data', part => {
      this.text += part
    })
  }

  send(text: string): Promise<void> {
    return new Promise((resolve, reject) => this.#socket.write(text, error => (error ? reject(error) : resolve())))
  }

  /** Asks until the server says that the connection ends. */
  async readOn(): Promise<void> {
    for (;;) {
      this.text = ''
      await this.send('GET /api/notes HTTP/1.1\r\nhost: x\r\n\r\n').catch(() => undefined)
      while (!isWhole(this.text)) {
        const more = once(this.#socket, 'data').then(() => true)
        if (await Promise.race([more, this.closed.then(() => false)])) continue
        if (!isWhole(this.text)) this.lost = `no answer, but: ${this.text}`
        return
      }
      this.answers += 1
      if (/^connection: close\r$/im.test(this.text)) return
    }
  }
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  return end >= 0 && text.length >= end + 4 + Number(/^content-length: *(\d+)/im.exec(text)?.[1])
}
