import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { addTo, change, field, formOf, isSaved, status, titlesIn } from '../form.js'
import { servedConsole } from '../served.js'

const offline = (page: Page) => page.getByRole('alert').filter({ hasText: 'No connection to the server.' })
const save = (page: Page) => page.keyboard.press('Control+s')
const total = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('status')
const isCounted = (page: Page) =>
  total(page)
    .getByText(/ of \d+$/)
    .waitFor()

/** Saves while the server cannot be reached, which the page says. */
async function saveOffline(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await save(page)
  await offline(page).waitFor()
}

/** Holds back the first requests to an address; those behind them are sent. */
async function holding(page: Page, address: RegExp, count: number): Promise<{ all: Route[]; full: Promise<void> }> {
  const all: Route[] = []
  let isFull = () => {}
  const full = new Promise<void>(resolve => {
    isFull = resolve
  })
  await page.route(address, route => {
    all.push(route)
    if (all.length === count) isFull()
    if (all.length > count) void route.continue()
  })
  return { all, full }
}

/** The server does what the first request of a kind asks for, and its response is lost. */
async function losing(page: Page, method: string, address: RegExp): Promise<void> {
  let isLost = false
  await page.route(address, async route => {
    if (route.request().method() !== method || isLost) return route.continue()
    isLost = true
    const response = await route.fetch()
    assert.equal(response.status(), 200)
    await route.abort('connectionreset')
  })
}

/** Requests of a kind: the values of one of their headers. */
function headersOf(page: Page, method: string, address: RegExp, name: string): (string | undefined)[] {
  const found: (string | undefined)[] = []
  page.on('request', request => {
    if (request.method() === method && address.test(request.url())) found.push(request.headers()[name])
  })
  return found
}

/** The number of articles with a title. */
const titled = (page: Page, title: string): Promise<number> =>
  page.evaluate(async title => {
    const query = `filters[title][$eq]=${encodeURIComponent(title)}&publicationState=preview&fields=id`
    const found = await fetch(`/console/api/articles?${query}`)
    return ((await found.json()) as { data: unknown[] }).data.length
  }, title)

const articles = /\/console\/api\/articles\?/
const article = /\/console\/api\/articles\/\d+\?/

describe('work on many entries', inBrowser, () => {
  const served = servedConsole()

  it('stops when it is told to, and what is under way is done', () =>
    served.signedIn(
      'edda',
      async page => {
        await isCounted(page)
        const count = Number((await total(page).textContent())?.match(/\d+$/)?.[0])
        const held = await holding(page, /\/actions\/publish/, 4)
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
        await page.getByRole('button', { name: 'Publish', exact: true }).click()
        await held.full
        await page.getByRole('progressbar', { name: 'Progress' }).waitFor()
        await page.getByRole('button', { name: 'Stop' }).click()
        for (const route of held.all) await route.continue()
        await page.getByText('4 entries are published. Stopped.').waitFor()
        await total(page)
          .getByText(`of ${count - 4}`)
          .waitFor()
        assert.equal(held.all.length, 4)
        assert.equal(await page.getByRole('button', { name: 'Stop' }).count(), 0)
      },
      { path: '/console/c/article?state=draft' },
    ))
})

