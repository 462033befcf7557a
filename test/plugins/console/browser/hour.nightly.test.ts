import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { startBrowser } from '../../../support/browser.js'
import { inBrowser } from '../../../support/pages/served.js'
import { Hour } from '../hour/hour.js'

const minutes = Number(process.env.STELE_HOUR_MINUTES ?? 60)
const seed = Number(process.env.STELE_HOUR_SEED ?? 1)

describe('an hour of two editors and a developer', { ...inBrowser, timeout: (minutes + 10) * 60_000 }, () => {
  it(`loses nothing, fails nowhere, and grows nowhere: ${minutes} minutes, seed ${seed}`, async () => {
    const browser = await startBrowser()
    const hour = await Hour.begin(browser, seed)
    try {
      await hour.run(minutes * 60_000)
    } finally {
      console.info(JSON.stringify(hour.figures), JSON.stringify(hour.kinds))
      for (const [name, all] of hour.memory.heaps) console.info(`heap of ${name}: ${all.map(one => one.toFixed(1))}`)
      for (const [name, all] of hour.memory.quarters())
        console.info(`heap of ${name} by quarters: ${all.map(one => one.toFixed(1))}`)
      console.info(`steps of more than half a minute: ${hour.stalls.length}\n${hour.stalls.join('\n')}`)
    }
    await hour.close()
    await browser.close()
    assert.deepEqual(hour.faults, [])
    for (const [name, [first, last]] of hour.memory.compared())
      assert.ok(last <= first * 1.15 + 3, `the heap of ${name} grows from ${first} MB to ${last} MB`)
  })
})
