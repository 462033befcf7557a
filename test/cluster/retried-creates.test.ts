import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { run } from '../support/run.js'
import { ask, build, folderOf } from '../support/terminal.js'
import { whyNoCluster } from './choice.js'
import { GaleraCluster } from './galera.js'
import { Pair } from './pair.js'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const suite = whyNoCluster(process.env) === undefined ? describe : describe.skip

suite('creates that are sent again on a cluster', () => {
  let cluster: GaleraCluster
  beforeAll(async () => {
    build()
    cluster = await GaleraCluster.start()
  })
  afterAll(() => cluster?.stop())

  const files = {
    'content-types/note.json': JSON.stringify({
      kind: 'collectionType',
      collectionName: 'notes',
      info: { singularName: 'note', pluralName: 'notes' },
      attributes: { text: { type: 'string' } },
    }),
    'config/api.json': JSON.stringify({ rest: { public: true } }),
  }

  // Nodes know nothing of each other's locks: both do the work, and one of them finds that out at its commit.
  it('make one entry, when two servers on two nodes are asked at once', async () => {
    const pair = await Pair.start(cluster, folderOf(files))
    const create = async (url: string, key: string): ReturnType<typeof ask> => {
      const headers = { 'idempotency-key': key }
      const answer = await ask(`${url}/api/notes`, { method: 'POST', headers, data: { text: key } })
      return answer.status === 503 ? create(url, key) : answer
    }
    const rounds = 20
    for (let round = 1; round <= rounds; round += 1) {
      const answers = await Promise.all(
        [0, 1, 2, 3, 4, 5].map(index => create(pair.both[index % 2]?.url ?? '', `key-${round}`)),
      )
      assert.equal(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size, 1)
      assert.equal(answers[0]?.status, 200)
      assert.equal(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1)
    }
    const [row] = await run(pair.settings(), 'select count(*) as n from notes')
    assert.equal(Number(row?.n), rounds)
    await pair.assertEqualNodes()
    pair.assertQuiet()
  })
})