describe('while the server cannot be reached', inBrowser, () => {
  const served = servedConsole({ plugins: ['bulk'] })

  it('work on many entries waits, and is given up when it is stopped', () =>
    served.signedIn(
      'edda',
      async page => {
        await isCounted(page)
        const count = await total(page).textContent()
        const sent: string[] = []
        page.on('requestfinished', request => sent.push(request.url()))
        await page
          .getByRole('checkbox', { name: /^Select / })
          .nth(1)
          .check()
        await page.context().setOffline(true)
        await page.getByRole('button', { name: 'Publish', exact: true }).click()
        await offline(page).waitFor()
        await page.getByRole('button', { name: 'Stop' }).click()
        const failures = page.getByRole('region', { name: 'What failed' })
        await failures.getByText('0 entries are published. 1 failed.').waitFor()
        await page.context().setOffline(false)
        await offline(page).waitFor({ state: 'detached' })
        await page.reload()
        await total(page)
          .getByText(count ?? '')
          .waitFor()
        assert.deepEqual(
          sent.filter(url => url.endsWith('/bulk')),
          [],
        )
      },
      { path: '/console/c/article?state=draft' },
    ))

  it('a new entry waits, and is stored once', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'New Article')
        const keys = headersOf(page, 'POST', articles, 'idempotency-key')
        await field(page, 'Headline').fill('Typed without a connection')
        await field(page, 'slug').fill('typed-without')
        await saveOffline(page)
        const again = page.waitForRequest(request => articles.test(request.url()))
        await page.getByRole('button', { name: 'Retry now' }).click()
        await again
        await status(page, '2 changes are not saved')
        await page.context().setOffline(false)
        await isSaved(page)
        await offline(page).waitFor({ state: 'detached' })
        assert.ok(keys.length >= 3, String(keys.length))
        assert.equal(new Set(keys).size, 1)
        assert.equal(keys[0]?.length, 36)
        assert.equal(await titled(page, 'Typed without a connection'), 1)
      },
      { path: '/console/c/article/new' },
    ))

  it('a new entry whose response is lost is stored once', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'New Article')
        await losing(page, 'POST', articles)
        await field(page, 'Headline').fill('Its response was lost')
        await save(page)
        await isSaved(page)
        assert.equal(await titled(page, 'Its response was lost'), 1)
      },
      { path: '/console/c/article/new' },
    ))

  it('changes wait, with what is typed meanwhile', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Grove orchid 8')
        await field(page, 'Headline').fill('Waits')
        await saveOffline(page)
        await field(page, 'views').fill('8')
        await page.context().setOffline(false)
        await status(page, '1 change is not saved')
        await formOf(page, 'Waits')
        await save(page)
        await isSaved(page)
        await page.reload()
        await formOf(page, 'Waits')
        assert.equal(await field(page, 'views').inputValue(), '8')
      },
      { path: '/console/c/article/8' },
    ))

  it('changes whose response is lost are saved, and published once, without a question', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('form').waitFor()
        await losing(page, 'PUT', article)
        await losing(page, 'POST', /\/actions\/publish/)
        await field(page, 'Headline').fill('Saved by the first attempt')
        await addTo(page, 'tags', 'Yarr')
        await page.getByRole('button', { name: 'Add to slides' }).click()
        await page
          .getByRole('group', { name: /^Slide \d+$/ })
          .last()
          .getByRole('textbox', { name: 'caption' })
          .fill('New')
        const [tags, slides] = [
          await titlesIn(page, 'tags'),
          await page.getByRole('group', { name: /^Slide \d/ }).count(),
        ]
        await page.keyboard.press('Control+Enter')
        await page.getByRole('button', { name: 'Unpublish' }).waitFor()
        await isSaved(page)
        assert.equal(await page.getByRole('dialog').count(), 0)
        await page.reload()
        await formOf(page, 'Saved by the first attempt')
        assert.deepEqual(await titlesIn(page, 'tags'), tags)
        assert.equal(await page.getByRole('group', { name: /^Slide \d/ }).count(), slides)
      },
      { path: '/console/c/article/7' },
    ))

  it('changes that waited keep what another window of the account has added', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('form').waitFor()
        const before = await titlesIn(page, 'tags')
        await addTo(page, 'tags', 'Yarr')
        await saveOffline(page)
        await page.context().setOffline(false)
        await isSaved(page)
        // The same without a pause, and with another one connected meanwhile.
        await addTo(page, 'tags', 'Zeph')
        assert.equal(await change(page, '/articles/4', { tags: { connect: [8] } }), 200)
        await save(page)
        await page.getByRole('dialog').getByRole('button', { name: 'Save both' }).click()
        await isSaved(page)
        await page.reload()
        await page.getByRole('form').waitFor()
        const tags = await titlesIn(page, 'tags')
        assert.deepEqual(tags.toSorted(), [...before, 'Yarrow', 'Zephyr', 'Harbor'].toSorted())
      },
      { path: '/console/c/article/4' },
    ))

  it('changes of others are compared with those that waited', () =>
    served.signedIn('ada', ada =>
      served.signedIn(
        'edda',
        async page => {
          await page.getByRole('form').waitFor()
          await field(page, 'Headline').fill('Mine')
          await saveOffline(page)
          assert.equal(await change(ada, '/articles/6', { title: 'Theirs' }), 200)
          await page.context().setOffline(false)
          const dialog = page.getByRole('dialog', { name: 'This entry was changed' })
          await dialog.getByText('1 of your changes meets one of theirs.').waitFor()
        },
        { path: '/console/c/article/6' },
      ),
    ))

  it('changes that are discarded are not sent when it is there again', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('form').waitFor()
        await field(page, 'Headline').fill('Discarded')
        await saveOffline(page)
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Author' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
        await page.getByRole('heading', { name: 'Author', level: 1 }).waitFor()
        const writes = headersOf(page, 'PUT', article, 'if-match')
        await page.context().setOffline(false)
        await isCounted(page)
        await offline(page).waitFor({ state: 'detached' })
        assert.deepEqual(writes, [])
        assert.equal(await titled(page, 'Discarded'), 0)
      },
      { path: '/console/c/article/9' },
    ))
})

describe('a server that is slow', inBrowser, () => {
  const served = servedConsole()

  it('is waited for by an entry that is saved before its address is made', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'New Article')
        const held = await holding(page, /\/articles\/uid$/, 1)
        const keys = headersOf(page, 'POST', articles, 'idempotency-key')
        await field(page, 'Headline').fill('Saved at once')
        await held.full
        await save(page)
        await page.getByRole('button', { name: 'Save', disabled: true }).waitFor()
        assert.deepEqual(keys, [])
        await held.all[0]?.continue()
        await isSaved(page)
        assert.equal(await field(page, 'slug').inputValue(), 'saved-at-once')
        assert.equal(keys.length, 1)
      },
      { path: '/console/c/article/new' },
    ))

  it('does not replace an address that was typed meanwhile', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'New Article')
        const held = await holding(page, /\/articles\/uid$/, 1)
        await field(page, 'Headline').fill('Made of this')
        await held.full
        await field(page, 'slug').fill('typed')
        const made = page.waitForResponse(/\/articles\/uid$/)
        await held.all[0]?.continue()
        await (await made).finished()
        await page.evaluate('new Promise(requestAnimationFrame)')
        assert.equal(await field(page, 'slug').inputValue(), 'typed')
      },
      { path: '/console/c/article/new' },
    ))
})
