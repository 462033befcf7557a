import { strict as assert } from 'node:assert'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { noBrowser } from '../../../../support/browser.js'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { looks } from '../../../../support/pages/served.js'
import { assertFits } from '../../../../support/pages/watched-page.js'
import { addTo, change, formOf, hide, isSaved, status, titlesIn } from '../form.js'
import { servedConsole, signIn } from '../served.js'

/** Types a text that no entry has, and takes the offer to make one. */
async function begin(page: Page, label: string, text: string): Promise<void> {
  const box = page.getByRole('combobox', { name: `${label}: add` })
  await box.fill(text)
  await page.getByRole('option', { name: `Create "${text}"` }).waitFor()
  await box.press('Enter')
}

describe.skipIf(noBrowser)('entries that an entry links to', { timeout: 180_000 }, () => {
  const served = servedConsole()
  const stored = (uid: string, where: object) =>
    served
      .project()
      .app.entries(uid)
      .first({ where, everything: true } as never)

  it('are made beside it, with what they need, and connected', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Ångström 5')
        await begin(page, 'tags', 'Spelt')
        const dialog = page.getByRole('dialog', { name: 'New Tag' })
        assert.equal(await dialog.getByRole('textbox', { name: 'name' }).inputValue(), 'Spelt')
        await dialog.getByRole('textbox', { name: 'name' }).fill('')
        await dialog.getByRole('button', { name: 'Save' }).click()
        await dialog.getByRole('region', { name: '1 problem' }).waitFor()
        await dialog.getByRole('textbox', { name: 'name' }).fill('Spelt')
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
        assert.ok((await titlesIn(page, 'tags')).includes('Spelt'))
        await status(page, '1 change is not saved')
        await page.keyboard.press('Control+s')
        await isSaved(page)
        await page.reload()
        await formOf(page, 'Ångström 5')
        assert.ok((await titlesIn(page, 'tags')).includes('Spelt'))
      },
      { path: '/console/c/article/5' },
    ))

  it('are drafts in the language of the entry, where their type has them', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Ångström 5')
        await begin(page, 'related', 'Sour rye')
        const dialog = page.getByRole('dialog', { name: 'New Article' })
        await dialog.getByRole('textbox', { name: 'Headline' }).focus()
        await page.keyboard.press('Control+s')
        await dialog.waitFor({ state: 'detached' })
        await page.getByRole('list', { name: 'related' }).getByText('Sour rye').waitFor()
        await page
          .getByRole('complementary')
          .getByText(/as missing: .*Sour rye/)
          .waitFor()
        const made = await stored('api::article.article', { title: { $eq: 'Sour rye' } })
        assert.deepEqual([made?.publishedAt, made?.locale, made?.slug], [null, 'en', 'sour-rye'])
      },
      { path: '/console/c/article/5' },
    ))

  it('are not offered to be made where one has the title, and by who may not make them', async () => {
    await served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Ångström 5')
        const name = (await stored('api::tag.tag', { id: { $eq: 4 } }))?.name as string
        const box = page.getByRole('combobox', { name: 'tags: add' })
        await box.fill(name.toUpperCase())
        const found = page.getByRole('listbox', { name: 'Entries for tags' })
        await found.getByRole('option', { selected: true }).waitFor()
        assert.equal(await found.getByRole('option', { name: /^Create/ }).count(), 0)
      },
      { path: '/console/c/article/5' },
    )
    await served.signedIn(
      'tina',
      async page => {
        await page.getByRole('form').waitFor()
        assert.equal(await page.getByRole('button', { name: /^Edit / }).count(), 0)
      },
      { path: '/console/c/article/5' },
    )
  })

  it('are changed beside it, by themselves, and show what others changed meanwhile', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('form').waitFor()
        const made = await served
          .project()
          .app.entries('api::tag.tag')
          .create({ name: 'Durum' } as never)
        const id = Number(made.id)
        await addTo(page, 'tags', 'durum')
        await page.getByRole('button', { name: 'Edit Durum' }).click()
        const dialog = page.getByRole('dialog', { name: 'Edit Durum' })
        await dialog.getByRole('textbox', { name: 'name' }).fill('Emmer')
        await page.keyboard.press('Escape')
        const asking = page.getByRole('dialog', { name: 'Leave without saving?' })
        await asking.getByRole('button', { name: 'Keep editing' }).click()
        assert.equal(await dialog.getByRole('textbox', { name: 'name' }).inputValue(), 'Emmer')
        assert.equal(await dialog.getByRole('link', { name: 'Open in a new tab' }).getAttribute('target'), '_blank')
        assert.equal(await change(page, `/tags/${id}`, { name: 'Einkorn' }), 200)
        await dialog.getByRole('textbox', { name: 'name' }).focus()
        await page.keyboard.press('Control+s')
        const conflict = page.getByRole('dialog', { name: 'This entry was changed' })
        await conflict.getByRole('button', { name: 'Save both' }).click()
        await dialog.waitFor({ state: 'detached' })
        await page.getByRole('list', { name: 'tags' }).getByText('Emmer').waitFor()
        await status(page, '1 change is not saved')
        assert.equal((await stored('api::tag.tag', { id: { $eq: id } }))?.name, 'Emmer')
        // What is typed there is kept by the browser, beside what is typed in the form, and offered with the entry.
        await page.getByRole('button', { name: 'Edit Emmer' }).click()
        await page.getByRole('dialog', { name: 'Edit Emmer' }).getByRole('textbox', { name: 'name' }).fill('Spelt')
        await hide(page, 2)
        const other = await page.context().newPage()
        await other.goto(`${served.origin}/console/c/tag/${id}`)
        const region = other.getByRole('region', { name: 'Changes that were not saved' })
        await region.getByRole('button', { name: 'Restore' }).click()
        await status(other, '1 change is not saved')
        assert.equal(await other.getByRole('textbox', { name: 'name' }).inputValue(), 'Spelt')
        await other.close()
        const edited = page.getByRole('dialog', { name: 'Edit Emmer' })
        await edited.getByRole('button', { name: 'Cancel' }).click()
        await page
          .getByRole('dialog', { name: 'Leave without saving?' })
          .getByRole('button', { name: 'Discard' })
          .click()
        await edited.waitFor({ state: 'detached' })
      },
      { path: '/console/c/article/6' },
    ))

  for (const { scheme, width } of looks)
    it(`have dialogs without barriers that axe knows, in ${scheme} colours at ${width} pixels`, () =>
      served.opened(
        async page => {
          await signIn(page, 'edda')
          await page.getByRole('form').waitFor()
          const title = (await titlesIn(page, 'tags'))[0] ?? ''
          await page
            .getByRole('button', { name: `Edit ${title}`, exact: true })
            .first()
            .click()
          await page.getByRole('dialog').getByRole('button', { name: 'Save' }).waitFor()
          assert.deepEqual(await accessibilityOf(page), [])
          await assertFits(page)
          await page.keyboard.press('Escape')
          await begin(page, 'related', 'Late')
          await page.getByRole('dialog', { name: 'New Article' }).waitFor()
          assert.deepEqual(await accessibilityOf(page), [])
          await assertFits(page)
          await page.keyboard.press('Escape')
          await page
            .getByRole('dialog', { name: 'Leave without saving?' })
            .getByRole('button', { name: 'Discard' })
            .click()
          await page.getByRole('dialog').waitFor({ state: 'detached' })
        },
        { path: '/console/c/article/5', scheme, width },
      ))
})
