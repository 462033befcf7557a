import { strict as assert } from 'node:assert'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { noBrowser } from '../../../../support/browser.js'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { looks } from '../../../../support/pages/served.js'
import { assertFits, until } from '../../../../support/pages/watched-page.js'
import { field, formOf, isSaved } from '../form.js'
import { servedConsole } from '../served.js'

const text = `# Rye

| Grain | Days |
|---|--:|
| Rye | **3** |

- [x] milled
- [ ] baked[^1]

[Mill](https://mill.example) ![Loaf](https://elsewhere.example/loaf.png) <b onclick="alert(1)">raw</b>

[^1]: slowly`

const bodyOf = (page: Page) => page.locator('.rich-text textarea').first()
const previewIn = (page: Page) => page.getByRole('region', { name: 'Preview of body' })
const button = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Formatting of body' }).getByRole('button', { name, exact: true })

/** Drops a text file on the text, as from another program. */
async function drop(page: Page, name: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer()
    data.items.add(new File(['A note.'], '${name}', { type: 'text/plain' }))
    return data
  })()`)
  await bodyOf(page).dispatchEvent('drop', { dataTransfer })
}

describe.skipIf(noBrowser)('a Markdown text in the console', { timeout: 180_000 }, () => {
  const served = servedConsole()

  it('is shown as it will be read, beside the text or instead of it, without loading what others store', () =>
    served.signedIn(
      'edda',
      async page => {
        await bodyOf(page).fill(text)
        await button(page, 'Both').click()
        const preview = previewIn(page)
        await preview.getByRole('heading', { name: 'Rye' }).waitFor()
        assert.deepEqual(await preview.getByRole('cell').allTextContents(), ['Rye', '3'])
        assert.deepEqual(await preview.getByRole('listitem').allTextContents(), ['☑ milled', '☐ baked[^1]'])
        await preview.getByText('[^1]: slowly').waitFor()
        await preview.getByText('<b onclick="alert(1)">').waitFor()
        assert.equal(await preview.getByRole('link', { name: 'Mill' }).getAttribute('target'), '_blank')
        assert.equal(await preview.getByRole('img').count(), 0, 'pictures of other servers are named')
        await preview.getByText('▧ Loaf').waitFor()
        await bodyOf(page).fill('Less')
        await preview.getByText('Less').waitFor()
        await button(page, 'Preview').click()
        await bodyOf(page).waitFor({ state: 'hidden' })
        assert.equal(await button(page, 'Bold').count(), 0)
        await button(page, 'Text').click()
        await preview.waitFor({ state: 'detached' })
        assert.equal(await bodyOf(page).inputValue(), 'Less')
      },
      { path: '/console/c/article/5' },
    ))

  it('fills the window, with its keys in it, and comes back', () =>
    served.signedIn(
      'edda',
      async page => {
        await bodyOf(page).fill('Wide')
        await button(page, 'Full screen').focus()
        await page.keyboard.press('Enter')
        const area = await bodyOf(page).boundingBox()
        assert.ok((area?.width ?? 0) > 1300 && (area?.height ?? 0) > 700, JSON.stringify(area))
        for (let press = 0; press < 30; press += 1) {
          await page.keyboard.press('Tab')
          assert.ok(await page.evaluate<boolean>(`document.activeElement.closest('.rich-text') !== null`))
        }
        await bodyOf(page).focus()
        await page.keyboard.press('Control+End')
        await page.keyboard.type('r')
        await page.keyboard.press('Escape')
        await field(page, 'Headline').click()
        assert.equal(await bodyOf(page).inputValue(), 'Wider')
        await bodyOf(page).focus()
        await page.keyboard.press('Control+z')
        assert.equal(await bodyOf(page).inputValue(), 'Wide', 'what was typed can be taken back')
      },
      { path: '/console/c/article/5' },
    ))

  it('is marked by keys, and its lists go on', () =>
    served.signedIn(
      'edda',
      async page => {
        const body = bodyOf(page)
        await body.fill('')
        await body.focus()
        await page.keyboard.type('- [x] one')
        await page.keyboard.press('Enter')
        await page.keyboard.press('Control+b')
        await page.keyboard.type('two')
        await page.keyboard.press('End')
        await page.keyboard.press('Enter')
        await page.keyboard.press('Enter')
        await page.keyboard.type('1. a')
        await page.keyboard.press('Enter')
        await page.keyboard.press('Shift+Enter')
        await page.keyboard.press('Control+i')
        await page.keyboard.type('b')
        assert.equal(await body.inputValue(), '- [x] one\n- [ ] **two**\n1. a\n2. \n_b_')
        for (const _ of [1, 2, 3]) await page.keyboard.press('Control+z')
        assert.notEqual(await body.inputValue(), '- [x] one\n- [ ] **two**\n1. a\n2. \n_b_')
      },
      { path: '/console/c/article/5' },
    ))

  it('takes files that are dropped, and those of the library', () =>
    served.signedIn(
      'edda',
      async page => {
        const body = bodyOf(page)
        await formOf(page, 'Fjord 14')
        await body.fill('See ')
        await page.keyboard.press('Control+End')
        await drop(page, 'a note.txt')
        await until(page, `document.activeElement.value?.startsWith('See [')`)
        assert.match(await body.inputValue(), /^See \[a note\.txt\]\(\/uploads\/a_note_\w+\.txt\)$/)
        await button(page, 'Insert files').click()
        const dialog = page.getByRole('dialog', { name: 'Choose for body' })
        await dialog.getByRole('searchbox', { name: 'Search files' }).fill('png')
        await dialog.getByRole('checkbox', { name: /^png-/ }).first().check()
        await dialog.getByRole('button', { name: 'Take 1 file' }).click()
        await until(page, `document.activeElement.value?.includes('![')`)
        assert.match(await body.inputValue(), /\.txt\)\n!\[[^\]]+\]\(\/uploads\/[^)]+\)$/)
        await button(page, 'Both').click()
        await previewIn(page).getByRole('img').waitFor()
        await page.keyboard.press('Control+s')
        await isSaved(page)
      },
      { path: '/console/c/article/14' },
    ))

  for (const { scheme, width } of looks)
    it(`has no barriers that axe knows, in ${scheme} colours at ${width} pixels`, () =>
      served.signedIn(
        'edda',
        async page => {
          await bodyOf(page).fill(`${text}\n\n> quoted\n\n\`\`\`\ncode\n\`\`\``)
          await button(page, 'Both').click()
          await previewIn(page).getByRole('heading', { name: 'Rye' }).waitFor()
          await previewIn(page).scrollIntoViewIfNeeded()
          assert.deepEqual(await accessibilityOf(page), [])
          await assertFits(page)
          await button(page, 'Full screen').click()
          assert.deepEqual(await accessibilityOf(page), [])
          await assertFits(page)
        },
        { path: '/console/c/article/5', scheme, width },
      ))
})
