import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { it, onTestFinished } from 'vitest'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { uploadsOf } from './support/app.js'
import { Course } from './support/course.js'
import { type Ground, ownServer } from './support/ground.js'
import type { Load } from './support/load.js'

/** Creating a file system of a size requires root. */
const declare = process.getuid?.() === 0 ? it : it.skip

onEveryEngine('a file system that is full', engine => {
  const ground = ownServer(engine)

  declare(
    'under the database is a refusal, and work goes on when there is room again',
    { timeout: 180_000 },
    async () => {
      const place = await ground()
      const folder = await smallPlaceOf(place)
      const course = await Course.at(place)
      await filledUnderLoad(course, folder, engine.name)
    },
  )

  if (engine.name !== 'sqlite') return

  declare('under the uploads is a refusal, and nothing of a file stays', { timeout: 180_000 }, async () => {
    const place = await ground()
    const course = await Course.at(place)
    const folder = uploadsOf(course.app)
    mkdirSync(folder, { recursive: true })
    mount(folder, '2m')
    await filledUnderLoad(course, folder, 'uploads')
  })
})

/** Keeps a file system full while clients write, until writes are refused, and makes room again. */
async function filledUnderLoad(course: Course, folder: string, what: string): Promise<void> {
  let slowest = 0
  const { answers } = await course.underLoad(async load => {
    const filler = join(folder, 'filler')
    await refused(load, () => fill(filler))
    rmSync(filler)
    slowest = await course.recovery()
    await load.good(30)
  })
  answers.assertCivil()
  await course.look()
  course.conclude(1, `file system full under ${what}`, `first good answer after ${Math.round(slowest)} ms`)
}

async function refused({ answers: { byStatus, wrong } }: Load, fill: () => void): Promise<void> {
  const deadline = performance.now() + 60_000
  while ((byStatus.get(503) ?? 0) < 3 && wrong.length === 0) {
    assert.ok(performance.now() < deadline, `nobody was refused: ${JSON.stringify([...byStatus])}`)
    fill()
    await wait(5)
  }
}

const block = Buffer.alloc(64 * 1024)

/** Fills the remaining room; deletes of clients make some again. */
function fill(file: string): void {
  try {
    for (;;) appendFileSync(file, block)
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  }
}

function mount(folder: string, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
}

/** A file system under the data of the database alone: the rest of the server process has room. */
async function smallPlaceOf({ database }: Ground): Promise<string> {
  if (database.client === 'sqlite') {
    const folder = join(database.filename, '..')
    mount(folder, '24m')
    return folder
  }
  if (database.client === 'mysql') {
    const [row] = await run(database, 'select @@datadir as folder')
    const folder = join(String(row?.folder), database.database)
    const { uid, gid } = statSync(folder)
    mount(folder, '16m')
    chownSync(folder, uid, gid)
    return folder
  }
  // From another one: a database that somebody is connected to cannot move.
  const beside = { ...database, database: 'postgres' }
  const [row] = await run(beside, "select setting as folder from pg_settings where name = 'data_directory'")
  const folder = join(String(row?.folder), '..', 'small')
  const { uid, gid } = statSync(String(row?.folder))
  mkdirSync(folder)
  mount(folder, '24m')
  chownSync(folder, uid, gid)
  await run(beside, `create tablespace small location '${folder}'`)
  await run(beside, `alter database ${database.database} set tablespace small`)
  return folder
}
