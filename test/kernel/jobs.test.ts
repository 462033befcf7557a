import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { foreignLayout } from '../../core/foreign/known.js'
import { createTestApp, definePlugin, type Job, type JobCall } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { failingJobs } from '../../core/services/jobs/failing.js'
import { JobTable, jobsTable, prepareJobs } from '../../core/services/jobs/job-table.js'
import { scheduleOf } from '../../core/services/jobs/schedule.js'
import { Scheduler, term } from '../../core/services/jobs/scheduler.js'
import { type Server, startOn } from '../support/contract.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'
import { type JobProcess, JobTime, pass, settle } from '../support/job-time.js'

const start = Date.UTC(2026, 0, 1)
type Unnamed<T> = T extends unknown ? Omit<T, 'name'> : never

const seconds = (date: Date) => (date.getTime() - start) / 1000

onEveryEngine('jobs', engine => {
  let fresh: FreshDatabase
  let servers: readonly Server[]
  let made = 0
  beforeAll(async () => {
    fresh = await engine.fresh()
    // The servers start one after the other, as each has a connection of its own to the database.
    const first = await startOn(fresh.database, {})
    servers = [first, await startOn(fresh.database, {})]
    await prepareJobs(first.app.engine, foreignLayout)
  })
  afterAll(async () => {
    for (const { app } of servers ?? []) await app.close()
    await fresh?.drop()
  })

  /** Two processes with the same jobs, under names that no other test has. */
  const world = async (jobs: Readonly<Record<string, Unnamed<Job>>>) => {
    made += 1
    const plugin = `test${made}`
    const calendar = { time: start }
    const lines: { level: string; msg: string; failures?: number; next?: string }[] = []
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
    const open = async (at = 0, own = jobs): Promise<JobProcess> => {
      const clock = new JobTime(calendar)
      const scheduler = new Scheduler({
        engine: (servers[at] as Server).app.engine,
        clock,
        log: createLog('warn', { destination }),
      })
      await scheduler.declare(
        Object.entries(own).map(([name, job]) => ({ plugin, job: { ...job, name } as Job, service: undefined })),
      )
      scheduler.start()
      const process = { clock, scheduler }
      await settle([process])
      onTestFinished(() => scheduler.stop(0))
      return process
    }
    const rowOf = async (name: string) =>
      (await new JobTable((servers[0] as Server).app.engine).rows([`${plugin}/${name}`])).get(`${plugin}/${name}`)
    return { plugin, calendar, lines, open, rowOf }
  }
  const hanging = () => {
    const runs: { readonly call: JobCall; readonly end: (error?: Error) => void }[] = []
    const run = (call: JobCall) =>
      new Promise<void>((resolve, reject) => {
        runs.push({ call, end: error => (error ? reject(error) : resolve()) })
      })
    return { runs, run }
  }

  it('run in one process of all, once for each turn', async () => {
    const ran: number[] = []
    const { calendar, open } = await world({ tick: { every: '10s', run: ({ due }) => void ran.push(seconds(due)) } })
    const processes = [await open(0), await open(1)]
    await pass(61, calendar, processes)
    assert.deepEqual(ran, [10, 20, 30, 40, 50, 60])
  })

  it('are asked at once when they are woken, also where another process runs them until then', async () => {
    const { runs, run } = hanging()
    const { calendar, open, plugin } = await world({
      work: { at: () => (hasWork ? new Date(calendar.time) : undefined), run },
    })
    let hasWork = false
    const [one, two] = [await open(0), await open(1)]
    const processes = [one, two]
    await pass(2, calendar, processes)
    hasWork = true
    one.scheduler.wake(`${plugin}/work`)
    await settle(processes)
    assert.equal(runs.length, 1)
    two.scheduler.wake(`${plugin}/work`)
    await pass(3, calendar, processes)
    assert.equal(runs.length, 1)
    runs[0]?.end()
    await settle(processes)
    await pass(2, calendar, processes)
    assert.equal(runs.length, 2)
    hasWork = false
    runs[1]?.end()
    await settle(processes)
  })

  it('are run again by another process when the one that runs them is killed, not before its lease is over', async () => {
    const { runs, run } = hanging()
    const { calendar, open } = await world({ work: { every: '10s', run } })
    const processes = [await open(0), await open(1)]
    await pass(10, calendar, processes)
    assert.equal(runs.length, 1)
    // The process that runs it is found, so that its clock can be stopped.
    const [killed] = processes.filter(({ scheduler }) => scheduler.isRunning)
    const others = processes.filter(one => one !== killed)
    assert.equal(others.length, 1)
    await pass(term / 1000 - 1, calendar, others)
    assert.equal(runs.length, 1)
    await pass(60, calendar, others)
    assert.equal(runs.length, 2)
    assert.equal(seconds(runs[1]?.call.due as Date), 10)
  })

  it('keep their lease for as long as they run', async () => {
    const { runs, run } = hanging()
    const { calendar, open, rowOf } = await world({ long: { every: '10s', run } })
    const processes = [await open(0), await open(1)]
    await pass(200, calendar, processes)
    assert.equal(runs.length, 1)
    assert.equal(runs[0]?.call.signal.aborted, false)
    runs[0]?.end()
    await settle(processes)
    assert.deepEqual(
      [(await rowOf('long'))?.holder, seconds(new Date((await rowOf('long'))?.due ?? 0))],
      [undefined, 210],
    )
    await pass(11, calendar, processes)
    assert.equal(runs.length, 2)
  })

  it('are told when their lease is lost, and what they come to then counts for nothing', async () => {
    const { runs, run } = hanging()
    const { calendar, open, rowOf, lines } = await world({ slow: { every: '10s', run } })
    const first = await open(0)
    await pass(10, calendar, [first])
    const second = await open(1)
    // The first process stands still; the second sees no renewal.
    await pass(term / 1000 + 1, calendar, [second])
    assert.equal(runs.length, 2)
    await pass(6, calendar, [first, second])
    assert.equal(runs[0]?.call.signal.aborted, true)
    assert.equal(runs[1]?.call.signal.aborted, false)
    runs[0]?.end(new Error('late'))
    await settle([first, second])
    assert.equal((await rowOf('slow'))?.failures, 0)
    assert.ok(lines.some(({ msg }) => msg.includes('lost its lease')))
    runs[1]?.end()
    await settle([first, second])
    assert.equal((await rowOf('slow'))?.holder, undefined)
  })

  it('make up for missed turns with one run', async () => {
    const ran: (readonly [number, boolean])[] = []
    const run = ({ due, missed }: JobCall) => void ran.push([seconds(due), missed])
    const { calendar, open } = await world({ tick: { every: '1m', run } })
    const first = await open()
    await pass(61, calendar, [first])
    await first.scheduler.stop(1000)
    calendar.time += 3_600_000
    const second = await open(1)
    await pass(120, calendar, [second])
    assert.deepEqual(ran, [
      [60, false],
      [120, true],
      [3720, false],
      [3780, false],
    ])
  })

  it('go on when the clock of the calendar jumps: once for what a jump skips, and no later than the next turn after one back', async () => {
    const ran: number[] = []
    const { calendar, open } = await world({ tick: { every: '10s', run: ({ now }) => void ran.push(seconds(now)) } })
    const process = await open()
    await pass(10, calendar, [process])
    calendar.time += 86_400_000
    await pass(10, calendar, [process])
    // The change is noticed with the next look, and one run makes up for the turns that it skipped.
    assert.deepEqual(ran, [10, 86_420])
    calendar.time -= 86_400_000
    ran.length = 0
    await pass(60, calendar, [process])
    assert.ok(ran.length >= 4 && ran.every((time, at) => at === 0 || time - (ran[at - 1] as number) === 10), ran.join())
  })

  it('that fail are logged and tried again at the next turn, later and later; success ends that', async () => {
    const ran: number[] = []
    let fails = true
    const run = ({ now }: JobCall) => {
      ran.push(seconds(now))
      if (fails) throw new Error('no mail server')
    }
    const { plugin, calendar, open, rowOf, lines } = await world({ mail: { every: '5s', run } })
    const process = await open()
    await pass(60, calendar, [process])
    assert.deepEqual(ran, [5, 10, 15, 23, 39])
    assert.deepEqual(
      lines.map(({ level, msg, failures }) => [level, msg, failures]),
      [1, 2, 3, 4, 5].map(failures => ['error', 'a job failed', failures]),
    )
    const jobs = [{ plugin, job: { name: 'mail', every: '5s', run } as const }]
    const { engine: database } = (servers[0] as Server).app
    assert.deepEqual(await failingJobs(database, jobs), [
      { name: `${plugin}/mail`, failures: 5, error: 'no mail server' },
    ])
    fails = false
    await pass(20, calendar, [process])
    assert.deepEqual(
      [ran.at(-1), (await rowOf('mail'))?.failures, (await failingJobs(database, jobs)).length],
      [76, 0, 0],
    )
  })

  it('are stopped with the server, and another process goes on at once with what was not finished', async () => {
    const { runs, run } = hanging()
    const { calendar, open, rowOf } = await world({ work: { every: '10s', run } })
    const first = await open(0)
    await pass(10, calendar, [first])
    const stopped = first.scheduler.stop(60_000)
    assert.equal(runs[0]?.call.signal.aborted, true)
    runs[0]?.end(new Error('interrupted'))
    await stopped
    assert.deepEqual([(await rowOf('work'))?.holder, (await rowOf('work'))?.failures], [undefined, 0])
    const second = await open(1)
    assert.deepEqual([runs.length, seconds(runs[1]?.call.due as Date)], [2, 10])
    runs[1]?.end()
    await settle([second])
  })

  it('say themselves when they are due, where they have `at`', async () => {
    let next: Date | undefined
    const ran: number[] = []
    const run = ({ due }: JobCall) => {
      ran.push(seconds(due))
      next = undefined
    }
    const { calendar, open } = await world({ publish: { at: () => next, run } })
    const process = await open()
    await pass(30, calendar, [process])
    assert.deepEqual(ran, [])
    next = new Date(start + 75_000)
    await pass(44, calendar, [process])
    assert.deepEqual(ran, [])
    await pass(30, calendar, [process])
    assert.deepEqual(ran, [75])
  })

  it('are run when they say that they are due now, however long it takes them to say so', async () => {
    let runs = 0
    const at = async () => {
      calendar.time += 5
      return runs === 0 ? new Date(calendar.time) : undefined
    }
    const run = () => {
      runs += 1
    }
    const { calendar, open } = await world({ now: { at, run } })
    const process = await open()
    await pass(1, calendar, [process])
    assert.equal(runs, 1)
  })

  it('begin a schedule that has changed with its first turn', async () => {
    const { calendar, open, rowOf } = await world({ tick: { every: '1d', run: () => undefined } })
    await (await open()).scheduler.stop(1000)
    assert.equal(seconds(new Date((await rowOf('tick'))?.due ?? 0)), 86_400)
    const changed = await open(1, { tick: { every: '1h', run: () => undefined } })
    assert.equal(seconds(new Date((await rowOf('tick'))?.due ?? 0)), 3600)
    await pass(1, calendar, [changed])
  })

  it('are declared once by processes that start together, and stand in no archive', async () => {
    const { open, rowOf } = await world({ tick: { every: '1d', run: () => undefined } })
    await Promise.all([open(0), open(1)])
    assert.equal((await rowOf('tick'))?.failures, 0)
    assert.ok(!(servers[0] as Server).app.tables.some(({ name }) => name === jobsTable))
  })
})

