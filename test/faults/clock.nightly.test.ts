import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { it } from 'vitest'
import { run } from '../support/run.js'
import { folderOf, started } from '../support/terminal.js'
import { faultApp } from './support/app.js'
import { Course } from './support/course.js'
import { groundIn, onEveryEngineInFull } from './support/ground.js'

const hour = 3_600_000
const preload = pathToFileURL(join(import.meta.dirname, 'support/preload/clock.mjs')).href

/** A clock for a server process, as far ahead of the real one as it is told. */
function movableClock(offset = 0) {
  const file = join(folderOf(), 'clock')
  writeFileSync(file, String(offset))
  return {
    env: { STELE_CLOCK_FILE: file, NODE_OPTIONS: `--import=${preload}` },
    async move(course: Course, offset: number): Promise<void> {
      writeFileSync(file, String(offset))
      const before = course.server.lines.filter(({ clock }) => clock !== undefined).length
      course.server.child.kill('SIGUSR2')
      await course.server.said(/"clock":/, before + 1)
    },
  }
}

onEveryEngineInFull('a clock that jumps', engine => {
  it('forwards and backwards stops no write and loses none', { timeout: 120_000 }, async () => {
    const clock = movableClock()
    const course = await Course.at(await groundIn(engine), { env: clock.env })
    const jumps = [hour, -hour, 30 * 24 * hour, 0, -365 * 24 * hour]
    const { answers } = await course.underLoad(async load => {
      for (const offset of jumps) {
        await clock.move(course, offset)
        await load.good(20)
      }
    })
    answers.assertCivil()
    await course.look()
    // Uploads that were under way when the clock went ahead are not taken for abandoned ones.
    await clock.move(course, 0)
    await course.underLoad(load => load.good(20))
    await course.lookSettled()
    course.conclude(jumps.length, `clock moved on ${engine.name}`)
  })

  it('past the end of a lease leaves none that keeps a start away', { timeout: 120_000 }, async () => {
    const { database, env } = await groundIn(engine)
    const app = faultApp()
    const first = await started(app, env)
    assert.equal(await first.server.stop(), 0)
    // Somebody died while changing the layout, and an hour ahead of us.
    const time = Date.now() + hour
    await run(database, "delete from stele_schema where name = 'lease'")
    await run(database, `insert into stele_schema (name, value, time) values ('lease', 'a dead process', ${time})`)
    await run(database, 'drop table upload_folders_parent_links')
    const begun = performance.now()
    const { server } = await started(app, env)
    assert.ok(performance.now() - begun < 40_000)
    assert.equal(await server.stop(), 0)
  })

  it('leaves what crashes left in storage to be cleared up by a later start', { timeout: 120_000 }, async () => {
    const clock = movableClock()
    const course = await Course.at(await groundIn(engine), { env: clock.env })
    for (let kills = 0; kills < 3; kills += 1) {
      await course.underLoad(() => course.kill())
      await course.look()
      await course.restart()
    }
    await course.kill()
    writeFileSync(clock.env.STELE_CLOCK_FILE, String(26 * hour))
    await course.restart()
    await course.lookSettled()
    course.conclude(3, `kill -9 and a later start on ${engine.name}`)
  })
})
