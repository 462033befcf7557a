import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createTestApp, type TestApp, type TestAppOptions } from '../../core/index.js'
import type { DatabaseSettings } from '../support/engines.js'
import { type Server, started } from '../support/terminal.js'
import type { GaleraCluster } from './galera.js'
import type { GaleraNode } from './node.js'

interface Instance {
  readonly server: Server
  readonly url: string
}

/** Two servers of one app, as on two machines, that prefer different nodes of the cluster. */
export class Pair {
  readonly app: string
  readonly database: string
  readonly one: Instance
  readonly two: Instance
  readonly #cluster: GaleraCluster

  private constructor(cluster: GaleraCluster, app: string, database: string, one: Instance, two: Instance) {
    this.#cluster = cluster
    this.app = app
    this.database = database
    this.one = one
    this.two = two
  }

  /** Starts both at the same time, on an empty database. */
  static async start(cluster: GaleraCluster, app: string, env: Readonly<Record<string, string>> = {}): Promise<Pair> {
    const database = await newDatabase(cluster)
    const [one, two] = await Promise.all(
      [0, 1].map(first => started(app, { ...envOf(cluster, database, first), ...env })),
    )
    return new Pair(cluster, app, database, one as Instance, two as Instance)
  }

  get both(): readonly [Instance, Instance] {
    return [this.one, this.two]
  }

  /** The same for a command, which asks the third node. */
  get env(): Record<string, string> {
    return envOf(this.#cluster, this.database, 2)
  }

  /** Starts a third server, as on a third machine, that prefers this node. */
  another(first: number): Promise<Instance> {
    return started(this.app, envOf(this.#cluster, this.database, first))
  }

  settings(node: GaleraNode = this.#cluster.nodes[0]): DatabaseSettings {
    return { client: 'mysql', database: this.database, ...node.address }
  }

  /** All nodes hold the same rows in all tables. */
  async assertEqualNodes(): Promise<void> {
    const tables = await this.#cluster.nodes[0].query(
      `select table_name as name from information_schema.tables where table_schema = '${this.database}' order by 1`,
    )
    const list = tables.map(({ name }) => `\`${name}\``).join(', ')
    const [first, ...others] = await Promise.all(
      this.#cluster.nodes.map(node => node.query(`checksum table ${list}`, this.database)),
    )
    assert.ok(tables.length > 0)
    for (const other of others) assert.deepEqual(other, first)
  }

  /** Neither printed anything past its log. */
  assertQuiet(): void {
    for (const { server } of this.both) assert.equal(server.errors, '')
  }
}

export async function newDatabase({ nodes: [node] }: GaleraCluster): Promise<string> {
  const database = `stele_${randomBytes(6).toString('hex')}`
  await node.query(`create database ${database}`)
  return database
}

/** The nodes, as the setting `host` takes them, with the one in front that is preferred. */
export function hostsOf({ nodes }: GaleraCluster, first: number): string {
  const places = nodes.map((_, index) => nodes[(first + index) % nodes.length]?.address)
  return places.map(place => `${place?.host}:${place?.port}`).join(',')
}

/** The settings of a server in this process that prefers this node. */
export function settingsOn(cluster: GaleraCluster, database: string, first: number) {
  const { user, password } = cluster.nodes[0].address
  return { client: 'mysql', host: hostsOf(cluster, first), database, user, password } as const
}

/** Two servers in this process, of one new database, that prefer different nodes. */
export async function openBoth(cluster: GaleraCluster, options: Omit<TestAppOptions, 'config'>) {
  const database = await newDatabase(cluster)
  const open = (first: number) =>
    createTestApp({ ...options, config: { database: settingsOn(cluster, database, first) } })
  const apps: readonly [TestApp, TestApp] = await Promise.all([open(0), open(1)])
  return { apps, database }
}

function envOf(cluster: GaleraCluster, database: string, first: number): Record<string, string> {
  const { user, password } = cluster.nodes[0].address
  return {
    DATABASE_CLIENT: 'mysql',
    DATABASE_HOST: hostsOf(cluster, first),
    DATABASE_NAME: database,
    DATABASE_USERNAME: user,
    DATABASE_PASSWORD: password,
  }
}
