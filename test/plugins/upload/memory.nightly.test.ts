import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { it } from 'vitest'

const root = new URL('../../../', import.meta.url)

/** The server runs in its own process, and is asked over a socket: memory of the test runner and the client is not the server's. */
const script = `
  import { spawn } from 'node:child_process'
  import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
  import http from 'node:http'
  const folder = mkdtempSync('/tmp/stele-memory-')
  const server = spawn(process.execPath, ['--max-semi-space-size=4', '--input-type=module', '-e', \`
    import { createTestApp } from '${new URL('dist/core/index.js', root)}'
    import { upload } from '${new URL('dist/plugins/upload/index.js', root)}'
    const config = { server: { host: '127.0.0.1', port: 0 } }
    const app = await createTestApp({ types: {}, plugins: [[upload, { folder: '\${folder}' }]], config })
    console.log((await app.listen()).port)
  \`], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = Number(await new Promise(resolve => server.stdout.once('data', resolve)))
  const peak = () => Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/' + server.pid + '/status', 'utf8'))[1]) / 1024
  const piece = Buffer.alloc(65536, 'stele ')
  const send = megabytes => new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
    const request = http.request({ port, method: 'POST', path: '/api/upload', headers }, answer => {
      answer.resume().on('end', () => answer.statusCode === 200 ? resolve() : reject(new Error(String(answer.statusCode))))
    })
    request.write('--x\\r\\nContent-Disposition: form-data; name="files"; filename="a.txt"\\r\\nContent-Type: text/plain\\r\\n\\r\\n')
    let left = megabytes * 16
    const next = () => {
      while (left > 0) if ((left -= 1, !request.write(piece))) return request.once('drain', next)
      request.end('\\r\\n--x--\\r\\n')
    }
    next()
  })
  await send(1)
  const before = peak()
  await send(190)
  const large = peak()
  await Promise.all([1, 2, 3, 4].map(async () => { for (let index = 0; index < 50; index += 1) await send(1) }))
  console.log(JSON.stringify({ large: Math.round(large - before), many: Math.round(peak() - before) }))
  server.kill()
  rmSync(folder, { recursive: true, force: true })
`

it('a large file and many files cost the server no more memory than a small one', { timeout: 120_000 }, () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  const { large, many } = JSON.parse(stdout)
  // Copies go through young objects; their room, which versions of Node.js differ in, is set small above.
  assert.ok(large < 64, `190 MiB in one file: ${large} MiB more`)
  assert.ok(many < 64, `200 files of 1 MiB: ${many} MiB more`)
})
