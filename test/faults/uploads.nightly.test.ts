import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { it } from 'vitest'
import { run } from '../support/run.js'
import { uploadsOf } from './support/app.js'
import { dataOf } from './support/content.js'
import { Course } from './support/course.js'
import { groundIn, onEveryEngineInFull } from './support/ground.js'
import { times } from './support/length.js'

const boundary = 'half-way'

/** A form with an article and its cover, as bytes. */
function formOf(course: Course): Buffer {
  return Buffer.from(
    [
      `--${boundary}\r\nContent-Disposition: form-data; name="data"\r\n\r\n${JSON.stringify(dataOf('cut v1', course.seeds))}`,
      `--${boundary}\r\nContent-Disposition: form-data; name="files.cover"; filename="cut.txt"\r\nContent-Type: text/plain\r\n\r\n${'half of a file\n'.repeat(20_000)}`,
      `--${boundary}--\r\n`,
    ].join('\r\n'),
  )
}

/** Sends so much of a request, sees it arrive, and hangs up. */
async function sendPartOf(course: Course, path: string, form: Buffer, bytes: number): Promise<void> {
  const socket = connect(Number(new URL(course.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${form.length}\r\n\r\n`
  await new Promise<void>(done =>
    socket.write(Buffer.concat([Buffer.from(head), form.subarray(0, bytes)]), () => done()),
  )
  await wait(Math.random() * 30)
  socket.resetAndDestroy()
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

onEveryEngineInFull('an upload that is cut half-way', engine => {
  const cuts = times(20, 500)
  it('leaves no file, no row and nothing on its way', { timeout: 60_000 + cuts * 1_000 }, async () => {
    const course = await Course.at(await groundIn(engine))
    const form = formOf(course)
    const folder = uploadsOf(course.app)
    for (let cut = 0; cut < cuts; cut += 1)
      await sendPartOf(course, cut % 2 ? '/api/articles' : '/api/upload', form, Math.floor(Math.random() * form.length))
    await course.recovery()
    // Requests clear up behind themselves after their connection is gone.
    const arriving = join(folder, '.incoming')
    const deadline = performance.now() + 10_000
    while (namesIn(arriving).length > 0 && performance.now() < deadline) await wait(20)
    assert.deepEqual(namesIn(arriving), [])
    assert.deepEqual(
      namesIn(folder).filter(name => name !== '.incoming'),
      [],
    )
    for (const table of ['files', 'articles', 'stele_upload_leftovers'])
      assert.deepEqual(await run(course.ground.database, `select * from ${table}`), [], table)
    await course.lookSettled()
    course.conclude(cuts, `uploads cut half-way on ${engine.name}`)
  })
})
