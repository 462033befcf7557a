import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { faultApp } from '../faults/support/app.js'
import { assertUndamaged } from '../faults/support/check.js'
import { Ledger } from '../faults/support/ledger.js'
import { isFull, times } from '../faults/support/length.js'
import { Load, seed } from '../faults/support/load.js'
import { ask, folderOf, stele } from '../support/terminal.js'
import { whyNoCluster } from './choice.js'
import { eventOrder } from './event-order.js'
import { GaleraCluster } from './galera.js'
import { limits } from './limits.js'
import { meetings } from './meetings.js'
import { Pair } from './pair.js'
import { severalWays } from './several-ways.js'

vi.setConfig({ testTimeout: 400_000, hookTimeout: 180_000 })

const reason = whyNoCluster(process.env)
if (reason !== undefined) console.warn(`\n!! THE GALERA CLUSTER IS NOT TESTED: ${reason}\n`)

/** Long tests are left to STELE_FAULTS=full. */
const atLength = isFull ? it : it.skip

const suite = reason === undefined ? describe : describe.skip

/** The schema file of notes that have a text. */
const noteOf = (type: string): string =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes' },
    attributes: { text: { type } },
  })

suite('two servers on a cluster of three nodes', () => {
  let cluster: GaleraCluster
  beforeAll(async () => {
    cluster = await GaleraCluster.start()
  })
  afterAll(() => cluster?.stop())

  limits(() => cluster)
  meetings(() => cluster)
  eventOrder(() => cluster)
  severalWays(() => cluster)

  it('start at once on an empty database: the layout is made once, with a primary key for every table', async () => {
    const pair = await Pair.start(cluster, faultApp())
    const added = pair.both.flatMap(({ server }) =>
      server.lines.filter(({ msg }) => /^added to the database: .*tables/.test(String(msg))),
    )
    assert.equal(added.length, 1)
    const tables = await cluster.nodes[2].query(
      `select table_name as name, engine, (select count(*) from information_schema.table_constraints c
        where c.table_schema = t.table_schema and c.table_name = t.table_name and constraint_type = 'PRIMARY KEY') as \`keys\`
       from information_schema.tables t where table_schema = '${pair.database}'`,
    )
    assert.ok(tables.length > 20, `${tables.length} tables`)
    assert.deepEqual(
      tables.filter(table => table.engine !== 'InnoDB' || Number(table.keys) !== 1),
      [],
    )
    for (const { url } of pair.both) assert.equal((await ask(`${url}/_health/ready`)).status, 200)
    await pair.assertEqualNodes()
    pair.assertQuiet()
  })

  it('know within a second that a token was revoked, an account was blocked, a right was taken', async () => {
    const app = folderOf({
      'content-types/note.json': noteOf('string'),
      'config/plugins.json': '{"users-permissions":true,"api-tokens":true}',
      'config/permissions.json': '{"roles":{"public":{"note":["find"]}}}',
    })
    const secrets = { JWT_SECRET: 'a secret of this test', API_TOKEN_SALT: 'a salt of this test', LOG_LEVEL: 'warn' }
    const pair = await Pair.start(cluster, app, { ...secrets, LOG_LEVEL: 'info' })
    const command = (...args: string[]) => {
      const { stdout, stderr, status } = stele([...args, '--app', app, '--json'], { env: { ...secrets, ...pair.env } })
      assert.equal(status, 0, stderr)
      return JSON.parse(stdout)
    }
    const signedBy = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

    const account = { username: 'ann', email: 'ann@example.com', password: 'correct horse' }
    const { body } = await ask(`${pair.one.url}/api/auth/local/register`, { method: 'POST', body: account })
    const person = signedBy(body.jwt)
    const program = signedBy(command('token', 'create', 'reader').accessKey)
    const cases = [
      { path: '/api/users/me', init: person, end: () => command('user', 'block', 'ann') },
      { path: '/api/notes', init: program, end: () => command('token', 'revoke', 'reader') },
      { path: '/api/notes', init: {}, end: () => command('role', 'revoke', 'public', 'api::note.note.find') },
    ]
    for (const { path, init, end } of cases) {
      for (const { url } of pair.both) while ((await ask(url + path, init)).status !== 200) await wait(20)
      end()
      const changed = performance.now()
      for (const { url } of pair.both)
        for (let sent = changed; (await ask(url + path, init)).status === 200; sent = performance.now())
          assert.ok(sent - changed < 2000, `${path}: a request sent two seconds later is served`)
      console.log(`cluster: ${path} refused by both ${Math.round(performance.now() - changed)} ms after the command`)
    }
    pair.assertQuiet()
  })

  it('refuse an entry that is too large to be sent to the other nodes, and go on', async () => {
    const app = folderOf({
      'content-types/note.json': noteOf('richtext'),
      'config/api.json': '{"rest":{"public":true}}',
      'config/server.json': '{"body":{"json":8388608}}',
    })
    const pair = await Pair.start(cluster, app)
    const write = (length: number) =>
      ask(`${pair.one.url}/api/notes`, { method: 'POST', body: { data: { text: 'x'.repeat(length) } } })
    const limit = async (bytes: number) => {
      for (const node of cluster.nodes) await node.query(`set global wsrep_max_ws_size = ${bytes}`)
    }
    await limit(1_000_000)
    try {
      const { status, body } = await write(2_000_000)
      assert.deepEqual([status, body.error.name], [413, 'PayloadTooLargeError'], JSON.stringify(body))
      assert.equal((await write(1000)).status, 200)
    } finally {
      await limit(2_147_483_647)
    }
    assert.equal((await write(2_000_000)).status, 200)
    const { body } = await ask(`${pair.two.url}/api/notes?pagination[pageSize]=1`)
    assert.equal(body.meta.pagination.total, 2)
    pair.assertQuiet()
  })

  /** Clients that write to both servers, and what they were told. */
  class Clients {
    readonly ledger = new Ledger()
    readonly loads: readonly Load[]
    readonly pair: Pair

    private constructor(pair: Pair, loads: (ledger: Ledger) => Load[]) {
      this.pair = pair
      this.loads = loads(this.ledger)
    }

    static async start(database: Readonly<Record<string, unknown>> = {}): Promise<Clients> {
      const pair = await Pair.start(cluster, faultApp({ database }))
      const seeds = await seed(pair.one.url)
      const clients = new Clients(pair, ledger => pair.both.map(({ url }) => new Load(url, ledger, seeds, 4)))
      for (const load of clients.loads) load.start()
      await clients.good(times(20, 200))
      return clients
    }

    async good(more: number): Promise<void> {
      await Promise.all(this.loads.map(load => load.good(more)))
    }

    /** All that was acknowledged is there, on all nodes, and clients saw nothing but good answers and "try again". */
    async conclude(what: string): Promise<void> {
      await Promise.all(this.loads.map(load => load.stop()))
      for (const { answers } of this.loads) answers.assertCivil()
      await cluster.nodes[0].query('select 1')
      await assertUndamaged(this.ledger, this.pair.settings(), this.pair.app)
      await this.pair.assertEqualNodes()
      this.pair.assertQuiet()
      const statuses = this.loads.map(({ answers }) => JSON.stringify(Object.fromEntries(answers.byStatus)))
      const longest = Math.max(...this.loads.map(({ answers }) => answers.longest))
      console.log(
        `cluster: ${what}: ${this.ledger.acknowledged} acknowledged writes, 0 lost; answers ${statuses.join(' and ')}, the longest after ${Math.round(longest)} ms`,
      )
    }
  }

  it('lose nothing where a node is killed under load and comes back', async () => {
    const clients = await Clients.start()
    for (let round = 0; round < times(1, 10); round += 1) {
      const node = cluster.nodes[round % 3] as (typeof cluster.nodes)[0]
      await node.kill()
      await clients.good(20)
      await node.start()
      await clients.good(20)
    }
    await cluster.heal()
    await clients.conclude('a node killed and back')
  })

  it('leave a node that is cut off from the others, and start without it', async () => {
    const clients = await Clients.start()
    const [node] = cluster.nodes
    await node.isolate(true)
    try {
      await clients.good(20)
      const { url, server } = await clients.pair.another(0)
      assert.equal((await ask(`${url}/_health/ready`)).status, 200)
      assert.equal((await ask(`${url}/api/tags`)).status, 200)
      server.child.kill('SIGTERM')
      await server.ended
    } finally {
      await node.isolate(false)
    }
    await cluster.heal()
    await clients.good(20)
    await clients.conclude('a node cut off')
  })

  atLength('go on with another node while theirs stands still, and lose nothing', async () => {
    const clients = await Clients.start({ statementTimeout: 1500 })
    const [node] = cluster.nodes
    await node.kill('SIGSTOP')
    await clients.good(20)
    await node.kill('SIGCONT')
    await cluster.heal()
    await clients.good(20)
    await clients.conclude('a node paused')
  })

  atLength(
    'refuse with 503 while no majority is left, and lose nothing where all nodes die and are recovered',
    async () => {
      const clients = await Clients.start()
      const [first, second, third] = cluster.nodes
      await Promise.all([second.kill(), third.kill()])
      const { one, two } = clients.pair
      for (const url of [one.url, two.url])
        for (const init of [{}, { method: 'POST', data: { name: 'x' } }]) {
          // Cached reads may be served until the last node knows that it is alone.
          let answer = await ask(`${url}/api/tags`, init)
          while (answer.status === 200) answer = await ask(`${url}/api/tags`, init)
          assert.equal(answer.status, 503, JSON.stringify(answer.body))
          assert.ok(Number(answer.headers.get('retry-after')) >= 1)
          assert.equal((await ask(`${url}/_health/ready`)).status, 503)
          assert.equal((await ask(`${url}/_health`)).status, 204)
        }
      await first.kill()
      await cluster.recover()
      await clients.good(20)
      await clients.conclude('all nodes killed and recovered')
    },
  )
})
