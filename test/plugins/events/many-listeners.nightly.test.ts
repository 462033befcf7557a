import assert from 'node:assert/strict'
import { it } from 'vitest'
import { ask, folderOf, started } from '../../support/terminal.js'
import { Stream } from './stream.js'

const listeners = 1000
/** Bytes that all of them may cost. */
const most = 50 * 2 ** 20

/** Tells what the server has of memory when everything that was thrown away is collected: that is no cost of a feed. */
const memory = `
  import { setFlagsFromString } from 'node:v8'
  import { runInNewContext } from 'node:vm'
  import { definePlugin } from 'stele'

  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const run = () => {
    for (let time = 0; time < 3; time += 1) collect()
    return { bytes: process.memoryUsage.rss() }
  }
  export default definePlugin({
    name: 'memory',
    routes: [{ method: 'GET', path: '/resident', action: 'read', open: 'developing', run }],
  })
`

it('a thousand open feeds cost less than 50 MB, wait for nothing, and are all told', { timeout: 120_000 }, async () => {
  const files = {
    'content-types/note.json': {
      kind: 'collectionType',
      collectionName: 'notes',
      info: { singularName: 'note', pluralName: 'notes' },
      attributes: { text: { type: 'string' } },
    },
    'config/api.json': { rest: { public: true } },
    'config/plugins.json': { events: true, memory: { resolve: './memory.mjs' } },
  }
  const folder = folderOf({
    ...Object.fromEntries(Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)])),
    'memory.mjs': memory,
  })
  const { server, url } = await started(folder, {
    DATABASE_CLIENT: 'sqlite',
    DATABASE_FILENAME: 'data.db',
    // Room for what is thrown away stays with a process once it was needed: Node.js 24 takes up to 96 MB of it.
    NODE_OPTIONS: '--max-semi-space-size=4',
  })
  const resident = async () => (await ask(`${url}/api/resident`)).body.bytes
  const write = (text: string) => ask(`${url}/api/notes`, { method: 'POST', data: { text } })
  const open = async (count: number) => {
    const streams: Stream[] = []
    while (streams.length < count)
      streams.push(
        ...(await Promise.all(Array.from({ length: 50 }, () => Stream.open(`${url}/api/events?types=note`)))),
      )
    return streams
  }
  const told = async (streams: readonly Stream[]) => {
    for (const stream of streams) assert.equal((await stream.take(1))[0]?.data.event, 'entry.create')
  }
  // Modules that the first requests load are not counted to those that follow.
  const first = await open(50)
  await write('first')
  await told(first)
  const before = await resident()
  const streams = await open(listeners)
  assert.equal((await write('second')).status, 200)
  await told([...first, ...streams])
  const cost = (await resident()) - before
  console.log(`feed: ${listeners} open feeds cost ${(cost / 2 ** 20).toFixed(1)} MB`)
  assert.ok(cost < most, `${cost} bytes`)
  assert.equal(server.errors, '', 'listeners of responses that go on are no leak')
  for (const stream of [...first, ...streams]) stream.close()
})
