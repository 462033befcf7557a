import assert from 'node:assert/strict'
import { get } from 'node:http'
import { afterAll, beforeAll, it } from 'vitest'
import { onEveryEngine } from '../support/every-engine.js'
import { started } from '../support/terminal.js'
import { type Pristine, pristineOn } from './databases.js'

const relations = ['author', 'category', 'tags', 'related', 'cover', 'gallery', 'seo']
const populates = relations.map((name, index) => `populate[${index}]=${name}`).join('&')
const article = (index: number) => `/api/articles/${(index % 400) + 1}?${populates}`
const list = () => '/api/articles?populate=*'

/** `overload.maxBurstDelay`: a machine that serves a burst within that time rejects none of its requests. */
const maxDelay = 10_000

interface Reply {
  readonly status: number
  /** Milliseconds since the burst began. */
  readonly after: number
  readonly text: string
}

/** Sends them all before the first response, as builds of static sites do. */
async function burst(url: string, count: number, path: (index: number) => string): Promise<Reply[]> {
  const begun = performance.now()
  const ask = (index: number) =>
    new Promise<Reply>((resolve, reject) => {
      get(url + path(index), { agent: false }, response => {
        const reply = { status: Number(response.statusCode), after: performance.now() - begun }
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () => resolve({ ...reply, text }))
      }).on('error', reject)
    })
  return Promise.all(Array.from({ length: count }, (_, index) => ask(index)))
}

onEveryEngine('many requests at once', engine => {
  let pristine: Pristine
  beforeAll(async () => {
    pristine = await pristineOn(engine)
  }, 120_000)
  afterAll(() => pristine?.drop())

  for (const [says, count, path] of [
    ['400 entries with seven populates each', 400, article],
    ['100 lists that populate everything', 100, list],
  ] as const)
    it(`are all served, by a server that has just started and by one that is warm: ${says}`, async () => {
      const { server, url } = await started(pristine.project.folder, { ...pristine.variables, NODE_ENV: 'production' })
      for (const state of ['cold', 'warm']) {
        const replies = await burst(url, count, path)
        const rejected = replies.filter(({ status }) => status === 503)
        const lasted = Math.max(...replies.map(({ after }) => after))
        const why = `${state}: ${rejected.length} of ${count} were rejected, and the last response came after ${lasted} ms`
        assert.ok(rejected.length === 0 || lasted > maxDelay, `${why}: ${rejected[0]?.text}`)
        // Ids of drafts are among them.
        assert.ok(replies.every(({ status }) => [200, 404, 503].includes(status)))
        assert.ok(replies.filter(({ status }) => status === 200).length > (count - rejected.length) / 2)
      }
      assert.equal(await server.stop(), 0)
    }, 60_000)
})
