import { strict as assert } from 'node:assert'
import type { Page, Request } from 'playwright-core'
import { describe, it } from 'vitest'
import { noBrowser } from '../../../support/browser.js'
import { change, field, isSaved } from './form.js'
import { servedConsole } from './served.js'

const news = (page: Page) => page.getByRole('status', { name: 'Saved by others' })
const show = (page: Page) => page.getByRole('button', { name: 'Show', exact: true }).click()
const changed = (page: Page) => page.getByRole('dialog', { name: 'This entry was changed' })
const byAda = /^Ada.* saved this entry (just now|\d+ min\. ago)\.$/
const halfMinute = 30_000

/** The small request that looks whether an entry is as it was read. */
const isLook = (request: Request): boolean => {
  const { pathname, search } = new URL(request.url())
  const fields = decodeURIComponent(search).match(/\bfields\b[^&]*/g)
  return pathname.startsWith('/console/api/articles/') && fields?.length === 2
}

/** Lets half minutes pass in the page, until what is waited for is there. */
async function passUntil(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  while (!(await isThere())) {
    await page.clock.fastForward(halfMinute)
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
}

/** The looks of a page while two minutes pass in it. */
async function looksIn(page: Page): Promise<number> {
  let looks = 0
  const count = (request: Request) => {
    if (isLook(request)) looks += 1
  }
  page.on('request', count)
  for (let time = 0; time < 4; time += 1) await page.clock.fastForward(halfMinute)
  // Requests are told in their order: those of before have been told when this one is.
  const last = page.waitForRequest(request => request.url().endsWith('?last'))
  await page.evaluate(() => fetch('/console/assets/none?last'))
  await last
  page.off('request', count)
  return looks
}

const seen = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)

for (const plugins of [['events'], []])
  describe.skipIf(noBrowser)(
    `changes by others, ${plugins.length > 0 ? 'with' : 'without'} the plugin events`,
    {
      timeout: 60_000,
    },
    () => {
      const served = servedConsole({ plugins })
      const isLive = plugins.length > 0

      /** Two editors in browsers of their own, the first with an entry open; with `isAlone`, the feed alone tells it of changes. */
      const two = (id: number, work: (edda: Page, ada: Page) => Promise<void>, isAlone = false): Promise<void> =>
        served.signedIn('ada', ada =>
          served.signedIn('edda', async edda => {
            if (isAlone) await edda.addInitScript('globalThis.setInterval = () => 0')
            else await edda.clock.install()
            const first = isLive && edda.waitForRequest(isLook)
            await edda.goto(`${served.origin}/console/c/article/${id}`)
            await edda.getByRole('form').waitFor()
            // With its feed open, the page looks whether it has missed something.
            if (first) await (await first).response()
            await work(edda, ada)
          }),
        )

      /** Waits for the news: from the feed by itself, and otherwise with the next look. */
      const hear = async (page: Page, text: RegExp | string, isFed = isLive): Promise<void> => {
        const found = news(page).getByText(text)
        if (!isFed) await passUntil(page, async () => (await found.count()) > 0)
        await found.waitFor()
      }

      it('are said, and nothing in the form is replaced', () =>
        two(
          4,
          async (edda, ada) => {
            const headline = await field(edda, 'Headline').inputValue()
            await field(edda, 'views').fill('41')
            await change(ada, '/articles/4', { title: 'By Ada', rating: 2 })
            await hear(edda, byAda)
            assert.equal(await field(edda, 'Headline').inputValue(), headline)
            assert.equal(await field(edda, 'views').inputValue(), '41')
            assert.equal(await edda.evaluate('document.activeElement.value'), '41')
            await show(edda)
            await changed(edda).getByText('No change of yours meets one of theirs.').waitFor()
            await changed(edda).getByRole('button', { name: 'Save both' }).click()
            await isSaved(edda)
            assert.equal(await field(edda, 'Headline').inputValue(), 'By Ada')
            assert.equal(await field(edda, 'views').inputValue(), '41')
            assert.equal(await news(edda).textContent(), '')
            // The next one is said as well.
            await change(ada, '/articles/4', { title: 'By Ada again' })
            await hear(edda, byAda)
          },
          isLive,
        ))

      it('are taken into a form without changes', () =>
        two(
          5,
          async (edda, ada) => {
            await change(ada, '/articles/5', { title: 'Taken' })
            await hear(edda, byAda)
            await show(edda)
            await changed(edda).getByText('You have not changed anything.').waitFor()
            await changed(edda).getByRole('row', { name: 'Headline changed by them' }).waitFor()
            assert.equal(await changed(edda).getByRole('button', { name: 'Save both' }).count(), 0)
            await changed(edda).getByRole('button', { name: 'Take theirs' }).click()
            await edda.getByRole('form', { name: 'Taken' }).waitFor()
            await isSaved(edda)
            assert.equal(await news(edda).textContent(), '')
          },
          isLive,
        ))

      it('are not those of the form itself', () =>
        two(6, async edda => {
          await field(edda, 'views').fill('61')
          const looked = edda.waitForRequest(isLook)
          await edda.keyboard.press('Control+s')
          await isSaved(edda)
          if (!isLive) await edda.clock.fastForward(halfMinute)
          await (await looked).response()
          // Another one shows that the page has understood the one before.
          const again = edda.waitForRequest(isLook)
          await seen(edda, 'hidden')
          await seen(edda, 'visible')
          await (await again).response()
          assert.equal(await news(edda).textContent(), '')
        }))

      it('of another window of the same account are said as such', () =>
        two(7, async edda => {
          await change(edda, '/articles/7', { title: 'Elsewhere' })
          await hear(edda, /^You saved this entry in another window (just now|\d+ min\. ago)\.$/)
        }))

      it('that delete the entry are said, and what was typed becomes a new one or is discarded', () =>
        two(11, async (edda, ada) => {
          await field(edda, 'views').fill('111')
          await ada.evaluate(() => fetch('/console/api/articles/11', { method: 'DELETE' }))
          await hear(edda, 'This entry was deleted. Save yours as a new entry, or discard.', false)
          await show(edda)
          const deleted = edda.getByRole('dialog', { name: 'This entry was deleted' })
          await deleted.getByRole('button', { name: 'Save as a new entry' }).waitFor()
          await deleted.getByRole('button', { name: 'Discard changes' }).click()
          await edda.getByRole('heading', { name: 'Article', level: 1 }).waitFor()
        }))

      it('are not looked for while the page is hidden, and then at once', () =>
        two(8, async (edda, ada) => {
          await seen(edda, 'hidden')
          await change(ada, '/articles/8', { title: 'While it was hidden' })
          assert.equal(await looksIn(edda), 0)
          await seen(edda, 'visible')
          await news(edda).getByText(byAda).waitFor()
        }))

      it('are not looked for when the session has ended', () =>
        two(9, async edda => {
          await edda.evaluate(() => fetch('/console/session', { method: 'DELETE' }))
          const ended = edda.getByRole('dialog', { name: 'Sign in again' })
          await passUntil(edda, async () => (await ended.count()) > 0)
          assert.equal(await looksIn(edda), 0)
        }))
    },
  )
