import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { readAddress } from '../../core/config/address.js'
import type { DatabaseConfig } from '../../core/config/types.js'
import { app, exporting, load, type World } from './app.js'

describe('a database URL', () => {
  const cases: { url: string; gives: unknown }[] = [
    {
      url: 'mysql://ann:s3cret@db.test:3307/shop',
      gives: { client: 'mysql', host: 'db.test', port: 3307, database: 'shop', user: 'ann', password: 's3cret' },
    },
    { url: 'mariadb://db.test/shop', gives: { client: 'mysql', host: 'db.test', database: 'shop' } },
    {
      url: 'postgres://a%40b:p%40ss%2Fw%3Ao%25rd%23@db.test/sh%20op',
      gives: { client: 'postgres', host: 'db.test', database: 'sh op', user: 'a@b', password: 'p@ss/w:o%rd#' },
    },
    { url: 'postgresql://[::1]:5433/shop', gives: { client: 'postgres', host: '::1', port: 5433, database: 'shop' } },
    { url: 'postgres:///shop?host=/run/pg', gives: { client: 'postgres', host: '/run/pg', database: 'shop' } },
    { url: 'postgres://h/d?sslmode=require', gives: { client: 'postgres', host: 'h', database: 'd', ssl: true } },
    { url: 'postgres://h/d?sslmode=disable', gives: { client: 'postgres', host: 'h', database: 'd', ssl: false } },
    {
      url: 'postgres://h/d?sslmode=no-verify&schema=own',
      gives: { client: 'postgres', host: 'h', database: 'd', schema: 'own', ssl: { rejectUnauthorized: false } },
    },
    ...['prefer', 'verify-ca', 'verify-full', '1'].map(mode => ({
      url: `postgres://h/d?sslmode=${mode}`,
      gives: { client: 'postgres', host: 'h', database: 'd', ssl: true },
    })),
    { url: 'mysql://h/d?ssl-mode=VERIFY_CA', gives: { client: 'mysql', host: 'h', database: 'd', ssl: true } },
    { url: 'mysql://h/d?ssl-mode=DISABLED', gives: { client: 'mysql', host: 'h', database: 'd', ssl: false } },
    { url: 'mysql://h/d?ssl=Amazon%20RDS', gives: { client: 'mysql', host: 'h', database: 'd', ssl: 'Amazon RDS' } },
    {
      url: 'mysql://h/d?ssl={"rejectUnauthorized":false,"minVersion":"TLSv1.2"}',
      gives: {
        client: 'mysql',
        host: 'h',
        database: 'd',
        ssl: { rejectUnauthorized: false, minVersion: 'TLSv1.2' },
      },
    },
    { url: 'sqlite:data.db', gives: { client: 'sqlite', filename: 'data.db' } },
    { url: 'sqlite:/var/my%20data.db', gives: { client: 'sqlite', filename: '/var/my data.db' } },
    { url: 'sqlite:///var/data.db', gives: { client: 'sqlite', filename: '/var/data.db' } },
    { url: 'sqlite::memory:', gives: { client: 'sqlite', filename: ':memory:' } },
    { url: 'file:./data.db', gives: { client: 'sqlite', filename: './data.db' } },
    { url: 'mongodb://h/d', gives: undefined },
    { url: 'mysql://h/d%zz', gives: undefined },
    { url: 'mysql://u:p#ss@h/d', gives: undefined },
    { url: 'mysql://u:p/ss@h/d', gives: undefined },
    { url: 'sqlite:', gives: undefined },
    { url: 'shop', gives: undefined },
  ]
  for (const { url, gives } of cases) {
    it(gives ? url : `${url} is none`, () => assert.deepEqual(readAddress(url), gives))
  }
})

const common = {
  synchronous: 'full',
  ssl: false,
  timezone: 'Z',
  pool: { min: 0, max: 10 },
  acquireTimeout: 10000,
  statementTimeout: 10000,
  readYourWrites: true,
  soleWriter: false,
  replicas: [],
  maxLag: 5000,
}
const place = { host: 'h', port: 1, database: 'd', user: 'u', password: 'p' }
const file = (value: unknown) => ({ 'config/database.js': exporting(value) })

