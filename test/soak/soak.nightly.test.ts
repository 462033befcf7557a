import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, it } from 'vitest'

describe('a server with all plugins under load', () => {
  it('answers or refuses in order at saturation, beyond it and while it stops, and its memory stays', async () => {
    const soak = fileURLToPath(new URL('soak.mjs', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [soak, '--short']).catch(error =>
      assert.fail(`a bar is missed:\n${error.stdout || error.message}`),
    )
    const [closing = ''] = stdout.trim().split('\n').slice(-1)
    console.log(closing)
    assert.match(closing, /^soak: \d+ requests on sqlite; 0 errors; \d+ refused with 503 or 429; 0 cut; /)
  }, 180_000)
})
