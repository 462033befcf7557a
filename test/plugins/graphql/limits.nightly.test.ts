import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { GraphqlWorld } from '../../security/graphql-world.js'
import { bombs, warmWorld } from './bombs.js'

/** Milliseconds of the processors that a refusal may take. */
const most = 50

describe('the refusal of an operation that costs too much is quick', () => {
  let world: GraphqlWorld
  const figures: (readonly [milliseconds: number, says: string])[] = []
  beforeAll(async () => {
    world = await warmWorld()
  })
  afterAll(async () => {
    await world?.close()
    figures.sort(([a], [b]) => b - a)
    const told = figures.slice(0, 5).map(([milliseconds, says]) => `${milliseconds.toFixed(1)} ms (${says})`)
    console.info(`${figures.length} refusals of GraphQL, CPU of the longest: ${told.join(', ')}`)
  })

  for (const [says, query, , values] of bombs)
    it(says, async () => {
      let least = Number.POSITIVE_INFINITY
      // The compiler may be at work meanwhile: a refusal that is slow by itself is slow five times.
      for (let round = 0; round < 5 && least > most; round += 1) {
        const { status, cpu } = await world.ask('visitor', query, values)
        assert.equal(status, 400)
        least = Math.min(least, cpu)
      }
      figures.push([least, says])
      assert.ok(least < most, `${least} ms`)
    })
})