describe('the turns of a job', () => {
  const run = () => undefined
  const turns = async (job: object, from: string, count: number) => {
    const schedule = await scheduleOf('p', { name: 'j', run, ...job } as unknown as Job)
    const found: string[] = []
    for (let time = Date.parse(from); found.length < count; time = schedule.next(time, time))
      if (found.push(new Date(schedule.next(time, time)).toISOString()) === count) break
    return found
  }

  it('every so often', async () => {
    assert.deepEqual(await turns({ every: '90s' }, '2026-01-01T00:00:00Z', 2), [
      '2026-01-01T00:01:30.000Z',
      '2026-01-01T00:03:00.000Z',
    ])
  })
  it('keep their distance from the first, however long a run takes', async () => {
    const { next } = await scheduleOf('p', { name: 'j', run, every: '10s' })
    assert.deepEqual([next(1000, 0), next(9999, 0), next(10_000, 0), next(25_000, 0)], [10_000, 10_000, 20_000, 30_000])
  })
  it('by a cron expression in UTC, or in a time zone on both sides of daylight saving time', async () => {
    assert.deepEqual(await turns({ cron: '0 3 * * *' }, '2026-03-28T12:00:00Z', 2), [
      '2026-03-29T03:00:00.000Z',
      '2026-03-30T03:00:00.000Z',
    ])
    // The clocks go forward in the night to the 29th and back in the night to October 25th.
    assert.deepEqual(await turns({ cron: '0 3 * * *', timeZone: 'Europe/Berlin' }, '2026-03-27T12:00:00Z', 3), [
      '2026-03-28T02:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T01:00:00.000Z',
    ])
    assert.deepEqual(await turns({ cron: '30 2 * * *', timeZone: 'Europe/Berlin' }, '2026-10-24T12:00:00Z', 2), [
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
  })
  it('that can never be stop the start, with what is accepted', async () => {
    const refusal = (job: object) =>
      createTestApp({ plugins: [{ name: 'p', jobs: [{ name: 'j', run, ...job }] } as never] })
    for (const [job, message] of [
      [{ every: '10' }, /plugin p: the job "j" runs every "10"; expected a number with s, m, h or d, such as "10s"/],
      [{ every: '0s' }, /runs every "0s"/],
      [
        { cron: '61 * * * *' },
        /plugin p: the job "j" has the cron expression "61 \* \* \* \*" in the time zone "UTC": /,
      ],
      [{ cron: '0 3 * * *', timeZone: 'Europe/Bern' }, /in the time zone "Europe\/Bern": /],
      [{}, /the job "j" has to say when it runs, with one of every, cron, at/],
      [{ every: '1s', cron: '0 3 * * *' }, /has to say when it runs/],
      [{ every: '1s', run: undefined }, /"run" of the job "j" is null; expected a function/],
      [{ every: '1s', name: 'a/b' }, /a job has the name "a\/b"; expected up to 80 letters/],
    ] as const)
      await assert.rejects(refusal(job), message)
    const twice = {
      name: 'p',
      jobs: [
        { name: 'j', run, every: '1s' },
        { name: 'j', run, every: '2s' },
      ],
    } as never
    await assert.rejects(createTestApp({ plugins: [twice] }), /plugin p: two of its jobs have the name "j"/)
  })
})

describe('the jobs of an app', () => {
  const counting = () => {
    let ran: (count: number) => void = () => undefined
    const first = new Promise<number>(resolve => {
      ran = resolve
    })
    const plugin = definePlugin({
      name: 'counting',
      register: () => ({ count: 0 }),
      jobs: [
        {
          name: 'count',
          at: () => new Date(0),
          run: (_call, service) => {
            service.count += 1
            ran(service.count)
          },
        },
        {
          name: 'fail',
          cron: '0 3 * * *',
          run: () => {
            throw new Error('on purpose')
          },
        },
      ],
    })
    return { plugin, first }
  }

  it('run from when it listens', async () => {
    const { plugin, first } = counting()
    const app = await createTestApp({ plugins: [plugin], config: { server: { host: '127.0.0.1', port: 0 } } })
    onTestFinished(() => app.close())
    await app.listen()
    assert.equal(await first, 1)
  })

  it('can be run by a test', async () => {
    const { plugin, first } = counting()
    const app = await createTestApp({ plugins: [plugin] })
    onTestFinished(() => app.close())
    await app.runJob('counting/count')
    assert.equal(await first, 1)
    await assert.rejects(app.runJob('counting/fail'), /on purpose/)
    await assert.rejects(
      app.runJob('counting/none'),
      /there is no job "counting\/none"; there are counting\/count, counting\/fail/,
    )
  })

  it('are run by a test one by one, whichever else are due', async () => {
    const clock = { now: start }
    const ran: string[] = []
    const job = (name: string): Job => ({ name, every: '1m', run: () => void ran.push(name) })
    const plugin = definePlugin({ name: 'two', jobs: [job('one'), job('other')] })
    const app = await createTestApp({ plugins: [plugin], time: () => clock.now })
    onTestFinished(() => app.close())
    for (let times = 0; times < 3; times += 1) {
      await app.runJob('two/one')
      clock.now += 3_600_000
    }
    await app.runJob('two/one')
    assert.deepEqual(ran, ['one', 'one', 'one', 'one'])
  })

  it('cost nothing where there are none', async () => {
    const app = await createTestApp({})
    onTestFinished(() => app.close())
    assert.equal(app.jobs, undefined)
    assert.equal((await app.engine.introspect()).tables.has(jobsTable), false)
  })
})
