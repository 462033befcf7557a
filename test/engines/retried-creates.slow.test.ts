import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it, vi } from 'vitest'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { ask, folderOf, started } from '../support/terminal.js'
import { isNightly } from '../support/time.js'

// Every test starts several processes.
vi.setConfig({ testTimeout: 120_000 })
const files = {
  'content-types/note.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes' },
    attributes: {
      text: { type: 'string' },
      parts: { type: 'component', component: 'shared.part', repeatable: true },
    },
  }),
  'content-types/components/shared/part.json': JSON.stringify({
    collectionName: 'components_shared_parts',
    attributes: { text: { type: 'string' } },
  }),
  'config/api.json': JSON.stringify({ rest: { public: true } }),
}

onEveryEngine('creates that are sent again', engine => {
  const onFresh = async (
    work: (place: { fresh: FreshDatabase; begin: () => ReturnType<typeof started> }) => unknown,
  ) => {
    const fresh = await engine.fresh()
    const folder = folderOf(files)
    try {
      await work({ fresh, begin: () => started(folder, { ...fresh.env }) })
    } finally {
      await fresh.drop()
    }
  }
  /** Sends it until somebody has time for it: a server with too much to do says so. */
  const create = async (url: string, key: string, text: string): ReturnType<typeof ask> => {
    const answer = await ask(`${url}/api/notes?populate=parts`, {
      method: 'POST',
      headers: { 'idempotency-key': key },
      data: { text, parts: [{ text: '1' }, { text: '2' }] },
    })
    return answer.status === 503 ? create(url, key, text) : answer
  }
  const count = async ({ database }: FreshDatabase, table: string) =>
    Number((await run(database, `select count(*) as n from ${table}`))[0]?.n)

  it('make one entry, when two servers are asked twenty times at once', () =>
    onFresh(async ({ fresh, begin }) => {
      const servers = [await begin(), await begin()]
      for (let round = 1; round <= 5; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) => create(servers[index % 2]?.url ?? '', `round-${round}`, `${round}`)),
        )
        assert.deepEqual([...new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`))].length, 1)
        assert.equal(answers[0]?.status, 200)
        assert.equal(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1)
        assert.equal(await count(fresh, 'notes'), round)
      }
    }))

  it.runIf(isNightly)('make one entry each, when a server is killed between them', () =>
    onFresh(async ({ fresh, begin }) => {
      const keys = new Set<string>()
      const heard = new Map<string, unknown>()
      for (let round = 1; round <= 3; round += 1) {
        const { server, url } = await begin()
        let answers = 0
        // Each of them goes on until nobody answers, so each has a request that it must send again.
        const client = async () => {
          for (;;) {
            const key = randomUUID()
            keys.add(key)
            const answer = await create(url, key, key).catch(() => undefined)
            if (!answer) return
            assert.equal(answer.status, 200)
            heard.set(key, answer.body)
            answers += 1
            if (answers === 20 + 7 * round) server.child.kill('SIGKILL')
          }
        }
        await Promise.all(Array.from({ length: 12 }, client))
        await server.ended
      }
      assert.ok(heard.size >= 60, `${heard.size} answers`)
      assert.ok(keys.size >= heard.size + 36, `${keys.size} keys`)
      const { url } = await begin()
      for (const key of keys) {
        const { status, body, headers } = await create(url, key, key)
        assert.equal(status, 200)
        if (!heard.has(key)) continue
        assert.equal(headers.get('idempotency-replayed'), 'true')
        assert.deepEqual(body, heard.get(key))
      }
      assert.equal(await count(fresh, 'notes'), keys.size)
      assert.equal(await count(fresh, 'stele_requests'), keys.size)
      assert.equal(await count(fresh, 'components_shared_parts'), 2 * keys.size)
    }),
  )
})
