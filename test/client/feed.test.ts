import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp } from '../../core/index.js'
import { events } from '../../plugins/events/index.js'
import {
  type AnySchema,
  type Change,
  createFeed,
  type FeedOptions,
  type FollowOptions,
} from '../../plugins/typescript/client/index.js'

type Follow = (
  paths: string | string[],
  told: (change: Change) => void,
  options?: FollowOptions<unknown, unknown>,
) => () => void
const feedOf = (options: FeedOptions) => createFeed<AnySchema>(options) as unknown as Follow

const types = { note: { attributes: { text: { type: 'string' }, more: { type: 'string' } } }, memo: { attributes: {} } }

/** The meta of an entry is for plugins. */
const metaOf = (change: Change | undefined) => {
  const { meta } = Object(change?.entry)
  return meta === undefined ? {} : { meta }
}

describe('a feed of a server', () => {
  const serve = async (config = {}) => {
    const app = await createTestApp({
      types,
      plugins: [events],
      config: { server: { host: '127.0.0.1', port: 0 }, ...config },
    })
    onTestFinished(() => app.close())
    const { port } = await app.listen()
    return { app, url: `http://127.0.0.1:${port}/api` }
  }

  it('tells of what happens to the entries of a type, with what is asked of them, until it is ended', async () => {
    const { app, url } = await serve()
    const notes = app.entries('api::note.note')
    const told: Change[] = []
    let arrived: (() => void) | undefined
    const next = () => new Promise<void>(resolve => (arrived = resolve))
    const positions: string[] = []
    let opened: (() => void) | undefined
    const opening = new Promise<void>(resolve => (opened = resolve))
    const follow = feedOf({
      url,
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        opened?.()
        return response
      },
    })
    const stop = follow(
      'notes',
      change => {
        told.push(change)
        arrived?.()
      },
      { fields: ['text'], onPosition: id => positions.push(id) },
    )
    onTestFinished(stop)
    await opening
    const first = next()
    const { id } = await notes.create({ text: 'a', more: 'x' })
    await app.entries('api::memo.memo').create({})
    await first
    const second = next()
    await notes.update(Number(id), { text: 'b' })
    await second
    const [created, updated] = told
    assert.deepEqual([created?.event, created?.uid, created?.id], ['entry.create', 'api::note.note', id])
    assert.deepEqual(created?.entry, { id, attributes: { text: 'a' }, ...metaOf(created) })
    assert.deepEqual([updated?.event, updated?.changed], ['entry.update', ['text']])
    assert.equal(told.length, 2)
    assert.ok(positions.length >= 1 && positions.every(position => Number(position) > 0))
  })

  it('ends where it may not listen, and says why', async () => {
    const { url } = await serve({ api: { rest: { public: { note: ['find'] } } } })
    const error = await new Promise<{ status: number }>(resolve => {
      onTestFinished(feedOf({ url })(['memos'], () => assert.fail(), { onError: resolve as never }))
    })
    assert.equal(error.status, 403)
  })
})

describe('a feed over connections that break', () => {
  /** Each request gets the next of these responses; `undefined` stands for a failed connection. The last one waits for ever. */
  function connections(responses: readonly (Response | undefined)[]) {
    const asked: { address: string; position: string | null }[] = []
    let done: (() => void) | undefined
    const all = new Promise<void>(resolve => (done = resolve))
    const send: typeof fetch = async (input, init) => {
      const response = responses[asked.length]
      const isKnown = asked.length < responses.length
      asked.push({ address: `${input}`, position: new Headers(init?.headers).get('last-event-id') })
      if (!isKnown) {
        done?.()
        return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))))
      }
      if (!response) throw new TypeError('no network')
      return response
    }
    return { asked, all, follow: feedOf({ url: 'http://x/api', fetch: send }) }
  }
  const stream = (...chunks: string[]) =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
          controller.close()
        },
      }),
    )
  const error = (status: number) => new Response('{"error":{"message":"x"}}', { status })

  it('goes on behind the last event, reads texts in whatever pieces they come, and begins anew after a gap', async () => {
    const told: unknown[] = []
    let gaps = 0
    const { asked, all, follow } = connections([
      stream('retry: 1\nid: 41\n\n', 'id: 42\ndata: {"event":"entry.', 'update","uid":"u","id":1}\n\nid: 4'),
      undefined,
      error(503),
      stream('id: 43\ndata: {"event":"entry.delete","uid":"ü","id":2}\n\n:\n'),
      error(410),
    ])
    const stop = follow(['notes', 'memos'], change => told.push(change), {
      since: 40,
      onGap: () => {
        gaps += 1
      },
    })
    await all
    stop()
    assert.deepEqual(
      asked.map(({ position }) => position),
      ['40', '42', '42', '42', '43', null],
    )
    assert.equal(asked[0]?.address, 'http://x/api/events?types=notes%2Cmemos')
    assert.deepEqual(told, [
      { event: 'entry.update', uid: 'u', id: 1 },
      { event: 'entry.delete', uid: 'ü', id: 2 },
    ])
    assert.equal(gaps, 1)
  })

  it('tells nothing after it has been ended', async () => {
    const told: unknown[] = []
    const { all, follow } = connections([
      stream('retry: 1\nid: 1\ndata: {"event":"a"}\n\nid: 2\ndata: {"event":"b"}\n\n'),
    ])
    const stop = follow('notes', change => {
      told.push(change.event)
      stop()
    })
    await Promise.race([all, new Promise(resolve => setImmediate(resolve))])
    assert.deepEqual(told, ['a'])
  })
})
