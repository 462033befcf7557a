import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { it, onTestFinished } from 'vitest'
import type { TestApp } from '../../../core/index.js'
import { apiTokens } from '../../../plugins/api-tokens/index.js'
import { type Api, type Body, contract, start, type World } from '../../support/contract.js'
import type { DatabaseSettings, Engine, FreshDatabase } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { run } from '../../support/run.js'
import { passTime } from '../../support/time.js'
import { bearer, command, mint, status, until, world } from './world.js'

const hour = 60 * 60 * 1000

/** Starts servers on one database, as several instances or one after the other. */
async function place(engine: Engine): Promise<{
  fresh: FreshDatabase
  boot(world: World): Promise<Api & { close(): Promise<void> }>
}> {
  const fresh = await engine.fresh()
  onTestFinished(() => fresh.drop())
  const sharing: Engine = { ...engine, fresh: async () => ({ ...fresh, drop: async () => undefined }) }
  return { fresh, boot: world => start(sharing, world) }
}
const without = { ...world, rows: async () => undefined }

/** The moment as a column of each engine holds it. */
const momentOf = (engine: Engine, time: number): string =>
  engine.name === 'sqlite' ? String(time) : `'${new Date(time).toISOString().slice(0, -1).replace('T', ' ')}'`

contract('the tables of Strapi 4', world, api => {
  /** The settings that say where it is, without those that say how it is used. */
  const database = (): DatabaseSettings => {
    const { client, filename, host, port, user, password, database } = api.app.config.database
    return (client === 'sqlite' ? { client, filename } : { client, host, port, user, password, database }) as never
  }
  /** Written by hand, column by column, past everything that the server does. */
  const insert = async (statements: readonly string[]) => {
    for (const sql of statements) await run(database(), sql)
  }
  const tokens = 'strapi_api_tokens'
  const key = 'cafe'.repeat(64)
  const hash = createHmac('sha512', 'a salt for tests').update(key).digest('hex')

  it('are read as its panel wrote them', async () => {
    await insert([
      `insert into ${tokens} (id, name, description, type, access_key) values (901, 'by hand', '', 'custom', '${hash}')`,
      "insert into strapi_api_token_permissions (id, action) values (911, 'api::article.article.find')",
      "insert into strapi_api_token_permissions (id, action) values (912, 'api::gone.gone.find')",
      'insert into strapi_api_token_permissions_token_links (api_token_permission_id, api_token_id, api_token_permission_order) values (911, 901, 1)',
      'insert into strapi_api_token_permissions_token_links (api_token_permission_id, api_token_id, api_token_permission_order) values (912, 901, 2)',
    ])
    await until(status(api, '/articles', key), code => code === 200)
    assert.equal((await api.get('/memos', bearer(key))).status, 403)
    const listed = (await command(api.app, 'token list', [])).find(({ id }: Body) => id === 901)
    assert.deepEqual(listed.permissions, ['api::article.article.find', 'api::gone.gone.find'])
    assert.equal(listed.lifespan, null)
  })

  it('are written as its panel writes them', async () => {
    const made = await mint(api.app, 'ours', { type: 'custom', actions: 'api::memo.memo.find', lifespan: '7d' })
    const [row] = await run(database(), `select * from ${tokens} where name = 'ours'`)
    assert.equal(Number(row?.lifespan), 7 * 24 * hour)
    assert.equal(row?.type, 'custom')
    assert.equal(row?.description, '')
    assert.equal(row?.access_key, createHmac('sha512', 'a salt for tests').update(made.accessKey).digest('hex'))
    const links = await run(
      database(),
      `select p.action, l.api_token_permission_order as place from strapi_api_token_permissions p
       join strapi_api_token_permissions_token_links l on l.api_token_permission_id = p.id where l.api_token_id = ${made.id}`,
    )
    assert.deepEqual(
      links.map(({ action, place }) => [action, Number(place)]),
      [['api::memo.memo.find', 1]],
    )
  })

  it('have no address of their own', async () => {
    const { accessKey } = await mint(api.app, 'full')
    for (const path of ['/api-token-permissions', '/admin/api-tokens', '/api-token'])
      assert.equal((await api.get(path, bearer(accessKey))).status, 404)
  })
})

