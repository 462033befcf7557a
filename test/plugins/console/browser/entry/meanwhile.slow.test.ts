import { strict as assert } from 'node:assert'
import type { Page, Request } from 'playwright-core'
import { beforeAll, describe, it } from 'vitest'
import { noBrowser } from '../../../../support/browser.js'
import { DatabaseSync } from '../../../../support/sqlite.js'
import { Editor } from '../../project.js'
import { change, field, isSaved } from '../form.js'
import { type PageView, servedConsole } from '../served.js'

const news = (page: Page) => page.getByRole('status', { name: 'Saved by others' })
const show = (page: Page) => page.getByRole('button', { name: 'Show', exact: true }).click()
const changed = (page: Page) => page.getByRole('dialog', { name: 'This entry was changed' })
const when = '(just now|\\d+ min\\. ago)'
const savedByAda = (fields: string) => new RegExp(`^Ada.* saved this entry ${when}: ${fields}\\.$`)
const halfMinute = 30_000
/** The row that lets Edda read articles. */
const reading = 174

/** The small request that looks whether an entry is as it was read. */
const isLook = (request: Request): boolean => {
  const { pathname, search } = new URL(request.url())
  const fields = decodeURIComponent(search).match(/\bfields\b[^&]*/g)
  return pathname.startsWith('/console/api/articles/') && fields?.length === 2
}

