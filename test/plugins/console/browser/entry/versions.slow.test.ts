import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { inBrowser, looks } from '../../../../support/pages/served.js'
import { assertFits } from '../../../../support/pages/watched-page.js'
import { assertForFingers } from '../fitting.js'
import { change, field, formOf, isSaved, titlesIn } from '../form.js'
import { servedConsole } from '../served.js'

const table = (page: Page) => page.getByRole('table', { name: 'Versions' })
const rows = (page: Page) => table(page).locator('tbody tr')
const shown = (page: Page, number: number) => page.getByRole('dialog', { name: `Version ${number}` })

/** The cells of a line of the list, but its time. */
async function line(page: Page, at: number): Promise<string[]> {
  await table(page).waitFor()
  const [number = '', , ...rest] = await rows(page).nth(at).locator('th, td').allInnerTexts()
  return [number, ...rest.slice(0, 2)].map(text => text.trim())
}

async function compare(page: Page, number: number) {
  await page.getByRole('button', { name: `Compare version ${number}` }).click()
  const dialog = shown(page, number)
  await dialog.getByRole('table', { name: 'Comparison' }).waitFor()
  return dialog
}

/** The comparison as text, row by row. */
const compared = (page: Page): Promise<string[][]> =>
  page.evaluate<string[][]>(`[...document.querySelectorAll('dialog .comparison tbody tr')]
    .map(row => [...row.children].map(cell => cell.innerText.trim()))`)

describe('the versions of an entry', inBrowser, () => {
  const served = servedConsole({ settings: { versions: { enabled: true, config: { all: true } } } })

  it('tell who changed what and when, are compared by field, and are restored', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('form').waitFor()
        const former = await field(page, 'Headline').inputValue()
        const tags = await titlesIn(page, 'tags')
        assert.ok(tags[0])
        await field(page, 'Headline').fill('Another headline')
        await page.getByRole('button', { name: `Remove ${tags[0]}` }).click()
        await page.keyboard.press('Control+s')
        await isSaved(page)
        await field(page, 'views').fill('42')
        await page.keyboard.press('Control+s')
        await isSaved(page)
        await page.getByRole('complementary').getByRole('link', { name: 'Versions' }).click()
        await page.getByRole('heading', { name: 'Versions of Another headline' }).waitFor()
        assert.match(page.url(), /\/console\/c\/article\/4\/versions$/)
        assert.deepEqual(await line(page, 0), ['Version 2', 'Edda Editor Saved', 'views'])
        assert.deepEqual(await line(page, 1), ['Version 1', 'Edda Editor Saved', 'Headline, tags'])

        const dialog = await compare(page, 1)
        const found = new Map((await compared(page)).map(([label = '', ...values]) => [label, values]))
        assert.deepEqual([...found.keys()].sort(), ['Headline', 'tags', 'views'])
        assert.deepEqual(found.get('Headline'), [former, 'Another headline'])
        assert.equal(found.get('tags')?.[0], tags.join('\n'))
        assert.equal(found.get('tags')?.[1], tags.slice(1).join('\n'))
        await dialog.getByLabel('Compare with').selectOption('Version 2')
        await dialog.getByRole('columnheader', { name: 'Version 2' }).waitFor()
        await dialog.getByRole('rowheader', { name: 'views' }).waitFor({ state: 'detached' })
        assert.deepEqual((await compared(page)).map(([label]) => label).sort(), ['Headline', 'tags'])
        await dialog.getByRole('button', { name: 'Restore' }).click()
        await page.getByRole('status', { name: 'Messages' }).getByText('Version 1 is restored.').waitFor()
        await page.getByRole('heading', { name: `Versions of ${former}` }).waitFor()
        await rows(page).nth(2).waitFor()
        assert.deepEqual(await line(page, 0), ['Version 3', 'Edda Editor Saved', 'Headline, views, tags'])
        await page.getByRole('link', { name: `← ${former}` }).click()
        await formOf(page, former)
        assert.deepEqual(await titlesIn(page, 'tags'), tags)
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Versions' }).click()
        await table(page).waitFor()
      },
      { path: '/console/c/article/4' },
    ))

  it('name what a restored one could not give back, and nothing is restored over a change of others', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Ångström 5')
        const made = await page.evaluate<number>(`
          fetch('/console/api/tags', { method: 'POST', headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ data: { name: 'Short-lived' } }) }).then(one => one.json()).then(one => one.data.id)`)
        await change(page, '/articles/5', { tags: { connect: [made] } })
        await change(page, '/articles/5', { tags: { disconnect: [made] } })
        await page.evaluate(`fetch('/console/api/tags/${made}', { method: 'DELETE' })`)
        await page.goto(`${served.origin}/console/c/article/5/versions`)
        const dialog = await compare(page, 2)
        assert.deepEqual((await compared(page)).length, 1)
        await change(page, '/articles/5', { views: 77 })
        await dialog.getByRole('button', { name: 'Restore' }).click()
        await dialog.getByRole('alert').getByText('This entry was changed meanwhile.').waitFor()
        await dialog.getByRole('rowheader', { name: 'views' }).waitFor()
        await dialog.getByRole('button', { name: 'Restore' }).click()
        await page.getByRole('alert').getByText('the entries that these led to do not exist any more: tags.').waitFor()
        await rows(page).nth(3).waitFor()
        assert.equal(await rows(page).count(), 4)
      },
      { path: '/console/c/article/5' },
    ))

  it('have a page whose end no message covers', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Grove 6')
        for (let views = 0; views < 12; views += 1) assert.equal(await change(page, '/articles/6', { views }), 200)
        await page.reload()
        await field(page, 'views').fill('99')
        await page.keyboard.press('Control+s')
        await page
          .getByRole('status', { name: 'Messages' })
          .getByText(/^Saved/)
          .waitFor()
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Versions' }).click()
        await table(page).waitFor()
        // In one of these windows a button is where the message is.
        for (let height = 400; height < 560; height += 20) {
          await page.setViewportSize({ width: 1440, height })
          const covered = await page.evaluate<string[]>(`
              [...document.querySelectorAll('main button')].filter(one => {
                one.scrollIntoView({ block: 'center' })
                const { left, top, width, height } = one.getBoundingClientRect()
                return document.elementFromPoint(left + width / 2, top + height / 2) !== one
              }).map(one => one.ariaLabel)`)
          assert.deepEqual(covered, [], `${height} pixels high`)
        }
      },
      { path: '/console/c/article/6' },
    ))

  it('are not there for types without them, and an entry that has none yet says so', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByText('No version is kept yet.').waitFor()
        await page.goto(`${served.origin}/console/c/article/99999/versions`)
        await page.getByText('This entry does not exist, or you may not see it.').waitFor()
      },
      { path: '/console/c/article/8/versions' },
    ))

  for (const { scheme, width } of looks)
    it(`have no barriers that axe knows, in ${scheme} colours at ${width} pixels`, () =>
      served.signedIn(
        'edda',
        async page => {
          await formOf(page, 'Pebble')
          await change(page, '/articles/7', { title: `Pebbles ${scheme} ${width}`, views: width })
          await page.goto(`${served.origin}/console/c/article/7/versions`)
          await table(page).waitFor()
          const look = async () => {
            if (width === 390) return assertForFingers(page)
            await assertFits(page)
            assert.deepEqual(await accessibilityOf(page), [])
          }
          await look()
          await compare(page, 1)
          await look()
        },
        { path: '/console/c/article/7', scheme, width, hasTouch: width === 390 },
      ))
})
