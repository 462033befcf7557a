import { strict as assert } from 'node:assert'
import { readdirSync, statSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { it, vi } from 'vitest'
import { anyEngine, encode, picture, serveUploads } from './world.js'

const world = serveUploads(anyEngine)
const modeOf = (name: string): number => statSync(name).mode & 0o777

it('what is arriving is only for the server, what has arrived is as readable as the process makes files', async () => {
  const { body, type } = encode([['files', 'photo.jpg', 'image/jpeg', await picture(600, 300, 'jpeg')]])
  const port = await world.port()
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method: 'POST', path: '/api/upload' }
    const request = http.request({ ...options, headers: { 'content-type': type, 'content-length': body.length } })
    request.on('error', reject)
    request.on('response', answer => answer.resume().on('end', () => resolve(answer.statusCode)))
    request.write(body.subarray(0, 300))
    const seen = vi.waitFor(() => {
      const [name] = world.arriving()
      const folder = path.join(world.folder, '.incoming', name ?? 'none')
      const [part] = readdirSync(folder)
      assert.deepEqual([modeOf(folder), modeOf(path.join(folder, part ?? 'none'))], [0o700, 0o600])
    })
    seen.then(() => request.end(body.subarray(300)), reject)
  })
  assert.equal(status, 200)
  const usual = 0o666 & ~process.umask()
  assert.deepEqual(
    world.stored().map(name => modeOf(path.join(world.folder, name))),
    [usual, usual, usual],
  )
  await world.settled()
})
