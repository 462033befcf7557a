import { strict as assert } from 'node:assert'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { noBrowser } from '../../../../support/browser.js'
import { accessibilityOf, assertReachable } from '../../../../support/pages/accessibility.js'
import { looks } from '../../../../support/pages/served.js'
import { assertFits } from '../../../../support/pages/watched-page.js'
import { change, field, formOf, isSaved } from '../form.js'
import { servedConsole, signIn } from '../served.js'

/** The name of the element with the focus: its own, or that of its label. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const one = document.activeElement
    return one.ariaLabel ?? one.labels?.[0]?.textContent.replace(/ [*]$/, '') ?? one.textContent.trim()
  })()`)

/** Presses Tab until something has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let press = 0; press < 300; press += 1) {
    if ((await focused(page)) === name) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not reach ${name}`)
}

async function sound(page: Page): Promise<void> {
  assert.deepEqual(await accessibilityOf(page), [])
  await assertFits(page)
}

describe.skipIf(noBrowser)('barriers in the form of an entry', { timeout: 180_000 }, () => {
  const served = servedConsole({ plugins: ['events'] })

  for (const { scheme, width } of looks)
    it(`are none that axe knows, in ${scheme} colours at ${width} pixels`, () =>
      served.opened(
        async page => {
          await signIn(page, 'edda')
          await page.getByRole('button', { name: 'Save' }).waitFor()
          await sound(page)
          await change(page, '/articles/5', { views: width + scheme.length })
          await page
            .getByRole('status', { name: 'Saved by others' })
            .getByText(/: views\.$/)
            .waitFor()
          await sound(page)
          await field(page, 'Headline').fill('')
          await page.getByRole('button', { name: 'Save' }).click()
          await page.getByRole('region', { name: '1 problem' }).waitFor()
          await sound(page)
          await page.getByRole('button', { name: 'Choose for cover' }).click()
          await page.getByRole('radio').first().waitFor()
          await sound(page)
          await page.keyboard.press('Escape')
          await page.getByRole('button', { name: 'Add to blocks' }).click()
          await sound(page)
          await page.keyboard.press('Escape')
          await page.getByRole('button', { name: 'More actions' }).click()
          await sound(page)
          await page.getByRole('menuitem', { name: 'Delete' }).click()
          await page.getByText('This cannot be undone.').waitFor()
          await sound(page)
          await page.keyboard.press('Escape')
          await change(page, '/articles/5', { title: `Theirs in ${scheme} at ${width}` })
          await field(page, 'Headline').fill('Mine')
          await page.keyboard.press('Control+s')
          await page.getByRole('dialog', { name: 'This entry was changed' }).waitFor()
          await sound(page)
        },
        { path: '/console/c/article/5', scheme, width },
      ))

  it('are none for who sees the focus: no bar covers it on a phone', () =>
    served.opened(
      async page => {
        await signIn(page, 'edda')
        await page.getByRole('button', { name: 'Save' }).waitFor()
        const bar = await page.locator('.entry-bar').boundingBox()
        await field(page, 'Headline').focus()
        for (let press = 0; press < 40; press += 1) {
          await page.keyboard.press('Tab')
          const at = await page.evaluate<{ bottom: number; isInForm: boolean }>(`(() => {
            const one = document.activeElement
            return { bottom: one.getBoundingClientRect().bottom, isInForm: one.closest('form') !== null }
          })()`)
          assert.ok(!at.isInForm || at.bottom <= (bar?.y ?? 0), `${at.bottom} of ${bar?.y}`)
        }
      },
      { path: '/console/c/article/16', width: 390, height: 844 },
    ))

  it('are none for the keyboard: everything is reached, and the focus is seen', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('form').waitFor()
        await assertReachable(page, 20)
      },
      { path: '/console/c/author/10' },
    ))

  it('are none for the keyboard: an article is written and saved with keys alone', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'New Article')
        await tabTo(page, 'Headline')
        await page.keyboard.type('By keys')
        await tabTo(page, 'tags: add')
        for (const text of ['Amber', 'Zeph']) {
          await page.keyboard.type(text)
          await page.getByRole('option', { name: new RegExp(text), selected: true }).waitFor()
          await page.keyboard.press('Enter')
        }
        await page.getByRole('button', { name: 'Remove Zephyr' }).waitFor()
        await page.keyboard.press('Shift+Tab')
        assert.equal(await focused(page), 'Remove Zephyr')
        await page.keyboard.press('Alt+ArrowUp')
        await page.getByRole('button', { name: 'Move Amber up', disabled: false }).waitFor()
        assert.equal(await focused(page), 'Remove Zephyr')
        await tabTo(page, 'Add to blocks')
        await page.keyboard.press('Enter')
        await tabTo(page, 'Quote')
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: 'Close Quote 1' }).waitFor()
        await tabTo(page, 'title')
        await page.keyboard.type('A quote')
        await page.keyboard.press('Control+s')
        await isSaved(page)
        await formOf(page, 'By keys')
        assert.equal(await focused(page), 'title')
        assert.equal(await field(page, 'slug').inputValue(), 'by-keys')
      },
      { path: '/console/c/article/new' },
    ))

  it('are none for who goes on at once: the focus is not taken back to what was moved or removed', () =>
    served.signedIn(
      'edda',
      async page => {
        const tags = page.getByRole('list', { name: 'tags', exact: true })
        await tags.getByRole('listitem').nth(1).waitFor()
        for (const does of ['move', 'remove']) {
          // The next control has the focus in the same task, before the page has rendered anything.
          const found = await page.evaluate<string>(`new Promise(resolve => {
            const button = [...document.querySelectorAll('ul[aria-label=tags] > li:last-child button:enabled')].at(-1)
            const headline = document.querySelector('form.entry-form input')
            button.focus()
            if (${does === 'move'})
              button.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', altKey: true, bubbles: true }))
            else button.click()
            headline.focus()
            setTimeout(() => setTimeout(() => resolve(document.activeElement === headline ? 'stays' : 'is taken')))
          })`)
          assert.equal(found, 'stays', does)
          await page.getByRole('status', { name: 'Changes' }).getByText('not saved').waitFor()
        }
      },
      { path: '/console/c/article/4' },
    ))

  it('are none for who types: a key renders one field of 200 components', () =>
    served.signedIn(
      'edda',
      async page => {
        const blocks = Array.from({ length: 200 }, (_, at) => ({ __component: 'shared.quote', title: `Quote ${at}` }))
        assert.equal(await change(page, '/articles/15', { blocks }), 200)
        await page.goto(`${served.origin}/console/c/article/15`)
        const body = page.getByRole('group', { name: 'Quote 2', exact: true }).getByRole('textbox', { name: 'body' })
        await body.focus()
        await page.keyboard.type('x')
        await page.evaluate(`
          globalThis.keys = []
          globalThis.mutations = 0
          new MutationObserver(found => { mutations += found.length })
            .observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
          addEventListener('keydown', () => {
            const begun = performance.now()
            requestAnimationFrame(() => {
              const { port1, port2 } = new MessageChannel()
              port1.onmessage = () => keys.push(performance.now() - begun)
              port2.postMessage(0)
            })
          }, true)`)
        await page.keyboard.type('y'.repeat(40))
        const [keys, mutations] = await page.evaluate<[number[], number]>('[keys.sort((a, b) => a - b), mutations]')
        const at = (part: number) => keys[Math.floor(keys.length * part)]?.toFixed(1)
        console.log(`200 components: ${at(0.5)} ms from key to paint in the median, ${at(0.95)} ms at p95`)
        // The field itself has no other text than what was typed.
        assert.equal(mutations, 0)
        assert.equal(await page.getByRole('group', { name: /^Quote \d+$/ }).count(), 3)
      },
      { path: '/console/c/article/15' },
    ))
})
