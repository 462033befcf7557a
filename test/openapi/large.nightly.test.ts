import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { it, onTestFinished } from 'vitest'
import { createTestApp } from '../../core/index.js'
import { openapi } from '../../plugins/openapi/index.js'

/** Types of twelve fields that lead to each other. */
const types = Object.fromEntries(
  Array.from({ length: 200 }, (_, number) => {
    const relation = (step: number) => ({
      type: 'relation',
      relation: 'oneToMany',
      target: `api::thing-${(number + step) % 200}.thing-${(number + step) % 200}`,
    })
    const kinds = ['string', 'text', 'integer', 'float', 'boolean', 'date', 'datetime', 'json', 'email', 'richtext']
    const fields = Object.fromEntries(kinds.map((type, index) => [`field${index}`, { type }]))
    return [`thing-${number}`, { attributes: { ...fields, next: relation(1), far: relation(77) } }]
  }),
)

it('of 200 types the document is made in less than 3 s, and others are answered meanwhile', {
  timeout: 60_000,
}, async () => {
  const app = await createTestApp({ types, plugins: [openapi] })
  onTestFinished(() => app.close())
  // Modules loaded for the first request are no part of the document's cost.
  await app.inject('/api/thing-0s?pagination[withCount]=false')

  let turns = 0
  let isMade = false
  const begun = process.cpuUsage()
  const made = app.inject('/openapi.json').finally(() => {
    isMade = true
  })
  let answered = 0
  while (!isMade) {
    // Requests arrive with the turns of the event loop.
    await setImmediate()
    turns += 1
    const { statusCode } = await app.inject('/api/thing-1s')
    assert.equal(statusCode, 200)
    if (!isMade) answered += 1
  }
  const { user, system } = process.cpuUsage(begun)
  const response = await made
  assert.equal(response.statusCode, 200)
  const { paths, components } = response.json()
  assert.equal(Object.keys(paths).length, 601)
  // A turn of the event loop for a few schemas: none of them waits for all of the document.
  const pieces = Object.keys(paths).length + Object.keys(components.schemas).length
  assert.ok(turns >= pieces / 8, `${turns} turns for ${pieces} paths and schemas`)
  assert.ok(answered >= 20, `${answered} requests were answered meanwhile`)
  const seconds = (user + system) / 1e6
  assert.ok(seconds < 3, `${seconds} s of the processor`)
  console.info(
    `200 types: ${(response.payload.length / 1e6).toFixed(1)} MB, ${pieces} paths and schemas in ${turns} turns and ${seconds.toFixed(2)} s of the processor, ${answered} requests answered meanwhile`,
  )
})
