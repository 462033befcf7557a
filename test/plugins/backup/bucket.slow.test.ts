import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, describe, it, onTestFinished, vi } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { Bucket } from '../../../core/plugin-kit.js'
import { allRows, copyApp, openApp, place, writeApp } from '../../cli/transfer-app.js'
import { appFiles, fillApp } from '../../cli/transfer-content.js'
import { stele } from '../../support/command.js'
import { onEveryEngine } from '../../support/every-engine.js'

const credentials = { BACKUP_S3_ACCESS_KEY_ID: 'S3RVER', BACKUP_S3_SECRET_ACCESS_KEY: 'S3RVER' }
const directory = place()
const storage = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory,
  configureBuckets: [{ name: 'kept', configs: [] }],
})
/** Changes a byte of the bodies of these requests on their way. */
let damages = (_: string): boolean => false
let proxy: Server
let endpoint = ''

beforeAll(async () => {
  const { port } = await storage.run()
  proxy = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray())
    const { url = '', method, headers } = incoming
    if (body.length > 0 && damages(`${method} ${url}`)) body[body.length - 1] = 255 - (body.at(-1) ?? 0)
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, answer => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    passed.end(body)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  for (const [name, value] of Object.entries({ ...credentials, BACKUP_S3_ENDPOINT: endpoint })) vi.stubEnv(name, value)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  proxy.closeAllConnections()
  proxy.close()
  await storage.close()
  rmSync(directory, { recursive: true, force: true })
})

const bucketOf = () =>
  new Bucket({ address: `${endpoint}/kept`, region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' })
const namesOf = async (prefix: string) =>
  (await bucketOf().list(prefix)).map(({ key }) => key.slice(key.lastIndexOf('/') + 1))

onEveryEngine('backups in a bucket', engine => {
  it('are made on a schedule, kept as many as wanted, proved and restored', async () => {
    const [from, to] = [await engine.fresh(), await engine.fresh()]
    onTestFinished(async () => {
      await from.drop()
      await to.drop()
    })
    const folder = place()
    const where = `s3://kept/site-of/${engine.name}`
    const plugins = { ...(appFiles['config/plugins.json'] as object), backup: { config: { folder: where, keep: 2 } } }
    const source = writeApp(join(folder, 'source'), { ...appFiles, 'config/plugins.json': plugins })
    const app = await createTestApp({ app: source, config: { database: from.database } })
    onTestFinished(() => app.close())
    await fillApp(app)
    const prefix = `site-of/${engine.name}/`
    await bucketOf().put(`${prefix}other.txt`, join(source, 'config/plugins.json'))
    await app.runJob('backup/backup')
    const [first = ''] = await namesOf(`${prefix}backup-`)
    await app.runJob('backup/backup')
    await app.entries('api::author.author').create({ name: 'later' })
    await app.runJob('backup/backup')
    const names = await namesOf(prefix)
    assert.equal(names.length, 3)
    assert.ok(!names.includes(first))
    assert.ok(names.includes('other.txt'), 'what is no backup stays')
    const env = { ...credentials, BACKUP_S3_ENDPOINT: endpoint, ...to.env }
    const last = `${where}/${names[1]}`
    const target = copyApp(source, join(folder, 'target'))
    const proved = await stele(['doctor', '--backup', last, '--app', target], { env })
    assert.equal(proved.status, 0, proved.stdout + proved.stderr)
    const back = await stele(['restore', last, '--app', target], { env })
    assert.equal(back.status, 0, back.stderr)
    assert.ok(back.stdout.includes(`restored from ${last}`), back.stdout)
    const restored = await openApp(target, to)
    onTestFinished(() => restored.close())
    const [wanted, found] = [await allRows(app), await allRows(restored)]
    for (const [table, rows] of Object.entries(wanted)) assert.deepEqual(found[table], rows, table)
  }, 120_000)
})

describe('a bucket for backups', () => {
  const app = (folder = 's3://kept/alone', more: Readonly<Record<string, unknown>> = {}) => {
    const started = createTestApp({ config: { plugins: { backup: { config: { folder, ...more } } } } })
    onTestFinished(async () => (await started).close())
    return started
  }

  it('has nothing of a backup that failed, and the job counts as failed', async () => {
    const { runJob } = await app('s3://kept/damaged')
    damages = sent => sent.startsWith('PUT') && sent.includes('damaged')
    await assert.rejects(runJob('backup/backup'), /the bucket of backups cannot be used: the server has other bytes/)
    damages = () => false
    assert.deepEqual(await namesOf('damaged'), [])
    await runJob('backup/backup')
    assert.equal((await namesOf('damaged')).length, 1)
  })

  it('takes a large file in parts, all of them or none', async () => {
    const folder = place()
    const file = join(folder, 'large')
    const content = randomBytes(20 * 1024 * 1024)
    writeFileSync(file, content)
    const bucket = bucketOf()
    await bucket.put('parts/whole', file)
    const stored = await bucket.get('parts/whole')
    const parts: Uint8Array[] = []
    for await (const part of stored ?? []) parts.push(part)
    assert.ok(Buffer.concat(parts).equals(content))
    damages = sent => sent.includes('partNumber=3')
    await assert.rejects(bucket.put('parts/half', file), /the server has other bytes/)
    damages = () => false
    assert.deepEqual(await namesOf('parts/'), ['whole'])
    const left = readdirSync(join(directory, 'kept'), { recursive: true }).filter(name => /upload/i.test(String(name)))
    assert.ok(!left.some(name => /half/.test(String(name))), left.join())
    const stopped = AbortSignal.abort()
    await assert.rejects(bucket.put('parts/stopped', file, { signal: stopped }))
    assert.deepEqual(await namesOf('parts/'), ['whole'])
  })

  it('says what is missing or wrong', async () => {
    const { runJob } = await app()
    const refused = async (env: Readonly<Record<string, string>>, message: RegExp) => {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
      await assert.rejects(runJob('backup/backup'), message)
      for (const [name, value] of Object.entries({ ...credentials, BACKUP_S3_ENDPOINT: endpoint }))
        vi.stubEnv(name, value)
    }
    await refused({ BACKUP_S3_SECRET_ACCESS_KEY: '' }, /need the environment variable BACKUP_S3_SECRET_ACCESS_KEY, or/)
    await refused({ BACKUP_S3_SECRET_ACCESS_KEY: 'wrong' }, /the bucket of backups cannot be used: PUT .* answered 403/)
    await refused({ BACKUP_S3_ENDPOINT: 'nowhere' }, /BACKUP_S3_ENDPOINT is no address/)
    await assert.rejects((await app('s3://')).runJob('backup/backup'), /s3:\/\/ is no place in a bucket/)
    await assert.rejects((await app('s3://none/x')).runJob('backup/backup'), /cannot be used: PUT .* answered 404/)
    const missing = await stele(['restore', 's3://kept/none.tar.gz', '--app', place()], {
      env: { ...credentials, BACKUP_S3_ENDPOINT: endpoint },
    })
    assert.equal(missing.status, 65, missing.stderr)
    assert.match(missing.stderr, /there is no object none\.tar\.gz in the bucket/)
    assert.deepEqual(await namesOf('alone'), [])
  })
})