onEveryEngine('another program', engine => {
  it('ends a token within a second, on every instance, and makes one too', async () => {
    const { fresh, boot } = await place(engine)
    const first = await boot(world)
    const second = await boot(without)
    onTestFinished(async () => {
      await first.close()
      await second.close()
    })
    const full = await mint(first.app, 'full')
    const reader = await mint(first.app, 'reader', { type: 'read-only' })
    await until(status(second, '/memos/1', full.accessKey), code => code === 200)

    /** From a second after the change on, nobody may see what was before. */
    const holds = async (change: () => Promise<unknown>, key: string, path: string, wanted: number) => {
      await change()
      await passTime(1000)
      for (const instance of [first, second]) assert.equal(await status(instance, path, key)(), wanted)
    }
    const table = 'strapi_api_tokens'
    await holds(
      () => run(fresh.database, `update ${table} set type = 'full-access' where id = ${reader.id}`),
      ...([reader.accessKey, '/api-tokens', 200] as const),
    )
    await holds(
      () => run(fresh.database, `update ${table} set expires_at = ${momentOf(engine, 1000)} where id = ${reader.id}`),
      ...([reader.accessKey, '/memos/1', 401] as const),
    )
    await holds(
      () => run(fresh.database, `delete from ${table} where id = ${full.id}`),
      ...([full.accessKey, '/memos/1', 401] as const),
    )
    const other = await mint(second.app, 'made by the second')
    await until(status(first, '/memos/1', other.accessKey), code => code === 200)
    await holds(
      () => command(second.app, 'token revoke', ['made by the second']),
      ...([other.accessKey, '/memos/1', 401] as const),
    )
    const custom = await mint(first.app, 'custom', { type: 'custom', actions: 'api::memo.memo.findOne' })
    await until(status(second, '/memos/1', custom.accessKey), code => code === 200)
    await holds(
      () => run(fresh.database, "delete from strapi_api_token_permissions where action = 'api::memo.memo.findOne'"),
      ...([custom.accessKey, '/memos/1', 403] as const),
    )
  })

  it('more tokens than one reading takes are all known', async () => {
    const { fresh, boot } = await place(engine)
    const api = await boot(world)
    onTestFinished(() => api.close())
    const many = Array.from({ length: 2500 }, (_, at) => `('many ${at}', 'read-only', 'hash of ${at}')`)
    await run(fresh.database, `insert into strapi_api_tokens (name, type, access_key) values ${many.join()}`)
    const { accessKey } = await mint(api.app, 'last')
    assert.equal(await status(api, '/memos/1', accessKey)(), 200)
    assert.equal((await api.get('/api-tokens', bearer(accessKey))).body.data.length, 2501)
  })
})

onEveryEngine('the last use', engine => {
  const lastUse = async (app: TestApp, id: number): Promise<number> => {
    const [row] = await app.entries('admin::api-token').find({ where: { id: { $eq: id } }, fields: ['lastUsedAt'] })
    return row?.lastUsedAt === null ? 0 : Date.parse(String(row?.lastUsedAt))
  }
  const updates = (answers: readonly { statements: readonly string[] }[]) =>
    answers.flatMap(({ statements }) => statements).filter(sql => /^update .strapi_api_tokens/i.test(sql)).length

  it('is recorded once, however many requests come', async () => {
    const { boot } = await place(engine)
    const api = await boot(world)
    onTestFinished(() => api.close())
    const { id, accessKey } = await mint(api.app, 'used')
    assert.equal(await lastUse(api.app, id), 0)
    const before = Date.now()
    const answers = []
    for (let times = 0; times < 200; times++) answers.push(await api.get('/memos/1', bearer(accessKey)))
    const used = await until(
      () => lastUse(api.app, id),
      time => time > 0,
    )
    assert.ok(used >= before && used <= Date.now())
    for (let times = 0; times < 50; times++) answers.push(await api.get('/memos/1', bearer(accessKey)))
    assert.ok(answers.every(answer => answer.status === 200))
    assert.ok(updates(answers) <= 1, `${updates(answers)} writes`)
  })

  it('is written anew after an hour, and not before', async () => {
    const { fresh, boot } = await place(engine)
    const api = await boot(world)
    onTestFinished(() => api.close())
    const recent = await mint(api.app, 'recent')
    const old = await mint(api.app, 'old')
    const moments = { recent: Date.now() - hour / 2, old: Date.now() - 2 * hour }
    for (const [name, moment] of Object.entries(moments))
      await run(
        fresh.database,
        `update strapi_api_tokens set last_used_at = ${momentOf(engine, moment)} where name = '${name}'`,
      )
    // A change through the server makes it look again.
    await mint(api.app, 'another')
    await api.get('/memos/1', bearer(recent.accessKey))
    await api.get('/memos/1', bearer(old.accessKey))
    const used = await until(
      () => lastUse(api.app, old.id),
      time => time > moments.old,
    )
    assert.ok(Date.now() - used < hour / 2)
    assert.equal(await lastUse(api.app, recent.id), moments.recent)
  })

  it('that cannot be written keeps no one from being answered, and is not tried with every request', async () => {
    const { fresh, boot } = await place(engine)
    const api = await boot(world)
    onTestFinished(() => api.close())
    const { id, accessKey } = await mint(api.app, 'used')
    await run(fresh.database, refusal[engine.name])
    const answers = []
    for (let times = 0; times < 50; times++) {
      answers.push(await api.get('/memos/1', bearer(accessKey)))
      await new Promise(setImmediate)
    }
    assert.ok(answers.every(answer => answer.status === 200))
    // A write may be tried twice: statements that fail in one piece are tried one by one once more.
    assert.ok(updates(answers) <= 2, `${updates(answers)} writes`)
    assert.equal(await lastUse(api.app, id), 0)
  })

  it('that is being written when the server stops is written', async () => {
    const { fresh, boot } = await place(engine)
    const api = await boot(world)
    const { accessKey } = await mint(api.app, 'used')
    assert.equal(await status(api, '/memos/1', accessKey)(), 200)
    await new Promise(setImmediate)
    await api.close()
    const [row] = await run(fresh.database, 'select last_used_at from strapi_api_tokens')
    assert.notEqual(row?.last_used_at, null)
  })
})

