import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryEngine } from '../support/every-engine.js'
import { Course } from './support/course.js'
import { ownServer } from './support/ground.js'
import { disksCanBeHeld, heldDisk } from './support/held-disk.js'
import { times } from './support/length.js'

const timeLimit = (repetitions: number) => ({ timeout: 60_000 + repetitions * 20_000 })
/** With CI=true a disk that cannot be made is a failure. */
const declare = disksCanBeHeld || process.env.CI ? it : it.skip

onEveryEngine('a power cut under load', engine => {
  const disk = heldDisk()
  const ground = ownServer(engine, { disk })

  /** All processes die, and what they wrote is gone where it had not reached the disk. */
  async function cutDuring(course: Course): Promise<void> {
    const { answers } = await course.underLoad(async load => {
      // SQLite flushes in another way when there were some commits.
      await load.good(Math.random() * 300)
      await Promise.all([course.ground.server?.kill(), course.kill()])
      await disk.cut()
    })
    answers.assertCivil({ cuts: true })
    await disk.restore()
    await course.ground.server?.restart()
    await course.look()
  }

  const cuts = times(2, 50)
  declare('loses nothing that was acknowledged, and leaves nothing by half', timeLimit(cuts), async () => {
    const course = await Course.at(await ground())
    await disk.flush()
    for (let count = 0; count < cuts; count += 1) {
      if (count > 0) await course.restart()
      await cutDuring(course)
    }
    await course.restart()
    await course.recovery()
    await course.look()
    course.conclude(cuts, `power cut under ${engine.name}`)
  })

  declare('of the disk alone is a refusal of every write', timeLimit(1), async () => {
    const course = await Course.at(await ground())
    await disk.flush()
    const { answers } = await course.underLoad(async load => {
      await disk.fail()
      await load.refused(3)
    })
    answers.assertCivil()
    // A database may have ended by itself.
    await course.ground.server?.kill().catch(() => undefined)
    await course.kill()
    await disk.restore()
    await course.ground.server?.restart()
    await course.look()
    course.conclude(1, `disk of ${engine.name} gone`)
  })

  if (engine.name !== 'sqlite') return

  declare('loses the last writes where they are not to be flushed', timeLimit(5), async () => {
    const course = await Course.at(await ground(), { app: { database: { synchronous: 'normal' } } })
    await disk.flush()
    for (let count = 0; count < 5 && course.lost.length === 0; count += 1) {
      if (count > 0) await course.restart()
      await cutDuring(course)
    }
    assert.ok(course.lost.length > 0)
  })
})
