import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { connect } from '../../core/boot/connect.js'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine } from '../../core/engines/engine.js'
import { createLog } from '../../core/log.js'
import { app } from '../config/app.js'
import { Authority, type Certificate, pemsOf } from '../support/certificates.js'
import { startOn } from '../support/contract.js'
import { onEveryServer } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { type DatabaseServer, mysqlKind, startMysqlKind, startPostgres } from '../support/servers.js'
import { stele } from '../support/terminal.js'
import { toolOf } from '../support/tool.js'

const openssl = toolOf('openssl', 'openssl')
const describeHere = openssl ? describe : describe.skip

/** Statements that tell whether the connection is encrypted, and which certificate its client has shown. */
const facts = {
  mysql: "show session status like 'Ssl_cipher'",
  postgres: 'select ssl, client_dn from pg_stat_ssl where pid = pg_backend_pid()',
}
type Client = keyof typeof facts

const world = { known: '', password: 'secret' }

onEveryServer('TLS', ({ name, fresh }) => {
  const client = name as Client
  describeHere('to a server that asks for it', () => {
    let authority: Authority
    let other: Authority
    let server: DatabaseServer
    let own: Certificate
    beforeAll(async () => {
      authority = new Authority(openssl as string, 'an authority of the tests')
      other = new Authority(openssl as string, 'another authority')
      own = authority.sign('certified', 'DNS:client')
      server = await startTls(client, authority)
      await server.createDatabase('shop')
      await addAccounts(server)
    })
    afterAll(async () => {
      await server?.stop()
      authority.remove()
      other.remove()
    })

    /** The place in `config/database`; the certificate of the server is for this name and `127.0.0.2`. */
    const place = (over: object = {}) => ({
      host: 'localhost',
      port: server.port,
      database: 'shop',
      user: 'secured',
      password: world.password,
      ...over,
    })
    const nested = (over: object) =>
      `module.exports = { connection: { client: '${client}', connection: ${JSON.stringify(place(over))} } }`
    const url = (parameters: string, user = 'secured') =>
      `${client}://${user}:${world.password}@localhost:${server.port}/shop?${parameters}`
    const open = (file: string, env: NodeJS.ProcessEnv = {}) => opened({ 'config/database.js': file }, env)
    const connects = async (file: string, env?: NodeJS.ProcessEnv) => {
      const [row] = await (await open(file, env)).reader.all(facts[client], [])
      assert.ok(client === 'mysql' ? String(row?.[1]).length > 3 : row?.[0] === true || row?.[0] === 't', `${row}`)
      return row
    }
    const refuses = async (file: string, message: RegExp, env?: NodeJS.ProcessEnv) =>
      assert.rejects(open(file, env), ({ message: said }: Error) => {
        assert.match(said, message)
        return true
      })

    it('connects with the authority of the server, as text, in a list and as bytes', async () => {
      await connects(nested({ ssl: { ca: authority.pem } }))
      await connects(nested({ ssl: { ca: [other.pem, authority.pem] } }))
      const bytes = `require('node:fs').readFileSync(${JSON.stringify(authority.file)})`
      await connects(nested({ ssl: { ca: 'BYTES' } }).replace('"BYTES"', bytes))
    })

    it('connects without verifying the certificate', async () => {
      await connects(nested({ ssl: { rejectUnauthorized: false } }))
      await connects(nested({ ssl: 'no-verify' }))
      await connects('module.exports = {}', {
        DATABASE_CLIENT: client,
        ...variables(place()),
        DATABASE_SSL: 'no-verify',
      })
    })

    it('compares an address with those of the certificate', async () => {
      const host = '127.0.0.2'
      await connects(nested({ host, ssl: { ca: authority.pem, verifyIdentity: true } }))
    })

    it('is set up by the file that the generator of Strapi 4 writes', async () => {
      const template = `module.exports = ({ env }) => ({ connection: { client: '${client}', connection: {
        ...${JSON.stringify(place())},
        ssl: env.bool('DATABASE_SSL', false) && {
          key: env('DATABASE_SSL_KEY', undefined), cert: env('DATABASE_SSL_CERT', undefined),
          ca: env('DATABASE_SSL_CA', undefined), capath: env('DATABASE_SSL_CAPATH', undefined),
          cipher: env('DATABASE_SSL_CIPHER', undefined),
          rejectUnauthorized: env.bool('DATABASE_SSL_REJECT_UNAUTHORIZED', true),
        },
      } } })`
      await connects(template, { DATABASE_SSL: 'true', DATABASE_SSL_CA: authority.pem })
      await connects(template, { DATABASE_SSL: 'true', DATABASE_SSL_REJECT_UNAUTHORIZED: 'false' })
      await refuses(template, /set ssl: \{ ca \}/, { DATABASE_SSL: 'true' })
      await refuses(template, notEncrypted, {})
    })

    it('is read from an address', async () => {
      const file = encodeURIComponent(authority.file)
      for (const parameters of [
        `sslmode=require&sslrootcert=${file}`,
        `ssl-mode=VERIFY_IDENTITY&ssl-ca=${file}`,
        'sslmode=no-verify',
        `ssl=${encodeURIComponent('{"rejectUnauthorized":false}')}`,
      ])
        await connects('module.exports = {}', { DATABASE_URL: url(parameters) })
      await refuses('module.exports = {}', /set ssl: \{ ca \}/, { DATABASE_URL: url('sslmode=require') })
      await refuses('module.exports = {}', /the file \/no\.pem, which sslrootcert of the address/, {
        DATABASE_URL: url('sslmode=require&sslrootcert=/no.pem'),
      })
    })

    it('shows the certificate of the client', async () => {
      const ssl = { ca: authority.pem, ...pemsOf(own) }
      const row = await connects(nested({ user: 'certified', ssl }))
      if (client === 'postgres') assert.equal(row?.[1], '/CN=certified')
      const files = { sslrootcert: authority.file, sslcert: own.cert, sslkey: own.key }
      const parameters = `sslmode=verify-full&${new URLSearchParams(files)}`
      await connects('module.exports = {}', { DATABASE_URL: url(parameters, 'certified') })
      const none = nested({ user: 'certified', ssl: { ca: authority.pem } })
      await refuses(none, client === 'mysql' ? /Access denied/ : /set ssl: \{ cert, key \}/)
    })

    it('is refused with what to set', async () => {
      const unknown =
        /set ssl: \{ ca \} to the PEM text of that authority's certificate; ssl: \{ rejectUnauthorized: false \}/
      await refuses(nested({ ssl: { ca: other.pem } }), unknown)
      await refuses(nested({ ssl: true }), unknown)
      // The driver of MySQL compares names where it is told to.
      const strict = client === 'mysql' ? { verifyIdentity: true } : {}
      const otherName = /its certificate is for another name: set host to a name that is in it/
      await refuses(nested({ host: '127.0.0.1', ssl: { ca: authority.pem, ...strict } }), otherName)
      await refuses(nested({ ssl: false }), notEncrypted)
      await refuses(nested({ ssl: { ca: authority.pem, cert: own.cert, key: own.key } }), /are PEM texts/)
      const mixed = { cert: pemsOf(own).cert, key: pemsOf(other.sign('other', 'DNS:other')).key }
      await refuses(nested({ ssl: { ca: authority.pem, ...mixed } }), /cert and key belong together/)
      await refuses(nested({ ssl: 'sometimes' }), /ssl is "sometimes"; expected true, false, no-verify, or an object/)
    })

    // MariaDB denies access then, and says no more.
    it.skipIf(client !== 'mysql' || mysqlKind() !== 'mysql')(
      'is asked for by a server that takes no other connections',
      async () => {
        const { host, port, user, password } = server
        await run({ client, host, port, user, password, database: 'shop' }, 'set global require_secure_transport = on')
        await refuses(nested({ user, password }), /the server wants an encrypted connection: set ssl: true/)
        const engine = await open(nested({ user, password, ssl: { ca: authority.pem } }))
        await engine.reader.run('set global require_secure_transport = off', [])
      },
    )

    it.skipIf(client !== 'mysql')('takes the profile of a driver by its name', async () => {
      await refuses(nested({ ssl: 'Amazon RDS' }), /signed by an authority that is not known here/)
    })

    it('serves requests, their transactions and the check of cached responses', async () => {
      const ssl = { ca: authority.pem }
      const types = { note: { attributes: { text: { type: 'text', unique: true } } } }
      const database = { client, ...place({ ssl }) }
      const running = await startOn(database as unknown as Parameters<typeof startOn>[0], { types })
      onTestFinished(() => running.app.close())
      assert.equal((await running.post('/notes', { text: 'one' })).status, 200)
      for (let times = 0; times < 3; times += 1) assert.deepEqual((await running.get('/notes')).body.data.length, 1)
    })

    // Three commands, each in a process of its own.
    it('verifies by the authorities of the machine where nothing more is said, in every command', async () => {
      const folder = app({ 'config/database.json': JSON.stringify({ client, ...place({ ssl: true }) }) })
      const archive = join(folder, 'all.tar.gz')
      const told = (env: Record<string, string>) => stele(['export', archive], { cwd: folder, env })
      const extra = join(folder, 'authority.pem')
      writeFileSync(extra, authority.pem)
      assert.match((await told({})).stderr, /set ssl: \{ ca \}/)
      const { status, stderr } = await told({ NODE_EXTRA_CA_CERTS: extra })
      assert.equal(status, 0, stderr)
      const byAddress = {
        DATABASE_URL: url('sslmode=require').replace('localhost', '127.0.0.1'),
        NODE_EXTRA_CA_CERTS: extra,
      }
      const bare = app({ 'config/api.json': '{}' })
      const refused = await stele(['export', join(bare, 'all.tar.gz')], { cwd: bare, env: byAddress })
      assert.match(refused.stderr, /its certificate is for another name/)
    }, 120_000)
  })

  it('is refused where the server has none', async () => {
    const { database, drop } = await fresh()
    onTestFinished(drop)
    const { client: _, ...at } = database as Exclude<typeof database, { client: 'sqlite' }>
    const file = `module.exports = ${JSON.stringify({ client, ...at, ssl: true })}`
    // MySQL makes certificates for itself when it is installed.
    const message =
      client === 'mysql' && mysqlKind() === 'mysql' ? /set ssl: \{ ca \}/ : /the server has no TLS: set ssl: false/
    await assert.rejects(opened({ 'config/database.js': file }, {}), { message })
  })
})

