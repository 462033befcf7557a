import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryEngine } from '../support/every-engine.js'
import { Course } from './support/course.js'
import { ownServer } from './support/ground.js'
import { isFull } from './support/length.js'
import { type SingleWrite, singleWrites } from './support/single.js'
import { type Trap, trapFor, type When } from './support/trap.js'

/** Statements at which a write is interrupted: all of them, or a random one and the last. */
function placesIn(statements: number): readonly (readonly [number, When])[] {
  const last = [statements, 'after'] as const
  if (!isFull) return [[1 + Math.floor(Math.random() * statements), 'before'], last]
  return [...Array.from({ length: statements }, (_, index) => [index + 1, 'before'] as const), last]
}

onEveryEngine('a server that is killed between any two statements of a write', engine => {
  const ground = ownServer(engine)

  it('leaves all of it or nothing', { timeout: isFull ? 3_600_000 : 120_000 }, async () => {
    const place = await ground()
    const trap = await trapFor(place)
    const course = await Course.at(place, { env: trap.env })
    const lengths: string[] = []
    let kills = 0
    for (const write of isFull ? singleWrites : singleWrites.slice(0, 3)) {
      const statements = await interrupted(course, trap, write, 0, 'before')
      assert.ok(statements > 0, 'a trap that sees no statement catches nobody')
      const places = placesIn(statements)
      for (const [turn, when] of places) await interrupted(course, trap, write, turn, when)
      lengths.push(`${write.name} has ${statements}`)
      kills += places.length
    }
    course.conclude(kills, `kill -9 between two statements on ${engine.name}`, `of these ${lengths.join(', ')}`)
  })
})

/** Does the write on a new server that ends at a statement; gives how many there were. */
async function interrupted(course: Course, trap: Trap, write: SingleWrite, turn: number, when: When): Promise<number> {
  const send = await write.prepare(course)
  trap.arm(course.server, turn, when)
  const isAnswered = await send()
  const statements = trap.disarm()
  if (isAnswered) await course.kill()
  await course.server.ended
  await course.look()
  await course.restart()
  await course.look()
  return statements
}
