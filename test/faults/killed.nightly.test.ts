import { setTimeout as wait } from 'node:timers/promises'
import { it } from 'vitest'
import { onEveryEngine } from '../support/every-engine.js'
import { Course } from './support/course.js'
import { ownServer } from './support/ground.js'
import { times } from './support/length.js'

/** Long enough for writes to be under way, and never the same. */
const atRandom = () => wait(Math.random() * 300)

/** Half a minute for a test, and more for each repetition. */
const timeLimit = (repetitions: number) => ({ timeout: 60_000 + repetitions * 20_000 })

onEveryEngine('killed without a warning under load', engine => {
  const ground = ownServer(engine)
  const kills = times(3, 200)
  it('the server keeps what it acknowledged, and nothing by half', timeLimit(kills), async () => {
    const course = await Course.at(await ground())
    for (let count = 0; count < kills; count += 1) {
      if (count > 0) await course.restart()
      const { answers } = await course.underLoad(async () => {
        await atRandom()
        await course.kill()
      })
      answers.assertCivil({ cuts: true })
      await course.look()
    }
    await course.restart()
    await course.recovery()
    await course.look()
    course.conclude(kills, `kill -9 of the server on ${engine.name}`)
  })

  if (engine.name === 'sqlite') return

  const crashes = times(2, 50)
  it('the database keeps what was acknowledged, and the server finds it again', timeLimit(crashes), async () => {
    const course = await Course.at(await ground())
    let slowest = 0
    for (let count = 0; count < crashes; count += 1) {
      const { answers } = await course.underLoad(async load => {
        await atRandom()
        await course.ground.server?.kill()
        await atRandom()
        await course.ground.server?.restart()
        slowest = Math.max(slowest, await course.recovery())
        await load.good(10)
      })
      answers.assertCivil()
      await course.look()
    }
    course.conclude(crashes, `kill -9 of ${engine.name}`, `first good answer after ${Math.round(slowest)} ms`)
  })

  const both = times(2, 20)
  it('server and database together keep what was acknowledged', timeLimit(both), async () => {
    const course = await Course.at(await ground())
    for (let count = 0; count < both; count += 1) {
      const { answers } = await course.underLoad(async () => {
        await atRandom()
        await Promise.all([course.ground.server?.kill(), course.kill()])
      })
      answers.assertCivil({ cuts: true })
      await course.ground.server?.restart()
      await course.look()
      await course.restart()
    }
    await course.recovery()
    await course.look()
    course.conclude(both, `kill -9 of both on ${engine.name}`)
  })
})
