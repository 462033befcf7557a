import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { change } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { events } from '../../../plugins/events/index.js'
import { upload } from '../../../plugins/upload/index.js'
import { type Api, start } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { Receiver } from './receiver.js'

/** The reference implementation of receivers. */
interface Verifier {
  verify(text: string, headers: Readonly<Record<string, unknown>>): unknown
}
const { Webhook: Standard } = createRequire(import.meta.url)('standardwebhooks') as {
  Webhook: new (secret: string) => Verifier
}

const secretOf = () => `whsec_${randomBytes(32).toString('base64')}`
const [former, secret] = [secretOf(), secretOf()]

onEveryEngine('webhooks', engine => {
  let receiver: Receiver
  let api: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    receiver = await Receiver.start()
    const { url, port } = receiver
    api = await start(engine, {
      types: {
        author: { attributes: { name: { type: 'string' }, notes: { type: 'string', private: true } } },
        article: {
          options: { draftAndPublish: true },
          attributes: {
            title: { type: 'string' },
            author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
          },
        },
        order: { attributes: { number: { type: 'integer' } } },
        gone: { attributes: { number: { type: 'integer' } } },
      },
      plugins: [[events, { privateAddresses: ['127.0.0.1'] }], draftAndPublish, upload],
      config: {
        webhooks: {
          all: {
            url,
            events: ['entry.*', 'media.*'],
            types: ['article', 'author', 'file'],
            secret: [secret, former],
            headers: { 'X-Own': 'yes' },
          },
          orders: { url: `http://localhost:${port}/orders`, types: ['order'], secret },
          stopping: { url, types: ['gone'] },
          inside: { url: `http://[::1]:${port}/`, types: ['order'] },
          off: { url, enabled: false },
        },
        foreign: { server: { webhooks: { defaultHeaders: { 'x-default': '1', host: 'evil' } } } },
      },
    })
  })
  afterAll(async () => {
    await api?.close()
    await receiver?.stop()
  })
  beforeEach(() => {
    receiver.answer = (_, response) => response.end('thanks')
  })

  const send = () => api.app.runJob('events/webhooks')
  const took = async () => {
    await send()
    return receiver.take()
  }
  /** As if the time until the next try had passed. */
  const later = () => {
    const { store } = api.app
    return store.transaction(session =>
      change(session, store.knex('stele_deliveries').where('due', '>', 0).update({ due: 1 })),
    )
  }
  const rows = (webhook: string) =>
    api.rows('stele_deliveries', ['id', 'name', 'state', 'tries', 'status', 'reply'], { webhook: `config:${webhook}` })

  it('are sent in the format of Strapi 4, with what an entry leads to and without what is private', async () => {
    await api.post('/authors', { name: 'Ann', notes: 'private' })
    const made = await api.post('/articles', { title: 'Bread', author: 1 })
    const got = (await took()).find(({ body }) => body.model === 'article')
    expect(got?.body).toMatchObject({
      event: 'entry.create',
      model: 'article',
      uid: 'api::article.article',
      entry: { id: made.body.data.id, title: 'Bread', author: { id: 1, name: 'Ann' } },
    })
    assert.ok(Math.abs(Date.parse(got?.body.createdAt) - Date.now()) < 60_000)
    assert.doesNotMatch(String(got?.text), /private/)
    expect(got?.headers).toMatchObject({
      ...{ 'x-strapi-event': 'entry.create', 'content-type': 'application/json', 'x-own': 'yes', 'x-default': '1' },
      host: `127.0.0.1:${receiver.port}`,
    })
  })

  it('are signed so that receivers can verify them, by the new secret and by the one before', async () => {
    await api.put('/articles/1', { title: 'Rye' })
    const [got] = await took()
    for (const known of [secret, former]) new Standard(known).verify(String(got?.text), got?.headers ?? {})
    assert.throws(() => new Standard(secretOf()).verify(String(got?.text), got?.headers ?? {}), /No matching signature/)
    assert.throws(() => new Standard(secret).verify(`${got?.text} `, got?.headers ?? {}), /No matching signature/)
  })

  it('tell of publishing, of deletes with the entry as it was, and of files', async () => {
    await api.put('/articles/1', { publishedAt: null })
    await api.delete('/articles/1')
    const payload = `--x\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nhello\r\n--x--\r\n`
    await api.send('POST', '/upload', payload, { 'content-type': 'multipart/form-data; boundary=x' })
    const got = await took()
    const ofArticle = got.filter(({ body }) => body.model === 'article').map(({ body }) => body)
    assert.deepEqual(
      ofArticle.map(({ event }) => event),
      ['entry.unpublish', 'entry.delete'],
    )
    expect(ofArticle[1].entry).toMatchObject({ id: 1, title: 'Rye', author: { id: 1, name: 'Ann' } })
    const [media] = got.filter(({ body }) => body.event === 'media.create')
    expect(media?.body.media).toMatchObject({ id: 1, name: 'a.txt', mime: 'text/plain' })
    assert.doesNotMatch(String(media?.text), /"uid"/)
  })

  it('are sent again where a receiver fails, with the same id and body, and in the order of each entry', async () => {
    await api.post('/orders', { number: 1 })
    receiver.answer = ({ body }, response) => {
      response.statusCode = body.entry.id === 1 ? 500 : 200
      response.end('no')
    }
    const first = await took()
    await api.put('/orders/1', { number: 2 })
    await api.post('/orders', { number: 3 })
    const other = await took()
    assert.deepEqual(
      [first, other].map(all => all.map(({ body }) => `${body.event} ${body.entry.id}`)),
      [['entry.create 1'], ['entry.create 2']],
    )
    receiver.answer = (_, response) => response.end()
    await later()
    const again = await took()
    assert.deepEqual(
      again.map(({ body }) => body.event),
      ['entry.create', 'entry.update'],
    )
    assert.equal(again[0]?.text, first[0]?.text)
    assert.equal(again[0]?.headers['webhook-id'], first[0]?.headers['webhook-id'])
    assert.notEqual(again[0]?.headers['webhook-id'], again[1]?.headers['webhook-id'])
    assert.deepEqual(await took(), [])
  })

  it('wait as long as a receiver asks, and are given up after three days', async () => {
    await api.post('/orders', { number: 4 })
    receiver.answer = (_, response) => response.writeHead(503, { 'retry-after': '7200' }).end()
    const begun = Date.now()
    await send()
    const [row] = await api.rows('stele_deliveries', ['due', 'tries'], { state: 'pending', webhook: 'config:orders' })
    assert.equal(row?.tries, 1)
    assert.ok(Number(row?.due) >= begun + 7_200_000)
    for (let tries = 2; tries <= 10; tries += 1) {
      await later()
      await send()
    }
    expect((await rows('orders')).at(-1)).toMatchObject({ state: 'failed', tries: 10, status: 503 })
    assert.equal(receiver.take().length, 10)
    await later()
    assert.deepEqual(await took(), [])
  })

  it('do not follow redirects, and take the status for what was done whatever becomes of the body', async () => {
    receiver.answer = (_, response) => response.writeHead(307, { location: receiver.url }).end()
    await api.post('/orders', { number: 5 })
    assert.equal((await took()).length, 1)
    expect((await rows('orders')).at(-1)).toMatchObject({
      state: 'pending',
      status: 307,
      reply: 'redirects are not followed',
    })
    receiver.answer = (_, response) => {
      response.writeHead(200, { 'content-length': '1000000' })
      response.write('begun', () => response.destroy())
    }
    await later()
    assert.equal((await took()).length, 1)
    expect((await rows('orders')).at(-1)).toMatchObject({ state: 'done', status: 200 })
  })

  it('end with 410 until they are enabled again, and go on from where they had stopped', async () => {
    receiver.answer = (_, response) => response.writeHead(410).end()
    await api.post('/gones', { number: 1 })
    await api.post('/gones', { number: 2 })
    await send()
    receiver.take()
    assert.deepEqual(
      (await rows('stopping')).map(({ state }) => state),
      ['failed', 'failed'],
    )
    receiver.answer = (_, response) => response.end()
    await api.post('/gones', { number: 3 })
    assert.deepEqual(await took(), [])
    await command('webhook enable', ['stopping'])
    assert.deepEqual(
      (await took()).map(({ body }) => body.entry.number),
      [3],
    )
  })

  it('do not reach private addresses that are not allowed', async () => {
    const found = await rows('inside')
    assert.ok(found.length > 0)
    for (const { reply } of found)
      assert.match(String(reply), /::1 is ::1, a private address: the setting "privateAddresses"/)
  })

  const command = async (name: string, args: string[], options: Record<string, string> = {}) => {
    const found = api.app.commands.find(one => one.name === name)
    const lines: string[] = []
    const tables: Record<string, unknown>[] = []
    const print = (line: string) => void lines.push(line)
    const table = (some: readonly Record<string, unknown>[]) => void tables.push(...some)
    await found?.run({ args, options, json: false, interactive: false, print, table })
    return { lines, tables }
  }

  it('are listed, tested and sent again by commands', async () => {
    const { tables } = await command('webhook list', [])
    assert.deepEqual(
      tables.map(({ name, state, behind }) => `${name} ${state} ${behind}`),
      ['all enabled 0', 'orders enabled 0', 'stopping enabled 0', 'inside enabled 0', 'off disabled 0'],
    )
    const { lines } = await command('webhook test', ['orders'])
    assert.match(String(lines), /answered 200 after \d+ ms: thanks/)
    expect(receiver.take()[0]?.body).toMatchObject({ event: 'trigger-test' })
    await assert.rejects(command('webhook test', ['order']), /there is no webhook "order": did you mean "orders"\?/)
    await assert.rejects(command('webhook test', ['inside']), /was not reached: ::1 is/)
    const failed = (await command('webhook deliveries', ['orders'], { state: 'failed', limit: '5' })).tables
    assert.equal(failed.length, 1)
    expect((await command('webhook replay', [String(failed[0]?.id)])).lines).toEqual(['1 delivery is sent again.'])
    assert.equal((await took())[0]?.body.entry.number, 4)
    expect((await command('webhook replay', ['stopping'])).lines).toEqual(['2 deliveries are sent again.'])
    assert.equal((await took()).length, 2)
    await assert.rejects(command('webhook replay', ['99999']), /there is no delivery 99999/)
  })

  it('that are declared wrongly stop the start, and say what is expected', async () => {
    const { url } = receiver
    const wrong: [webhooks: Record<string, unknown>, says: RegExp][] = [
      [{ one: { url: 'ftp://x' } }, /config\/webhooks: one: url is "ftp:\/\/x"; expected an address of http or https/],
      [{ one: { url, events: ['entry.create', 'all'] } }, /one: events has "all"; expected names such as/],
      [{ one: { url, secret: 'short' } }, /one: the secret is not "whsec_"/],
      [
        { one: { url, headers: { 'x-a': 'a\nb' } } },
        /one: headers.x-a is "a\\nb"; expected a text without line breaks/,
      ],
      [{ one: { url, retries: 3 } }, /one: there is no setting "retries"; there are url, events/],
    ]
    if (engine.name === 'sqlite')
      for (const [webhooks, says] of wrong)
        await assert.rejects(start(engine, { plugins: [events], config: { webhooks } }) as Promise<Api>, says)
  })
})