describe('config/database', () => {
  const cases: (World & { says: string; gives: unknown })[] = [
    {
      says: 'the nested shape',
      files: file({
        connection: {
          client: 'mysql2',
          connection: { ...place, ssl: { rejectUnauthorized: false }, timezone: '+02:00', charset: 'utf8mb4' },
          pool: { min: 2, max: 5, idleTimeoutMillis: 1 },
          acquireConnectionTimeout: 60000,
          useNullAsDefault: true,
          debug: false,
        },
        settings: { runMigrations: true },
        statementTimeout: 5,
      }),
      gives: {
        ...common,
        ...place,
        client: 'mysql',
        ssl: { rejectUnauthorized: false },
        timezone: '+02:00',
        pool: { min: 2, max: 5 },
        acquireTimeout: 60000,
        statementTimeout: 5,
      },
    },
    {
      says: 'the flat shape',
      files: file({
        client: 'postgres',
        host: 'h',
        port: 1,
        name: 'd',
        username: 'u',
        password: 'p',
        pool: { max: 3 },
      }),
      gives: { ...common, ...place, client: 'postgres', pool: { min: 0, max: 3 } },
    },
    {
      says: 'the flat shape with the names of the nested one',
      files: file({ client: 'pg', ...place, schema: 'own', synchronous: 'normal' }),
      gives: { ...common, ...place, client: 'postgres', schema: 'own', synchronous: 'normal' },
    },
    {
      says: 'memory',
      files: file({ connection: { client: 'better-sqlite3', connection: { filename: ':memory:' } } }),
      gives: { ...common, client: 'sqlite', filename: ':memory:', statementTimeout: 250 },
    },
    {
      says: 'a connection string beats the keys next to it',
      files: file({
        connection: { client: 'pg', connection: { connectionString: 'postgres://u:p@h:1/d', host: 'other', port: 2 } },
      }),
      gives: { ...common, ...place, client: 'postgres' },
    },
    {
      says: 'the url of the flat shape',
      files: file({ url: 'mysql://u:p@h:1/d', statementTimeout: 0 }),
      gives: { ...common, ...place, client: 'mysql', statementTimeout: 0 },
    },
    {
      says: 'single variables',
      env: {
        DATABASE_CLIENT: 'postgres',
        DATABASE_HOST: 'h',
        DATABASE_PORT: '1',
        DATABASE_NAME: 'd',
        DATABASE_USERNAME: 'u',
        DATABASE_PASSWORD: 'p',
        DATABASE_SSL: 'true',
      },
      gives: { ...common, ...place, client: 'postgres', ssl: true },
    },
    {
      says: 'what is usual for MySQL',
      env: { DATABASE_CLIENT: 'mariadb', DATABASE_NAME: 'd' },
      gives: { ...common, client: 'mysql', host: '127.0.0.1', port: 3306, database: 'd' },
    },
    {
      says: 'a list of the servers of a cluster, some with a port of their own',
      files: file({ client: 'mysql', ...place, host: ['a', 'b:2', '[::1]:3', '::1'] }),
      gives: {
        ...common,
        ...place,
        client: 'mysql',
        host: 'a',
        fallbacks: [
          { host: 'b', port: 2 },
          { host: '::1', port: 3 },
          { host: '::1', port: 1 },
        ],
      },
    },
    {
      says: 'the same list as a variable',
      env: { DATABASE_CLIENT: 'mysql', DATABASE_NAME: 'd', DATABASE_HOST: 'a:1, b' },
      gives: {
        ...common,
        client: 'mysql',
        database: 'd',
        host: 'a',
        port: 1,
        fallbacks: [{ host: 'b', port: 3306 }],
      },
    },
    {
      says: 'DATABASE_URL beats single variables, which fill its gaps',
      env: { DATABASE_URL: 'postgres://u@h/d', DATABASE_HOST: 'other', DATABASE_PASSWORD: 'p' },
      gives: { ...common, ...place, port: 5432, client: 'postgres' },
    },
    {
      says: 'DATABASE_URL is used by a file that does not say where',
      files: file({ client: 'mysql', pool: { max: 2 } }),
      env: { DATABASE_URL: 'mysql://u:p@h:1/d' },
      gives: { ...common, ...place, client: 'mysql', pool: { min: 0, max: 2 } },
    },
    {
      says: 'DATABASE_URL is not mixed into a file that says where',
      files: file({ client: 'mysql', ...place }),
      env: { DATABASE_URL: 'postgres://x:y@z/w' },
      gives: { ...common, ...place, client: 'mysql' },
    },
    {
      says: 'overrides beat a file of either shape and its url',
      files: file({ connection: { client: 'pg', connection: { connectionString: 'postgres://x:y@z/w' } } }),
      overrides: { database: { client: 'mysql', ...place } },
      gives: { ...common, ...place, client: 'mysql' },
    },
  ]
  for (const { says, gives, ...world } of cases) {
    it(says, async () => assert.deepEqual((await load(world)).database, gives))
  }

  it('has no list of servers for PostgreSQL', () =>
    assert.rejects(load({ files: file({ client: 'postgres', ...place, host: ['a', 'b'] }) }), {
      message: 'config/database: host is a list of servers, which postgres cannot use; expected one',
    }))

  it('has no server without a name', () =>
    assert.rejects(load({ files: file({ client: 'mysql', ...place, host: 'a,' }) }), {
      message: 'config/database: host has an empty name in its list',
    }))

  const filenames: { says: string; files?: Record<string, string>; env?: NodeJS.ProcessEnv; gives: string }[] = [
    { says: 'DATABASE_FILENAME', env: { DATABASE_FILENAME: 'a/b.db' }, gives: 'a/b.db' },
    { says: 'DATABASE_URL', env: { DATABASE_URL: 'sqlite:a/b.db' }, gives: 'a/b.db' },
    { says: 'filename', files: file({ filename: 'c.db' }), env: { DATABASE_FILENAME: 'a/b.db' }, gives: 'c.db' },
    {
      says: 'a path that climbs out of the dist/config of an older TypeScript project',
      files: {
        'config/database.ts': `import path from 'path'
          export default ({ env }) => ({ connection: { client: 'sqlite', connection: {
            filename: path.join(__dirname, '..', '..', env('DATABASE_FILENAME', '.tmp/data.db')) } } })`,
      },
      gives: '.tmp/data.db',
    },
  ]
  for (const { says, files = {}, env = {}, gives } of filenames) {
    it(`a file name is relative to the app: ${says}`, async () => {
      const folder = app(files)
      const { database }: { database: DatabaseConfig } = await loadConfig(folder, { env })
      assert.equal(database.filename, `${folder}/${gives}`)
    })
  }

  const [development, production] = [{ NODE_ENV: 'development' }, { NODE_ENV: 'production' }]
  const [temporary, lasting] = ['.tmp/data.db', 'data/data.db']
  const usual: { says: string; there: readonly string[]; env: NodeJS.ProcessEnv; gives: string }[] = [
    { says: 'while an app is developed', there: [], env: development, gives: temporary },
    { says: 'in production, outside of what may be deleted', there: [], env: production, gives: lasting },
    { says: 'in production where one was used before', there: [temporary], env: production, gives: temporary },
    { says: 'where production has one, and a command is not told of it', there: [lasting], env: {}, gives: lasting },
    { says: 'in production beside one of development', there: [temporary, lasting], env: production, gives: lasting },
    { says: 'in development beside one of production', there: [temporary, lasting], env: {}, gives: temporary },
    {
      says: 'in production where that is said',
      there: [lasting],
      env: { ...production, DATABASE_FILENAME: temporary },
      gives: temporary,
    },
  ]
  for (const { says, there, env, gives } of usual) {
    it(`the usual file, ${says}`, async () => {
      const folder = app(Object.fromEntries(there.map(name => [name, ''])))
      const { database, notices } = await loadConfig(folder, { env })
      assert.equal(database.filename, `${folder}/${gives}`)
      const isAside = env.NODE_ENV === 'production' && there.length === 2
      assert.deepEqual(
        notices,
        isAside
          ? [
              'there is a database .tmp/data.db that is not used, as production uses data/data.db; DATABASE_FILENAME can name it',
            ]
          : [],
      )
    })
  }

  const broken: (World & { says: string; message: RegExp })[] = [
    {
      says: 'a DATABASE_URL that is none, without repeating it',
      env: { DATABASE_URL: 'oracle://u:hidden@h/d' },
      message: /^The environment variable DATABASE_URL cannot be read; expected mysql:(?!.*hidden)/,
    },
    {
      says: 'a url that is none, without repeating it',
      files: file({ url: 'oracle://u:hidden@h/d' }),
      message: /^config\/database: url cannot be read; expected mysql:(?!.*hidden)/,
    },
    {
      says: 'a URL and a client that disagree',
      env: { DATABASE_URL: 'postgres://h/d', DATABASE_CLIENT: 'sqlite' },
      message:
        /^DATABASE_URL is the address of a postgres database while DATABASE_CLIENT says sqlite: leave the client out, or set it to postgres$/,
    },
    {
      says: 'a server without the name of a database',
      env: { DATABASE_CLIENT: 'mysql' },
      message: /^config\/database does not name the mysql database/,
    },
  ]
  for (const { says, message, ...world } of broken) {
    it(`refuses ${says}`, () => assert.rejects(load(world), { name: 'BootError', message }))
  }
})

