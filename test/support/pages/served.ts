import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { App } from '../../../core/kernel.js'
import { bootSample, type SampleOptions } from '../../sample/sample.js'
import { noBrowser, startBrowser } from '../browser.js'
import { engines, type FreshDatabase } from '../engines.js'
import { isNightly } from '../time.js'
import { openPage, type View } from './watched-page.js'

const sqlite = engines.find(({ name }) => name === 'sqlite')

/** Options of a block with tests in a browser. Two processors may be all there is, for the server, the browser and axe. */
export const inBrowser = { skip: noBrowser !== undefined || !sqlite?.available, timeout: 180_000 }

export const schemes = ['light', 'dark'] as const

/** Colours and widths in which pages are looked at: at night each with each, and otherwise each once. */
export const looks = schemes
  .flatMap(scheme => [1440, 390].map(width => ({ scheme, width })))
  .filter(({ scheme, width }) => isNightly || (scheme === 'light') === (width === 1440))

export interface ServedPages {
  /** The address of the server. */
  readonly origin: string
  /** Opens a page, the usual one unless another is named, and looks afterwards whether it has done what no page may. */
  opened(work: (page: Page) => Promise<void>, view?: Partial<View & { path: string }>): Promise<void>
}

/** Serves the sample app on SQLite to a browser of its own while the tests of a block run. */
export function servedSample(usualPath: string, options: SampleOptions = {}): ServedPages {
  let fresh: FreshDatabase
  let app: App
  let browser: Browser
  let origin = ''
  beforeAll(async () => {
    assert.ok(sqlite)
    fresh = await sqlite.fresh()
    app = await bootSample({ env: { ...fresh.env, HOST: '127.0.0.1', PORT: '0' } }, options)
    const { port } = await app.listen()
    origin = `http://127.0.0.1:${port}`
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
    await fresh?.drop()
  })
  return {
    get origin() {
      return origin
    },
    async opened(work, { path = usualPath, ...view } = {}) {
      const { page, wrongs } = await openPage(browser, origin + path, view)
      try {
        await work(page)
        assert.deepEqual(wrongs, [])
      } finally {
        await page.context().close()
      }
    },
  }
}