/** Ends when the server has seen that the entry may be read again: for a second it may go by the rights that it knows. */
const readable = async (path: string): Promise<void> => {
  while (!(await fetch(path)).ok);
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

      let ada: Editor
      beforeAll(async () => {
        ada = await Editor.signIn(served.project(), 'ada')
      })
      const byAda = async (method: 'PUT' | 'DELETE', path: string, data?: object): Promise<void> => {
        const { status, text } = await ada.ask(method, `/console/api${path}`, data && { data })
        assert.equal(status, 200, text)
      }

      /** An editor has an entry open, which others change; with `isAlone`, the feed alone tells the page of changes. */
      const open = (id: number, work: (edda: Page) => Promise<void>, isAlone = false, view?: PageView): Promise<void> =>
        served.signedIn(
          'edda',
          async edda => {
            if (isAlone) await edda.addInitScript('globalThis.setInterval = () => 0')
            else await edda.clock.install()
            const first = isLive && edda.waitForRequest(isLook)
            await edda.goto(`${served.origin}/console/c/article/${id}`)
            await edda.getByRole('form').waitFor()
            // With its feed open, the page looks whether it has missed something.
            if (first) await (await first).response()
            await work(edda)
          },
          view,
        )

      /** As another program changes the database. */
      const sql = (text: string): void => {
        const database = new DatabaseSync(served.database())
        database.exec(`pragma busy_timeout = 5000; ${text}`)
        database.close()
      }

      /** Waits for the news: from the feed by itself, and otherwise with the next look. */
      const hear = async (page: Page, text: RegExp | string, isFed = isLive): Promise<void> => {
        const found = news(page).getByText(text)
        if (!isFed) await passUntil(page, async () => (await found.count()) > 0)
        await found.waitFor()
      }

      it('are said, and nothing in the form is replaced', () =>
        open(
          4,
          async edda => {
            const headline = await field(edda, 'Headline').inputValue()
            await field(edda, 'views').fill('41')
            await byAda('PUT', '/articles/4', { title: 'By Ada', rating: 2 })
            await hear(edda, savedByAda('Headline, rating'))
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
            await byAda('PUT', '/articles/4', { title: 'By Ada again' })
            await hear(edda, savedByAda('Headline'))
          },
          isLive,
        ))

      it('are taken into a form without changes', () =>
        open(
          14,
          async edda => {
            await byAda('PUT', '/articles/14', { title: 'Taken' })
            await hear(edda, savedByAda('Headline'))
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

      for (const width of [1440, 390])
        it(`are shown by a button that no message covers, at ${width} pixels`, () =>
          open(
            5,
            async edda => {
              await field(edda, 'views').fill(String(width))
              await edda.keyboard.press('Control+s')
              await isSaved(edda)
              await edda.getByRole('status', { name: 'Messages' }).getByText('Saved: ').waitFor()
              await byAda('PUT', '/articles/5', { summary: `By Ada, at ${width}` })
              await hear(edda, savedByAda('summary'))
              const [isFree, covers] = await edda.evaluate<boolean[]>(`
                (button => {
                  const { left, right, top, height } = button.getBoundingClientRect()
                  const message = document.querySelector('.messages').getBoundingClientRect()
                  const news = document.querySelector('.news').getBoundingClientRect()
                  return [
                    [left + 4, right - 4].every(x => document.elementFromPoint(x, top + height / 2) === button),
                    message.bottom > news.top && message.left < news.right,
                  ]
                })(document.querySelector('.news button'))`)
              assert.deepEqual([isFree, covers], [true, false])
              await show(edda)
              await changed(edda).waitFor()
            },
            isLive,
            { width, height: 844, hasTouch: width === 390 },
          ))

      it('are not those of the form itself', () =>
        open(6, async edda => {
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
        open(7, async edda => {
          await change(edda, '/articles/7', { title: 'Elsewhere' })
          await hear(edda, new RegExp(`^You saved this entry in another window ${when}: Headline\\.$`))
        }))

      it('are those of no account where a program has left the name of the one before', async () => {
        await byAda('PUT', '/articles/10', { title: 'Ada was here' })
        await open(10, async edda => {
          sql("update articles set title = 'By a program', updated_at = updated_at + 1 where id = 10")
          await hear(edda, new RegExp(`^This entry was changed ${when}: Headline\\.$`), false)
          await show(edda)
          await changed(edda)
            .getByText(/^It was saved/)
            .waitFor()
        })
      })

      it('are asked for once, and name a few fields of many', () =>
        open(12, async edda => {
          let whole = 0
          edda.on('request', request => {
            if (request.url().includes('/articles/12') && !isLook(request)) whole += 1
          })
          const data = {
            title: 'Many',
            slug: 'many',
            summary: 'Many',
            body: 'Many',
            rating: 4,
            views: 400,
            featured: true,
          }
          await byAda('PUT', '/articles/12', data)
          await hear(edda, /: ([^,]+, ){5}\d more fields?\.$/)
          await looksIn(edda)
          assert.equal(whole, 1)
        }))

      const lost = [
        {
          says: 'some entries',
          sql: `update admin_permissions set conditions = '["admin::is-creator"]'`,
          back: `update admin_permissions set conditions = '[]'`,
          text: 'This entry was deleted, or you may not see it any more.',
          title: 'This entry was deleted, or you may not see it any more',
        },
        {
          says: 'the type',
          sql: "update admin_permissions set subject = 'api::none.none'",
          back: "update admin_permissions set subject = 'api::article.article'",
          text: 'You may not read articles any more. What you have typed is still here.',
          title: 'You may not read articles any more',
        },
      ]
      for (const { says, sql: change, back, text, title } of lost)
        it(`that take the permission to read ${says} are no delete, and what was typed is kept`, () =>
          open(13, async edda => {
            await field(edda, 'views').fill('131')
            sql(`${change} where id = ${reading}`)
            try {
              await hear(edda, text, false)
              assert.equal(await field(edda, 'views').inputValue(), '131')
              await show(edda)
              await edda.getByRole('dialog', { name: title }).getByRole('button', { name: 'Keep editing' }).click()
              assert.equal(await field(edda, 'views').inputValue(), '131')
            } finally {
              sql(`${back} where id = ${reading}`)
              await edda.evaluate(readable, '/console/api/articles/13')
            }
          }))

      it('that delete the entry are said, and what was typed becomes a new one or is discarded', () =>
        open(11, async edda => {
          await field(edda, 'views').fill('111')
          await byAda('DELETE', '/articles/11')
          await hear(edda, 'This entry was deleted. Save yours as a new entry, or discard.', false)
          await show(edda)
          const deleted = edda.getByRole('dialog', { name: 'This entry was deleted' })
          await deleted.getByRole('button', { name: 'Save as a new entry' }).waitFor()
          await deleted.getByRole('button', { name: 'Discard changes' }).click()
          await edda.getByRole('heading', { name: 'Article', level: 1 }).waitFor()
        }))

      it('are not looked for while the page is hidden, and then at once', () =>
        open(15, async edda => {
          await seen(edda, 'hidden')
          await byAda('PUT', '/articles/15', { title: 'While it was hidden' })
          assert.equal(await looksIn(edda), 0)
          await seen(edda, 'visible')
          await news(edda).getByText(savedByAda('Headline')).waitFor()
        }))

      it('are not looked for when the session has ended', () =>
        open(9, async edda => {
          await edda.evaluate(() => fetch('/console/session', { method: 'DELETE' }))
          const ended = edda.getByRole('dialog', { name: 'Sign in again' })
          await passUntil(edda, async () => (await ended.count()) > 0)
          assert.equal(await looksIn(edda), 0)
        }))
    },
  )