/** Makes the database refuse every change of a token. */
const refusal = {
  sqlite: "create trigger refusal before update on strapi_api_tokens begin select raise(abort, 'on purpose'); end",
  mysql:
    "create trigger refusal before update on strapi_api_tokens for each row signal sqlstate '45000' set message_text = 'on purpose'",
  postgres: `create function refusal() returns trigger language plpgsql as $$ begin raise 'on purpose'; end $$;
    create trigger refusal before update on strapi_api_tokens for each row execute function refusal()`,
}

onEveryEngine('switched off', engine => {
  it('it leaves no rule and loses nothing; on again it finds everything', async () => {
    const { boot } = await place(engine)
    const actions = 'api::article.article.find'
    const on = await boot(world)
    const full = await mint(on.app, 'full')
    const custom = await mint(on.app, 'custom', { type: 'custom', actions })
    const listed = (await on.get('/api-tokens', bearer(full.accessKey))).body
    await on.close()

    const off = await boot({ ...without, plugins: [], rest: { public: ['api::memo.memo.find'] } })
    assert.equal((await off.get('/memos')).status, 200)
    assert.equal((await off.get('/memos', bearer(full.accessKey))).status, 200)
    assert.equal((await off.get('/memos/1', bearer(full.accessKey))).status, 403)
    assert.equal((await off.get('/memos', bearer('garbage'))).status, 200)
    assert.equal((await off.get('/api-tokens', bearer(full.accessKey))).status, 404)
    assert.deepEqual(off.app.commands, [])
    await off.close()

    const again = await boot(without)
    onTestFinished(() => again.close())
    assert.equal(await status(again, '/memos/1', full.accessKey)(), 200)
    assert.equal(await status(again, '/articles', custom.accessKey)(), 200)
    assert.equal(await status(again, '/memos', custom.accessKey)(), 403)
    const { body } = await again.get('/api-tokens', bearer(full.accessKey))
    const plain = ({ data }: Body) => data.map(({ lastUsedAt: _, updatedAt: __, ...rest }: Body) => rest)
    assert.deepEqual(plain(body), plain(listed))
  })

  it('with another salt no key holds, with the old one all do', async () => {
    const { boot } = await place(engine)
    const on = await boot(world)
    const { accessKey } = await mint(on.app, 'full')
    await on.close()
    const other = await boot({ ...without, plugins: [[apiTokens, { salt: 'another' }]] })
    assert.equal(await status(other, '/memos/1', accessKey)(), 401)
    await other.close()
    const again = await boot(without)
    onTestFinished(() => again.close())
    assert.equal(await status(again, '/memos/1', accessKey)(), 200)
  })
})
