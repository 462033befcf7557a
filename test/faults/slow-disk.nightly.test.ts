import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryEngine } from '../support/every-engine.js'
import { Course, impatient, inTime } from './support/course.js'
import { ownServer } from './support/ground.js'
import { disksCanBeHeld, heldDisk } from './support/held-disk.js'
import { isFull, times } from './support/length.js'
import { Answers } from './support/load.js'

const timeLimit = { timeout: 300_000 }
/** With CI=true a disk that cannot be held is a failure. */
const declare = disksCanBeHeld || process.env.CI ? it : it.skip

onEveryEngine('a disk under the database', engine => {
  const disk = heldDisk()
  const ground = ownServer(engine, { disk })

  declare('that keeps writes waiting again and again loses none, and refuses none', timeLimit, async () => {
    const course = await Course.at(await ground())
    const holds = times(5, 50)
    let slowest = 0
    const { answers } = await course.underLoad(async load => {
      for (let count = 0; count < holds; count += 1) {
        await disk.hold(300)
        slowest = Math.max(slowest, await course.recovery())
        await load.good(5)
      }
    })
    answers.assertCivil()
    assert.equal(answers.byStatus.get(503), undefined)
    await course.look()
    course.conclude(holds, `disk of ${engine.name} held for 300 ms`, said(slowest))
  })

  declare('that stands still is a wait or a refusal in time, and work goes on with it', timeLimit, async () => {
    const course = await Course.at(await ground(), impatient)
    const holds = times(1, 10)
    const duration = isFull ? 10_000 : 4_000
    const reads = new Answers()
    let slowest = 0
    const { answers } = await course.underLoad(async load => {
      for (let count = 0; count < holds; count += 1) {
        await readDuring(disk.hold(duration), course.url, reads)
        slowest = Math.max(slowest, await course.recovery())
        await load.good(20)
      }
    })
    answers.assertCivil()
    reads.assertCivil()
    // SQLite is part of the server's process, which sleeps when its disk does.
    const most = inTime + (engine.name === 'sqlite' ? duration : 0)
    const longest = Math.max(answers.longest, reads.longest)
    assert.ok(longest < most, `somebody waited ${longest} ms`)
    await course.look()
    course.conclude(holds, `disk of ${engine.name} standing still for ${duration} ms`, said(slowest))
  })
})

const said = (slowest: number) => `first good answer after ${Math.round(slowest)} ms`

async function readDuring(event: Promise<void>, url: string, answers: Answers): Promise<void> {
  let isOver = false
  const end = event.finally(() => {
    isOver = true
  })
  while (!isOver) await answers.ask(`${url}/api/articles?populate=*`)
  await end
}
