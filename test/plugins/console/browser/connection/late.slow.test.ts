import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { give, giveTo, picture } from '../dropped.js'
import { change, field, formOf, formWithFiles, hide } from '../form.js'
import { servedConsole } from '../served.js'

const said = (page: Page, text: string | RegExp) =>
  page.getByRole('status', { name: 'Messages' }).getByText(text).waitFor()
const inMain = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })

/** Holds back the requests of a kind until they are let go. */
async function holding(page: Page, method: string, address: RegExp) {
  const held: Route[] = []
  let isHolding = true
  let tell = () => {}
  const asked = new Promise<void>(resolve => {
    tell = resolve
  })
  await page.route(address, route => {
    if (!isHolding || route.request().method() !== method) return route.fallback()
    held.push(route)
    return tell()
  })
  const letGo = async () => {
    isHolding = false
    const arrived = page.waitForResponse(one => one.request().method() === method && address.test(one.url()))
    for (const route of held) await route.continue()
    await (await arrived).finished()
  }
  return { asked, letGo }
}

/** What a response changes in the page has been changed, and drawn. */
const isDrawn = (page: Page) =>
  page.evaluate('new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 100))')

describe('a response that comes late', inBrowser, () => {
  const served = servedConsole({ settings: { versions: { enabled: true, config: { all: true } } } })

  it('to a delete leaves the form as it is that was opened since', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('form').waitFor()
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        const { asked, letGo } = await holding(page, 'DELETE', /\/articles\/20/)
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await asked
        await page.keyboard.press('Escape')
        await inMain(page, 'Tag').click()
        await page.getByRole('link', { name: 'New entry' }).click()
        await field(page, 'name').fill('Typed meanwhile')
        await letGo()
        await said(page, /^Deleted: /)
        await isDrawn(page)
        assert.match(page.url(), /\/tag\/new$/)
        assert.equal(await field(page, 'name').inputValue(), 'Typed meanwhile')
      },
      { path: '/console/c/article/20' },
    ))

  it('about another language leaves the address of the view that is shown by then', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('table').waitFor()
        const id = await page.evaluate<number>(
          `fetch('/console/api/articles?populate=localizations&pagination[limit]=100').then(one => one.json())
            .then(({ data }) => data.find(({ attributes }) => attributes.localizations.data.length > 0).id)`,
        )
        await page.goto(`${served.origin}/console/c/article/${id}`)
        await page.getByRole('form').waitFor()
        const { asked, letGo } = await holding(page, 'GET', new RegExp(`/articles/(?!${id}\\?)\\d+\\?`))
        await page
          .getByRole('button', { name: /^Side by side with/ })
          .first()
          .click()
        await asked
        await inMain(page, 'Tag').click()
        await page.getByRole('heading', { name: 'Tag', level: 1 }).waitFor()
        await letGo()
        await isDrawn(page)
        assert.match(page.url(), /\/c\/tag$/)
      },
      { path: '/console/c/article' },
    ))

  it('to work on many entries reads the list that is open by then', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('checkbox', { name: 'Select By anton 3' }).check()
        await page.getByRole('button', { name: 'Delete' }).click()
        const { asked, letGo } = await holding(page, 'DELETE', /\/articles\/\d+/)
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await asked
        await inMain(page, 'Tag').click()
        await page.getByRole('heading', { name: 'Tag', level: 1 }).waitFor()
        await page.goBack()
        await page.getByRole('link', { name: 'By anton 3' }).waitFor()
        await letGo()
        await said(page, '1 entry is deleted.')
        await page.getByText('Nothing matches: “By anton 3”.').waitFor()
      },
      { path: '/console/c/article?q=By%20anton%203' },
    ))

  it('about a file closes no other file that was opened since', () =>
    served.signedIn(
      'edda',
      async page => {
        for (const name of ['early.png', 'later.png'])
          await giveTo(page, '.media', 'paste', [await picture(name, name.length)])
        const open = (name: string) => page.getByRole('button', { name, exact: true }).click()
        await open('early.png')
        const [early, later] = ['early.png', 'later.png'].map(name => page.getByRole('dialog', { name }))
        assert.ok(early && later)
        await early.getByRole('textbox', { name: 'Caption' }).fill('Sent')
        const { asked, letGo } = await holding(page, 'POST', /\/upload\?id=/)
        await early.getByRole('button', { name: 'Save' }).click()
        await asked
        await early.getByRole('button', { name: 'Close' }).click()
        await open('later.png')
        await later.getByRole('textbox', { name: 'Caption' }).fill('Typed meanwhile')
        const read = page.waitForResponse(/\/upload\/files\/\d+$/)
        await letGo()
        await (await read).finished()
        await isDrawn(page)
        assert.equal(await later.getByRole('textbox', { name: 'Caption' }).inputValue(), 'Typed meanwhile')
      },
      { path: '/console/media' },
    ))

  it('with a file brings it into the form that has taken the place of the one before', () =>
    served.signedIn(
      'edda',
      async page => {
        await formWithFiles(page, 'Pebble über Ångström 7', 'gallery')
        await field(page, 'Headline').fill('Typed and not saved')
        page.on('dialog', dialog => void dialog.accept())
        await hide(page, 1)
        await page.reload()
        await formWithFiles(page, 'Pebble über Ångström 7', 'gallery')
        const { asked, letGo } = await holding(page, 'POST', /\/console\/api\/upload$/)
        await give(page, 'gallery', 'drop', [await picture('late.png')])
        await asked
        await page.getByRole('button', { name: 'Restore' }).click()
        await page.getByRole('status', { name: 'Changes' }).getByText('1 change is not saved').waitFor()
        await letGo()
        await page.getByRole('button', { name: 'Edit late.png' }).waitFor()
        await page.getByRole('status', { name: 'Changes' }).getByText('2 changes are not saved').waitFor()
      },
      { path: '/console/c/article/7' },
    ))

  it('with a file brings it into that form, too, where its field is out of sight', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('table').waitFor()
        const id = await page.evaluate<number>(
          `fetch('/console/api/articles?populate=slides&pagination[limit]=100').then(one => one.json())
            .then(({ data }) => data.find(({ attributes }) => attributes.slides.length > 0).id)`,
        )
        await page.goto(`${served.origin}/console/c/article/${id}`)
        await field(page, 'Headline').fill('Typed and not saved')
        page.on('dialog', dialog => void dialog.accept())
        await hide(page, 1)
        await page.reload()
        const { asked, letGo } = await holding(page, 'POST', /\/console\/api\/upload$/)
        await giveTo(page, '.item.open .files-field', 'drop', [await picture('late.png')])
        await asked
        const toggle = page
          .locator('.item', { has: page.locator('.files-field') })
          .locator('.item-toggle')
          .first()
        const label = await toggle.getAttribute('aria-label')
        await toggle.click()
        await page.getByRole('button', { name: 'Restore' }).click()
        await page.getByRole('status', { name: 'Changes' }).getByText('1 change is not saved').waitFor()
        await letGo()
        await page.getByRole('status', { name: 'Changes' }).getByText('2 changes are not saved').waitFor()
        await page.getByRole('button', { name: String(label).replace('Close', 'Open'), exact: true }).click()
        await page.getByRole('button', { name: 'Edit late.png' }).waitFor()
      },
      { path: '/console/c/article' },
    ))

  it('that tells of a failure stays while others about the same deleted entry come', () =>
    served.signedIn(
      'ada',
      async page => {
        await page.getByRole('heading', { name: 'Deleted: Article' }).waitFor()
        await change(page, '/articles/23', { title: 'Unread' })
        await page.evaluate(`fetch('/console/api/articles/23', { method: 'DELETE' }).then(one => one.text())`)
        await page.reload()
        await page.route(/\/versions\/\d+(\?|$)/, route => route.fulfill({ status: 500, json: {} }))
        await page.getByRole('button', { name: 'Show Unread' }).click()
        const dialog = page.getByRole('dialog', { name: 'Unread' })
        await dialog.getByRole('alert').getByText('The server failed.').waitFor()
        await isDrawn(page)
        assert.equal(await dialog.getByRole('alert').count(), 1)
        assert.equal(await dialog.getByText('Loading').count(), 0)
      },
      { path: '/console/c/article/deleted' },
    ))
})

describe('what is discarded while the server cannot be reached', inBrowser, () => {
  const served = servedConsole()

  it('is not stored once it can be reached again', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Ångström 5')
        const box = page.getByRole('combobox', { name: 'tags: add' })
        await box.fill('Discarded')
        await page.getByRole('option', { name: /Discarded/ }).click()
        const dialog = page.getByRole('dialog', { name: 'New Tag' })
        await dialog.getByRole('textbox', { name: 'name' }).waitFor()
        await page.context().setOffline(true)
        await dialog.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('alert').filter({ hasText: 'No connection to the server.' }).waitFor()
        await dialog.getByRole('button', { name: 'Close' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
        const sent: string[] = []
        page.on('request', request => request.method() === 'POST' && sent.push(request.url()))
        await page.context().setOffline(false)
        const found = page.waitForResponse(/\/choices\/|\/tags\?/)
        await box.fill('Something else')
        await (await found).finished()
        await isDrawn(page)
        assert.deepEqual(sent, [])
      },
      { path: '/console/c/article/5' },
    ))
})
