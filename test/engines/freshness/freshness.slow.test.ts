import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, inject, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { type DatabaseSettings, engines } from '../../support/engines.js'
import { countingHits } from './counting-hits.js'
import { checkRegisters, type Raise, type RegisterReader } from './register.js'
import { databaseOn, foreignRaises, type Program, programOn, startPreparing, startTelling } from './worlds.js'

/** Reads of each database: `STELE_FRESHNESS_READS=100000` is the long form. */
const length = Number(process.env.STELE_FRESHNESS_READS ?? 2000)
vi.setConfig({ testTimeout: 60_000 + length * 10, hookTimeout: 120_000 })

const types = {
  note: { attributes: { value: { type: 'integer' } } },
  event: { attributes: { at: { type: 'integer' } } },
}
const notes = 4

interface World {
  readonly title: string
  readonly isAbsent: boolean
  /** True if apps are the only writers, with the setting of that name. */
  readonly soleWriter?: boolean
  open(): Promise<{ database: DatabaseSettings; close(): Promise<void> }>
}

const onServer = (start: typeof startTelling) => async () => {
  const server = await start()
  return { database: await databaseOn(server), close: () => server.stop() }
}

const onShared = (name: string) => async () => {
  const { database, drop } = await (engines.find(engine => engine.name === name) as (typeof engines)[0]).fresh()
  return { database, close: drop }
}

const worlds: readonly World[] = [
  {
    title: 'SQLite',
    isAbsent: inject('absent').sqlite !== undefined,
    open: onShared('sqlite'),
  },
  {
    title: 'PostgreSQL',
    isAbsent: inject('absent').postgres !== undefined,
    open: onServer(startPreparing),
  },
  {
    title: 'MariaDB with a binary log',
    isAbsent: inject('absent').mysql !== undefined,
    open: onServer(startTelling),
  },
  {
    title: 'MariaDB without a binary log, to which only stele writes',
    isAbsent: inject('absent').mysql !== undefined,
    soleWriter: true,
    open: onShared('mysql'),
  },
]

for (const { title, isAbsent, soleWriter = false, open } of worlds) {
  const declare = isAbsent ? describe.skip : describe
  declare(`responses on ${title}`, () => {
    let world: Awaited<ReturnType<World['open']>>
    let programs: [Program, Program]
    let apps: TestApp[] = []
    let free = 0
    const counting = countingHits(() => {
      free += 1
    })
    beforeAll(async () => {
      world = await open()
      const config = { database: { ...world.database, soleWriter } } as never
      for (let times = 0; times < 2; times += 1) apps.push(await createTestApp({ types, plugins: [counting], config }))
      for (let times = 0; times < notes; times += 1) await apps[0]?.entries('api::note.note').create({ value: 0 })
      programs = [await programOn(world.database), await programOn(world.database)]
    })
    afterAll(async () => {
      for (const app of apps) await app.close()
      for (const program of programs ?? []) await program.end()
      await world?.close()
      apps = []
    })

    it(`${length} of two instances are never older than what any program was told to be stored`, async () => {
      const get = async (app: TestApp, url: string) => {
        const answer = await app.inject({ url: `/api${url}` })
        assert.equal(answer.statusCode, 200, answer.body)
        return answer.json()
      }
      /** Register 4 is the number of events. */
      const reads: RegisterReader[] = apps.flatMap(app => [
        ...Array.from(
          { length: notes },
          (_, note): RegisterReader =>
            async () => {
              const seen = new Array<number | undefined>(notes + 1).fill(undefined)
              seen[note] = (await get(app, `/notes/${note + 1}`)).data.attributes.value
              return seen
            },
        ),
        async () => {
          const { data } = await get(app, '/notes?sort=id')
          return data.map((one: { attributes: { value: number } }) => one.attributes.value)
        },
        async () => {
          const { total } = (await get(app, '/events?pagination[pageSize]=1')).meta.pagination
          return [...new Array<undefined>(notes).fill(undefined), total]
        },
      ])
      const byApps = apps.map(
        (app): Raise =>
          async (register, value) => {
            const url = `/api/notes/${register + 1}`
            const answer = await app.inject({ method: 'PUT', url, payload: { data: { value } } })
            assert.equal(answer.statusCode, 200, answer.body)
            return true
          },
      )
      const foreign = soleWriter ? byCode(apps) : foreignRaises(world.database.client, programs)
      const ofNotes = [...foreign, ...byApps]
      const ofEvents: Raise[] = [
        async () => {
          if (soleWriter) await apps[1]?.store.reader.run('insert into events (at) values (1)', [])
          else await programs[1].run('insert into events (at) values (1)')
          return true
        },
        async () => {
          await apps[0]?.entries('api::event.event').create({ at: 2 })
          return true
        },
      ]
      // Writes that another process acknowledges arrive in another event-loop turn, also where the test has both in one.
      const arriving = (raise: Raise): Raise => {
        return async (register, value) => {
          const isStored = await raise(register, value)
          await new Promise(setImmediate)
          return isStored
        }
      }
      const raises = (register: number) => (register < notes ? ofNotes : ofEvents).map(arriving)
      const outcome = await checkRegisters({ count: notes + 1, reads, raises, length })
      assert.deepEqual(outcome.violations, [])
      assert.ok(outcome.writes > length / 100, `${outcome.writes} writes were checked`)
      assert.ok(free > length / 10, `${free} of ${outcome.reads} responses came from the cache`)
      if (process.env.STELE_FRESHNESS_READS)
        console.log(`${title}: ${outcome.reads} reads, ${free} of them cached, ${outcome.writes} writes, none stale`)
    })
  })
}

/** Transactions of code, some of them undone. */
const byCode = (apps: readonly TestApp[]): Raise[] =>
  apps.flatMap(app =>
    [true, false].map(
      (isStored): Raise =>
        async (register, value) => {
          const undone = new Error('undone')
          const work = app.store.transaction(async session => {
            const sql = 'update notes set value = ? where id = ?'
            await session.run(sql, [-value, register + 1])
            await session.run(sql, [isStored ? value : -value, register + 1])
            if (!isStored) throw undone
          })
          await work.catch(error => assert.equal(error, undone))
          return isStored
        },
    ),
  )