describe('config/database: ssl', () => {
  const own = { client: 'mysql', ...place }
  const ssl = async (said: unknown, env: NodeJS.ProcessEnv = {}) =>
    (await load({ files: file({ ...own, ssl: said }), env })).database.ssl
  const cases: { said: unknown; gives: unknown }[] = [
    { said: true, gives: true },
    { said: null, gives: false },
    { said: '', gives: false },
    { said: 'false', gives: false },
    { said: 'true', gives: true },
    { said: 'require', gives: true },
    { said: 'no-verify', gives: { rejectUnauthorized: false } },
    { said: '{ "ca": "PEM" }', gives: { ca: 'PEM' } },
    { said: 'Amazon RDS', gives: 'Amazon RDS' },
    { said: { key: 'k', rejectUnauthorized: true }, gives: { key: 'k', rejectUnauthorized: true } },
  ]
  for (const { said, gives } of cases)
    it(`${JSON.stringify(said)} is ${JSON.stringify(gives)}`, async () => assert.deepEqual(await ssl(said), gives))

  it('is set by a variable', async () => {
    for (const [text, gives] of [
      ['true', true],
      ['false', false],
      ['no-verify', { rejectUnauthorized: false }],
    ] as const)
      assert.deepEqual(await ssl(undefined, { DATABASE_SSL: text }), gives)
    await assert.rejects(ssl(undefined, { DATABASE_SSL: 'maybe' }), {
      message: 'The environment variable DATABASE_SSL is "maybe"; expected true, false or no-verify',
    })
  })

  const expected = 'expected true, false, no-verify, or an object of TLS options'
  it('is no other text', async () => {
    await assert.rejects(ssl('sometimes'), { message: `config/database: ssl is "sometimes"; ${expected}` })
    await assert.rejects(load({ env: { DATABASE_URL: 'postgres://h/d?sslmode=sometimes' } }), {
      message: `config/database: ssl is "sometimes"; ${expected}`,
    })
    // A profile of the driver of another database.
    await assert.rejects(load({ env: { DATABASE_URL: 'postgres://h/d?ssl=Amazon%20RDS' } }), /ssl is "Amazon RDS"/)
  })

  it('does not show options that cannot be read, which may have a key in them', () =>
    assert.rejects(ssl('{ "key": "secret", }'), { message: `config/database: ssl cannot be read; ${expected}` }))

  it('is that of the database for replicas, or their own', async () => {
    const ca = { ca: 'PEM' }
    const { database } = await load({
      files: file({
        ...own,
        ssl: ca,
        replicas: [{ host: 'a' }, { host: 'b', ssl: 'no-verify' }, { host: 'c', ssl: null }],
      }),
    })
    assert.deepEqual(
      database.replicas.map(replica => replica.ssl),
      [ca, { rejectUnauthorized: false }, false],
    )
    const wrong = file({ ...own, replicas: [{ host: 'b', ssl: 'sometimes' }] })
    await assert.rejects(load({ files: wrong }), /^BootError: config\/database: replicas\[0\]: ssl is "sometimes"/)
  })
})
