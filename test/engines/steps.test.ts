import assert from 'node:assert/strict'
import { it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { runOnce } from '../../core/boot/run-once.js'
import type { Engine } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { definePlugin, type Session } from '../../core/index.js'
import { prepareSteps, stepsTable } from '../../core/layout/marks.js'
import { createLog } from '../../core/log.js'
import type { EnabledPlugin } from '../../core/plugin/arrange.js'
import { onEveryEngine } from '../support/every-engine.js'

/** A plugin with one step. */
const filler = (run: (session: Session) => Promise<void>): EnabledPlugin => ({
  spec: definePlugin({ name: 'filler', once: [{ name: 'fill', run }] }) as unknown as EnabledPlugin['spec'],
  config: {},
})

onEveryEngine('a step that two processes come to at once', engine => {
  it('is done by the first of them, and the other one goes on', async () => {
    const fresh = await engine.fresh()
    const { database } = await loadConfig(process.cwd(), { bare: true, env: fresh.env })
    const log = createLog('silent')
    const [first, second] = [await openEngine(database, log), await openEngine(database, log)]
    try {
      await prepareSteps(first)
      let late: Promise<void> | undefined
      const done: string[] = []
      await runOnce(
        first,
        [
          filler(async () => {
            await new Promise<void>(hasLooked => {
              const watched: Engine = {
                ...second,
                transaction(work) {
                  hasLooked()
                  return second.transaction(work)
                },
              }
              late = runOnce(watched, [filler(async () => void done.push('second'))], new Map(), log)
            })
            done.push('first')
          }),
        ],
        new Map(),
        log,
      )
      await late
      assert.deepEqual(done, ['first'])
      assert.deepEqual((await second.reader.all(`select name from ${stepsTable}`, [])).map(String), ['filler: fill'])
    } finally {
      await Promise.all([first.close(), second.close()])
      await fresh.drop()
    }
  })
})
