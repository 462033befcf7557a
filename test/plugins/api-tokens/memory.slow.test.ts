import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { it } from 'vitest'

const root = new URL('../../../', import.meta.url)

/** The server runs in its own process: memory of the test runner is not the server's. */
const script = `
  import { createTestApp } from '${new URL('dist/core/index.js', root)}'
  import { apiTokens } from '${new URL('dist/plugins/api-tokens/index.js', root)}'
  const app = await createTestApp({ types: { tag: { attributes: {} } }, plugins: [apiTokens] })
  const held = async () => { await new Promise(setImmediate); gc(); return process.memoryUsage().heapUsed }
  const ask = async word => {
    const { statusCode } = await app.inject({ url: '/api/tags', headers: { authorization: 'Bearer ' + word } })
    if (statusCode !== 401) throw new Error(String(statusCode))
  }
  for (let index = 0; index < 500; index += 1) await ask(index)
  const before = await held()
  for (let index = 0; index < 5000; index += 1) { await ask((index + '-').padEnd(8000, 'x')); await new Promise(setImmediate) }
  console.log(Math.round((await held() - before) / 2 ** 20))
  await app.close()
`

it('thousands of different wrong keys, 40 MB of them, leave nothing behind', { timeout: 120_000 }, () => {
  const cwd = fileURLToPath(root)
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    cwd,
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  assert.ok(stdout !== '' && Number(stdout) < 10, `${stdout.trim()} MiB`)
})
