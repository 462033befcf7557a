import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { startBrowser } from '../../../../support/browser.js'
import { stele } from '../../../../support/command.js'
import { freePort } from '../../../../support/free-port.js'
import { openPage, type View } from '../../../../support/pages/watched-page.js'
import { folderOf, Server } from '../../../../support/terminal.js'

const account = { email: 'ada@example.test', password: 'eleven elephants' }

export interface DevelopedConsole {
  readonly folder: () => string
  readonly url: () => string
  readonly server: () => Server
  /** Opens a view and signs in as a Super Admin; looks afterwards whether the page has done what no page may. */
  signedIn(path: string, work: (page: Page) => Promise<void>, view?: Partial<View>): Promise<void>
}

/** Serves an app under `stele dev` to a browser while the tests of a block run: the server starts again for each write. */
export function developedConsole(
  files: Readonly<Record<string, string>>,
  fill: (url: string) => Promise<void>,
): DevelopedConsole {
  let folder: string
  let server: Server
  let browser: Browser
  let url: string
  beforeAll(async () => {
    folder = folderOf({
      'config/api.js': 'export default { rest: { public: true } }',
      'config/plugins.js': 'export default { console: true, admin: true, audit: true }',
      'package.json': '{ "type": "module" }',
      ...files,
    })
    const port = String(await freePort())
    url = `http://127.0.0.1:${port}`
    const env = { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: '.tmp/data.db', PORT: port, HOST: '127.0.0.1' }
    const words = ['admin', 'create', account.email, '--password', account.password, '--role', 'Super Admin']
    const made = await stele([...words, '--firstname', 'Ada', '--app', folder], { env })
    assert.equal(made.status, 0, made.stderr)
    server = new Server(folder, env, [], 'dev')
    await server.said(/listening on/)
    await fill(url)
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop('SIGKILL')
  })
  return {
    folder: () => folder,
    url: () => url,
    server: () => server,
    async signedIn(path, work, view = {}) {
      const { page, wrongs } = await openPage(browser, `${url}${path}`, { width: 1440, height: 900, ...view })
      await page.getByRole('textbox', { name: 'E-mail' }).fill(account.email)
      await page.getByLabel('Password').fill(account.password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await work(page)
      // The server was away: the browser tells so of each request.
      assert.deepEqual(
        wrongs.filter(wrong => !wrong.includes('Failed to load resource')),
        [],
      )
      await page.context().close()
    },
  }
}
