import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { it } from 'vitest'
import { onEveryServer } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { Course, type CourseOptions, impatient, inTime } from './support/course.js'
import { type Ground, ownServer } from './support/ground.js'
import { holdEverything } from './support/hold.js'
import { times } from './support/length.js'
import { Network } from './support/network.js'

const timeLimit = (repetitions: number) => ({ timeout: 60_000 + repetitions * 40_000 })

onEveryServer('connections to the database', engine => {
  const ground = ownServer(engine)

  it('that are cut are opened again, and no client sees more than a refusal', timeLimit(1), async () => {
    const { course, network } = await behindNetwork(await ground())
    const cuts = times(5, 50)
    let slowest = 0
    const { answers } = await course.underLoad(async load => {
      for (let count = 0; count < cuts; count += 1) {
        network.cut()
        slowest = Math.max(slowest, await course.recovery())
        await load.good(5)
      }
    })
    answers.assertCivil()
    await course.look()
    course.conclude(cuts, `all connections of ${engine.name} cut`, `first good answer after ${Math.round(slowest)} ms`)
  })

  it('that the database ends are opened again', timeLimit(1), async () => {
    const course = await Course.at(await ground())
    const kills = times(3, 20)
    let slowest = 0
    const { answers } = await course.underLoad(async load => {
      for (let count = 0; count < kills; count += 1) {
        await endConnections(course.ground)
        slowest = Math.max(slowest, await course.recovery())
        await load.good(5)
      }
    })
    answers.assertCivil()
    await course.look()
    course.conclude(
      kills,
      `all connections of ${engine.name} killed`,
      `first good answer after ${Math.round(slowest)} ms`,
    )
  })

  it('that are half open keep no request waiting, and are not used again', timeLimit(1), async () => {
    const { course, network } = await behindNetwork(await ground(), impatient)
    let slowest = 0
    const { answers } = await course.underLoad(async load => {
      network.silence()
      slowest = await course.recovery()
      await load.good(20)
    })
    answers.assertCivil()
    assert.ok(answers.longest < inTime, `somebody waited ${answers.longest} ms`)
    await course.look()
    course.conclude(
      1,
      `all connections of ${engine.name} half open`,
      `first good answer after ${Math.round(slowest)} ms`,
    )
  })

  it('that cannot be opened at all are refusals in time, and work as soon as they can be', timeLimit(1), async () => {
    const { course, network } = await behindNetwork(await ground(), impatient)
    let slowest = 0
    const { answers } = await course.underLoad(async load => {
      network.letsIn = false
      network.silence()
      // Until it is noticed, and a while longer.
      await refusals(load.answers.byStatus, 20)
      network.letsIn = true
      slowest = await course.recovery()
      await load.good(20)
    })
    answers.assertCivil()
    assert.ok(answers.longest < inTime, `somebody waited ${answers.longest} ms`)
    await course.look()
    course.conclude(1, `the network to ${engine.name} gone`, `first good answer after ${Math.round(slowest)} ms`)
  })

  it('that are all taken are refusals in time, and the next one that is free is used', timeLimit(1), async () => {
    const pool = { ...impatient.app?.database, pool: { min: 0, max: 2 }, statementTimeout: 2000 }
    const course = await Course.at(await ground(), { app: { database: pool } })
    let slowest = 0
    const { answers } = await course.underLoad(async load => {
      const release = await holdEverything(course.ground.database)
      await refusals(load.answers.byStatus, 10)
      await release()
      slowest = await course.recovery()
      await load.good(20)
    }, 16)
    answers.assertCivil()
    await course.look()
    course.conclude(1, `the pool of ${engine.name} exhausted`, `first good answer after ${Math.round(slowest)} ms`)
  })

  const pauses = times(1, 20)
  it('to a database that stands still for a while wait or are refused, and go on', timeLimit(pauses), async () => {
    const course = await Course.at(await ground())
    let slowest = 0
    for (let count = 0; count < pauses; count += 1) {
      const { answers } = await course.underLoad(async load => {
        await course.ground.server?.kill('SIGSTOP')
        await wait(pauses > 1 ? 10_000 : 2_000)
        await course.ground.server?.kill('SIGCONT')
        slowest = Math.max(slowest, await course.recovery())
        await load.good(20)
      })
      answers.assertCivil()
      await course.look()
    }
    course.conclude(pauses, `SIGSTOP of ${engine.name}`, `first good answer after ${Math.round(slowest)} ms`)
  })
})

async function behindNetwork(
  ground: Ground,
  options: CourseOptions = {},
): Promise<{ course: Course; network: Network }> {
  const network = await Network.before(ground)
  return { network, course: await Course.at(ground, { ...options, env: network.env }) }
}

/** Waits until clients were refused so many times more. */
async function refusals(byStatus: ReadonlyMap<number, number>, more: number): Promise<void> {
  const count = () => byStatus.get(503) ?? 0
  const wanted = count() + more
  const deadline = performance.now() + 30_000
  while (count() < wanted) {
    assert.ok(performance.now() < deadline, 'nobody was refused')
    await wait(20)
  }
}

async function endConnections({ database }: Ground): Promise<void> {
  if (database.client === 'postgres')
    await run(
      database,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  else if (database.client === 'mysql')
    // The connection may have ended by itself.
    for (const { id } of await run(
      database,
      'select id from information_schema.processlist where db = database() and id <> connection_id()',
    ))
      await run(database, `kill ${id}`).catch(() => undefined)
}
