import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, inject, it } from 'vitest'
import type {} from './global-setup.js'
import { guard } from './guard.js'

describe('a guard', () => {
  it('removes the folder when released, once', async () => {
    const { folder } = makePlace()
    const keeper = guard(folder, 'KILL')
    await keeper.release()
    await keeper.release()
    assert(!existsSync(folder))
  })

  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
    it(`ends the process and removes the folder of an owner that dies of ${signal}`, async () => {
      const { parent, folder } = makePlace()
      const removed = new Promise<void>(resolve => {
        const watcher = watch(parent, () => {
          if (existsSync(folder)) return
          watcher.close()
          resolve()
        })
      })
      const owner = spawn(process.execPath, ['--input-type=module', '--eval', ownerScript, guardModule, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      // The guarded process holds the same pipe: its end is the end of both.
      const bothGone = once(owner.stdout, 'close')
      const [line] = await once(createInterface(owner.stdout), 'line')
      assert.equal(line, 'guarded')
      assert(existsSync(folder))

      owner.kill(signal)
      await Promise.all([bothGone, removed])
    })
  }
})

const guardModule = fileURLToPath(new URL('./guard.ts', import.meta.url))

const ownerScript = `
import { spawn } from 'node:child_process'
import { createJiti } from 'jiti'
const [, module, folder] = process.argv
const { guard } = await createJiti(process.cwd() + '/').import(module)
const server = spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true })
guard(folder, 'KILL').watch(server.pid)
console.log('guarded')
setInterval(() => {}, 1000)
`

function makePlace(): { parent: string; folder: string } {
  const parent = mkdtempSync(join(inject('folder'), 'guard-'))
  const folder = mkdtempSync(join(parent, 'guarded-'))
  writeFileSync(join(folder, 'data'), '')
  return { parent, folder }
}
