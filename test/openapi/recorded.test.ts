import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { fixture, recordedReads, recordedScripts } from '../strapi4/fixture.js'
import { documentOf, outlineOf } from './outline.js'
import { DocumentReader } from './reader.js'

interface UndescribedExchange {
  readonly why: string
  readonly reads?: readonly number[]
  readonly steps?: Readonly<Record<string, readonly number[]>>
}

/**
 * Exchanges that the document does not describe: it tells clients what to send, and the dialect takes more. Each must be
 * undescribed still: a list that says too much hides what happens later.
 */
const undescribed: readonly UndescribedExchange[] = [
  {
    why: 'the dialect ignores parameters that do not exist, or have no effect on the route or the type',
    reads: [17, 18, 53, 57, 104, 105, 109, 537, 572, 576, 718, 729, 740, 742],
    steps: { upload: [26] },
  },
  { why: 'the dialect clamps pages that cannot be', reads: [62, 63, 66, 69, 70, 73, 92, 95, 96] },
  { why: 'yes and no have other spellings in a body', steps: { 'types-update': [17, 22] } },
  {
    why: 'the dialect takes values that mean nothing',
    reads: [199, 206, 207, 223, 236, 237, 238, 289, 298, 302, 393, 447, 448, 516, 589],
  },
  { why: 'operators of text compare the text of other values', reads: [245, 375, 376, 381, 409] },
  { why: 'Strapi 4 answers as if nothing had been asked; it is refused here', reads: [264, 265, 266, 420] },
  { why: 'a date may be cut from an instant', reads: [379], steps: { 'types-update': [26] } },
  { why: 'a list of conditions may stand in place of one, and values next to operators', reads: [198, 734, 735] },
  { why: 'an account whose id is no id is not there', reads: [687], steps: { 'users-crud': [23] } },
  { why: 'what is told of a file may be sent as JSON', steps: { upload: [15] } },
  { why: 'counts are answered in place of entries', reads: [479, 480, 481, 524] },
]

const readsOf = new Set(undescribed.flatMap(({ reads = [] }) => reads))
const stepsOf = (script: string): readonly number[] => undescribed.flatMap(({ steps = {} }) => steps[script] ?? [])

/** A request of the recordings, and what was answered. */
interface Exchange {
  readonly method: string
  readonly path: string
  readonly sent?: unknown
  readonly status: number
  readonly received: unknown
}

describe('what was recorded of Strapi 4', () => {
  let reader: DocumentReader
  const counted = { requests: 0, responses: 0 }
  beforeAll(async () => {
    const overrides = { plugins: { openapi: { enabled: true, config: {} } } }
    reader = new DocumentReader(await documentOf(await outlineOf(join(fixture, 'project'), { overrides })))
  })
  afterAll(() =>
    console.info(`${counted.requests} recorded requests and ${counted.responses} responses are as the document says`),
  )

  /** The document's objections to an exchange; undefined if it has no such operation. */
  function wrongIn({ method, path, sent, status, received }: Exchange): string[] | undefined {
    const [place = '', query = ''] = path.split('?')
    const match = isMalformed(place) ? undefined : reader.match(method, place)
    if (!match) return undefined
    const wrong = reader.wrongResponse(match, status, received)
    if (wrong.length === 0) counted.responses += 1
    // A refused request may have any body.
    if (status >= 300) return wrong
    const asked = [...reader.wrongQuery(match, query), ...(sent === undefined ? [] : reader.wrongBody(match, sent))]
    if (asked.length === 0) counted.requests += 1
    return [...wrong, ...asked]
  }

  it('when it was read', () => {
    const odd: string[] = []
    for (const { id, method, path, status, body } of recordedReads()) {
      const wrong = wrongIn({ method, path, status, received: body })
      if (wrong === undefined) assert.ok(status >= 400 || path === '/_health', `${id} has no operation`)
      else if (wrong.length > 0 !== readsOf.has(id))
        odd.push(`${id} ${decodeURI(path)}: ${wrong.join() || 'is described'}`)
    }
    assert.deepEqual(odd, [])
  })

  it('when it was written', () => {
    const odd: string[] = []
    for (const { name, steps } of recordedScripts())
      for (const [index, { request, response }] of steps.entries()) {
        if (!request || !response) continue
        const { method, path, body: sent } = request
        const wrong = wrongIn({ method, path, sent, status: response.status, received: response.body })
        if (wrong === undefined)
          assert.ok(response.status >= 400 || others.includes(method), `${name} ${index} has no operation`)
        else if (wrong.length > 0 !== stepsOf(name).includes(index))
          odd.push(`${name} ${index} ${method} ${path}: ${wrong.join() || 'is described'}`)
      }
    assert.deepEqual(odd, [])
  })
})

/** Methods that every path has. */
const others = ['OPTIONS', 'HEAD']

function isMalformed(path: string): boolean {
  try {
    return decodeURIComponent(path) === ''
  } catch {
    return true
  }
}
