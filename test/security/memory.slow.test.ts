import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { it } from 'vitest'

const root = new URL('../../', import.meta.url)

/** The server runs in its own process: memory of the test runner is not the server's. */
const script = `
  import { createTestApp } from '${new URL('dist/core/index.js', root)}'
  const app = await createTestApp({ types: { tag: { attributes: { name: { type: 'string' } } } } })
  const held = async () => { await new Promise(setImmediate); gc(); return process.memoryUsage().heapUsed }
  const ask = (index, count) =>
    app.inject('/api/tags?' + Array.from({ length: count }, (_, at) => \`filters[$or][\${at}][name]=\${'x'.repeat(100)}\${index}\`).join('&'))
  for (let index = 0; index < 200; index += 1) await ask(-index, 100)
  const before = await held()
  for (let index = 0; index < 1000; index += 1) { await ask(index, 100); await ask(index, 1 + index % 99); await app.inject('/api/tags?filters[nosuch' + index + ']=1'); await new Promise(setImmediate) }
  console.log(Math.round((await held() - before) / 2 ** 20))
  await app.close()
`

it('thousands of different queries, long and bad ones, leave no more behind than a few', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  assert.ok(Number(stdout) < 15, `${stdout.trim()} MiB`)
}, 120_000)