const notEncrypted = /Access denied|the server wants an encrypted connection: set ssl: true/

const variables = ({ host, port, database, user, password }: Record<string, unknown>) => ({
  DATABASE_HOST: String(host),
  DATABASE_PORT: String(port),
  DATABASE_NAME: String(database),
  DATABASE_USERNAME: String(user),
  DATABASE_PASSWORD: String(password),
})

/** The database of an app with these files, as every start and command opens it. */
async function opened(files: Record<string, string>, env: NodeJS.ProcessEnv): Promise<Engine> {
  const config = await loadConfig(app(files), { env })
  const engine = await connect(config, createLog('silent'))
  onTestFinished(() => engine.close())
  return engine
}

/** `secured` may only come encrypted, and `certified` with a certificate of the authority. */
async function startTls(client: Client, authority: Authority): Promise<DatabaseServer> {
  const { cert, key } = authority.sign(
    'server',
    'DNS:localhost,IP:127.0.0.2',
    client === 'mysql' ? mysqlAccount() : 'postgres',
  )
  if (client === 'mysql')
    return startMysqlKind({ settings: { bind_address: listens, ssl_ca: authority.file, ssl_cert: cert, ssl_key: key } })
  const hba = join(authority.file, '../hba.conf')
  writeFileSync(
    hba,
    [
      'hostssl all secured all scram-sha-256',
      'hostssl all certified all scram-sha-256 clientcert=verify-ca',
      'host all stele all scram-sha-256',
      '',
    ].join('\n'),
  )
  const files = { ssl_ca_file: authority.file, ssl_cert_file: cert, ssl_key_file: key, hba_file: hba }
  return startPostgres({ settings: { listen_addresses: listens, ssl: 'on', ...files } })
}

const listens = '127.0.0.1,127.0.0.2'

const mysqlAccount = (): string => (mysqlKind() === 'mysql' ? 'root' : 'mysql')

async function addAccounts({ client, host, port, user, password }: DatabaseServer): Promise<void> {
  const say = (sql: string) => run({ client, host, port, user, password, database: 'shop' }, sql)
  for (const [name, wants] of [
    ['secured', 'require ssl'],
    ['certified', 'require x509'],
  ])
    if (client === 'mysql') {
      await say(`create user '${name}'@'%' identified by '${world.password}' ${wants}`)
      await say(`grant all privileges on shop.* to '${name}'@'%'`)
    } else {
      await say(`create role ${name} login password '${world.password}'`)
      await say(`grant all privileges on database shop to ${name}`)
      await say(`grant all privileges on schema public to ${name}`)
    }
}
