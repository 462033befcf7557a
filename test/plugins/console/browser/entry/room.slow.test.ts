import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { admin } from '../../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../../plugins/console/index.js'
import { upload } from '../../../../../plugins/upload/index.js'
import { inBrowser } from '../../../../support/pages/served.js'
import type { World } from '../../../../support/server.js'
import { formOf } from '../form.js'
import { servedWorld } from '../served.js'

const long = Array.from({ length: 20 }, (_, at) => `Line ${at}: bread that waits.`).join('\n\n')
const world = {
  types: {
    article: {
      attributes: {
        title: { type: 'string', required: true },
        body: { type: 'richtext', required: true },
        cover: { type: 'media' },
        gallery: { type: 'media', multiple: true },
        last: { type: 'string' },
      },
    },
    story: { attributes: { title: { type: 'string' }, text: { type: 'blocks' }, last: { type: 'string' } } },
  },
  plugins: [
    [admin, { ratelimit: { enabled: false } }],
    [upload, { folder: mkdtempSync(`${tmpdir()}/room-`) }],
    contentConsole,
  ],
  rows: async ({ entries }) => {
    const files: number[] = []
    for (const name of ['a.txt', 'b.txt']) {
      const about = { hash: name, ext: '.txt', mime: 'text/plain', size: 1, url: `/uploads/${name}`, provider: 'local' }
      files.push(Number((await entries('plugin::upload.file').create({ name, ...about })).id))
    }
    const data = { title: 'Bread', body: long, cover: files[0], gallery: files }
    await entries('api::article.article').create(data)
  },
} as const satisfies World

/** The shifts of a page that it makes by itself. */
const shifts = `new Promise(resolve => {
  const all = []
  new PerformanceObserver(list => all.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(all
    .filter(one => !one.hadRecentInput && one.startTime > window.begun)
    .map(one => [one.value, ...one.sources.map(({ node, previousRect: a, currentRect: b }) =>
      (node?.outerHTML ?? node?.textContent ?? '').slice(0, 80) + ' ' + a.y + ' to ' + b.y)]))))
})`

describe('a form whose editors are loaded later', inBrowser, () => {
  const served = servedWorld(world)

  /** Opens a form, and lets the scripts of its editors come once the rest is shown. */
  async function moved(page: Page, path: string, title: string): Promise<unknown> {
    let show = () => {}
    const isShown = new Promise<void>(resolve => {
      show = resolve
    })
    const held: string[] = []
    await page.route(/\/assets\/(field(?!-value)|files|blocks-view)-[\w-]+\.js$/, async route => {
      held.push(route.request().url())
      await isShown
      await route.continue()
    })
    await page.goto(`${served.origin}/console/c/${path}`)
    await formOf(page, title)
    await page.locator('[aria-busy=true]').first().waitFor()
    await page.evaluate('window.begun = performance.now()')
    show()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    await page.getByRole('toolbar').first().waitFor()
    assert.ok(held.length > 0)
    return page.evaluate(shifts)
  }

  for (const [width, hasTouch] of [
    [1440, false],
    [390, true],
  ] as const)
    for (const [path, title] of [
      ['article/1', 'Bread'],
      ['article/new', 'New article'],
      ['story/new', 'New story'],
    ] as const)
      it(`does not move when they come: ${path} at ${width} pixels`, () =>
        served.signedIn(
          'Super Admin',
          async page => {
            assert.deepEqual(await moved(page, path, title), [])
          },
          { width, height: 2400, hasTouch },
        ))
})
