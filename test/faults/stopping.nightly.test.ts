import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { it } from 'vitest'
import { Course } from './support/course.js'
import { groundIn, onEveryEngineInFull } from './support/ground.js'
import { times } from './support/length.js'

onEveryEngineInFull('a server that is told to stop under load', engine => {
  const stops = times(2, 20)
  it('cuts no response, and is gone within ten seconds', { timeout: 60_000 + stops * 15_000 }, async () => {
    const course = await Course.at(await groundIn(engine), { env: { LOG_LEVEL: 'debug' } })
    let slowest = 0
    for (let count = 0; count < stops; count += 1) {
      if (count > 0) await course.restart()
      const { answers } = await course.underLoad(async () => {
        await wait(Math.random() * 300)
        const begun = performance.now()
        assert.equal(await course.server.stop('SIGTERM'), 0)
        slowest = Math.max(slowest, performance.now() - begun)
      }, 32)
      assert.deepEqual(answers.wrong, [])
      // Requests on a connection that was still waiting to be accepted never reached the server.
      const taken = new Set(course.server.lines.map(({ requestId }) => requestId))
      assert.deepEqual(
        answers.cut.filter(id => taken.has(id)),
        [],
        'answers were cut',
      )
      await course.lookSettled()
    }
    assert.ok(slowest < 10_000, `it took ${slowest} ms`)
    course.conclude(stops, `SIGTERM on ${engine.name}`, `answers cut 0, slowest stop ${Math.round(slowest)} ms`)
  })
})
