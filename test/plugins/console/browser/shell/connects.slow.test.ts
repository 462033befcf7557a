import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { definePlugin } from '../../../../../core/index.js'
import { admin } from '../../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../../plugins/console/index.js'
import { inBrowser } from '../../../../support/pages/served.js'
import { folderOf } from '../../../../support/terminal.js'
import { servedWorld } from '../served.js'

describe('modules of a plugin whose part follows from the app', inBrowser, () => {
  const other = createServer((_, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*').end('12 degrees')
  })
  const folder = folderOf()
  const origin = () => `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const named = () => origin().replace('127.0.0.1', 'localhost')
  beforeAll(async () => {
    await once(other.listen(0), 'listening')
    const mount = `const said = async address => {
  try {
    return await (await fetch(address)).text()
  } catch {
    return 'refused'
  }
}
export const mount = async element => {
  const [named, other] = [await said('${origin()}/'), await said('${named()}/')]
  element.textContent = 'Weather: ' + named + ', ' + other
}
`
    writeFileSync(join(folder, 'weather.js'), mount)
  })
  afterAll(() => void other.close())

  const weather = definePlugin({
    name: 'weather',
    forApp: () => ({
      console: { folder, widgets: [{ title: 'Weather', module: 'weather.js' }], connects: [origin()] },
    }),
  })
  const served = servedWorld({
    types: { note: { attributes: { text: { type: 'string' } } } },
    plugins: [[admin, { ratelimit: { enabled: false } }], contentConsole, weather],
  })

  it('reach the origins that it names, and no others', async () => {
    let shown: string | null = null
    const work = served.signedIn(
      'Super Admin',
      async page => {
        shown = await page.getByText(/^Weather: \S/).textContent()
      },
      { path: '/console' },
    )
    // The refused request is said in the console of the browser.
    await assert.rejects(work, /connect-src/)
    assert.equal(shown, 'Weather: 12 degrees, refused')
  })
})
