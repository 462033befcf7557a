import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The password of the accounts of the sample app. */
export const password = 'a password for generated clients'

/** The sample app on a free port, with a database of its own; `plugins` are set beside its own, as in `config/plugins`. */
export async function startSample(plugins = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'stele-clients-'))
  for (const part of ['config', 'content-types', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  mkdirSync(join(folder, 'config/env/development'))
  writeFileSync(join(folder, 'config/env/development/plugins.json'), JSON.stringify(plugins))
  const main = join(root, 'core/tools/cli/stele.js')
  const server = spawn(process.execPath, [main, 'start', '--app', folder], {
    env: { ...process.env, NODE_ENV: 'development', PORT: '0', DEMO_PASSWORD: password, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(server, 'exit')
  const lines = createInterface({ input: server.stdout })
  let address
  for await (const line of lines) {
    address = /listening on (http:\/\/[\d.]+:\d+)/.exec(line)?.[1]
    if (address !== undefined) break
  }
  assert.ok(address, 'the server did not start')
  server.stdout.resume()
  const stop = async () => {
    server.kill()
    await exit
    rmSync(folder, { recursive: true, force: true })
  }
  return { address, stop }
}

/** Runs checks one by one and ends with how many passed and failed, which the exit code says too. */
export function checks() {
  let passed = 0
  let failed = 0
  return {
    async check(title, work) {
      const begun = performance.now()
      try {
        await work()
        passed += 1
        console.log(`ok    ${title} (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
      } catch (error) {
        failed += 1
        console.log(`FAILED: ${title}\n${error.stack ?? error}`)
      }
    },
    close() {
      console.log(`${passed} passed, ${failed} failed`)
      process.exitCode = failed === 0 ? 0 : 1
    },
  }
}
