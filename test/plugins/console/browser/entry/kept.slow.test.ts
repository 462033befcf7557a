import { strict as assert } from 'node:assert'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { KeptDraft } from '../../../../../plugins/console/model/drafts.js'
import { noBrowser, startBrowser } from '../../../../support/browser.js'

const day = 24 * 3_600_000
const now = Date.UTC(2026, 0, 1)
const entry = fileURLToPath(new URL('../../../../../plugins/console/page/kept/kept.ts', import.meta.url))
const site = 'http://localhost:1/'

const draft = (account: number, key: string, more: Partial<KeptDraft> = {}): KeptDraft => ({
  ...{ version: 1, key, at: now, basedOn: null, mine: { uid: 'x', values: {} } },
  place: { account, uid: 'x', locale: null },
  ...more,
})

describe.skipIf(noBrowser)('changes that the browser stores', () => {
  let browser: Browser
  let code: string
  beforeAll(async () => {
    browser = await startBrowser()
    const bundle = await rolldown({ input: entry, logLevel: 'silent' })
    const { output } = await bundle.generate({ format: 'esm' })
    code = output[0].code
    await bundle.close()
  })
  afterAll(() => browser?.close())

  /** A page of a profile of its own, which the functions are called in. */
  async function open() {
    const context = await browser.newContext()
    const html = `<script type="module">import * as kept from '${site}kept.js'; globalThis.kept = kept</script>`
    await context.route(`${site}**`, route =>
      route.fulfill(
        route.request().url().endsWith('.js')
          ? { contentType: 'text/javascript', body: code }
          : { contentType: 'text/html', body: html },
      ),
    )
    const newPage = async (): Promise<Page> => {
      const page = await context.newPage()
      await page.goto(site)
      return page
    }
    const page = await newPage()
    const call = (name: string, values: unknown[], on = page): Promise<unknown> =>
      on.evaluate(
        ([name, values]) => {
          const { kept } = globalThis as unknown as { kept: Record<string, (...values: unknown[]) => unknown> }
          return kept[String(name)]?.(...(values as unknown[]))
        },
        [name, values],
      )
    return { call, newPage, context }
  }

  it('are there in another tab and after a reload, until they are forgotten', async () => {
    const { call, newPage, context } = await open()
    assert.deepEqual(await call('allKept', [1, now]), [])
    await call('keep', [draft(1, 'a')])
    await call('keep', [draft(1, 'a', { at: now + 5 })])
    const other = await newPage()
    assert.deepEqual(await call('allKept', [1, now], other), [draft(1, 'a', { at: now + 5 })])
    await other.reload()
    assert.deepEqual(await call('allKept', [1, now], other), [draft(1, 'a', { at: now + 5 })])
    await call('forget', ['a'], other)
    assert.deepEqual(await call('allKept', [1, now]), [])
    await context.close()
  })

  it('belong to an account, and go with it', async () => {
    const { call, context } = await open()
    const drafts = [draft(1, 'a'), draft(1, 'b', { at: now + 1 }), draft(2, 'c')]
    for (const one of drafts) await call('keep', [one])
    assert.deepEqual(await call('allKept', [1, now]), [drafts[1], drafts[0]])
    await call('forgetAll', [1])
    assert.deepEqual([await call('allKept', [1, now]), await call('allKept', [2, now])], [[], [drafts[2]]])
    await context.close()
  })

  it('are removed after thirty days', async () => {
    const { call, context } = await open()
    await call('keep', [draft(1, 'old')])
    await call('keep', [draft(1, 'new', { at: now + 2 * day })])
    assert.deepEqual(await call('allKept', [1, now + 31 * day]), [draft(1, 'new', { at: now + 2 * day })])
    // It is not only left out.
    assert.deepEqual(await call('allKept', [1, now]), [draft(1, 'new', { at: now + 2 * day })])
    await context.close()
  })

  it('are none where the browser stores nothing', async () => {
    const { call, newPage, context } = await open()
    const page = await newPage()
    await page.evaluate(() => {
      Object.defineProperty(globalThis, 'indexedDB', {
        value: {
          open: () => {
            throw new Error('refused')
          },
        },
      })
    })
    await call('keep', [draft(1, 'a')], page)
    assert.deepEqual(await call('allKept', [1, now], page), [])
    await context.close()
  })
})
