import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { servedConsole } from '../served.js'
import { assertWithoutBarriers, said } from '../settings.js'

const path = '/console/c/article'
const ready = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Pages' })
    .getByText(/ of \d+$/)
    .waitFor()
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Change fields' })
const way = (page: Page, field: string) => dialog(page).getByRole('combobox', { name: `Change ${field}`, exact: true })

/** Opens the dialog for the first entries of the list, and gives their ids. */
async function chooseFirst(page: Page, count: number): Promise<readonly number[]> {
  await ready(page)
  const boxes = page.locator('table.list tbody input[type=checkbox]')
  for (let at = 0; at < count; at += 1) await boxes.nth(at).check()
  const ids = (await page
    .locator('table.list tbody th a')
    .evaluateAll(links => links.map(link => String(link)))) as string[]
  await page.getByRole('toolbar', { name: 'Chosen entries' }).getByRole('button', { name: 'Change fields' }).click()
  await dialog(page).waitFor()
  return ids.slice(0, count).map(address => Number(address.split('/').at(-1)))
}

interface Stored {
  readonly kind: string | null
  readonly updatedAt: string
  readonly gallery: { readonly data: readonly { readonly id: number }[] | null }
  readonly author: { readonly data: { readonly id: number } | null }
  readonly tags: { readonly data: readonly { readonly attributes: { readonly name: string } }[] }
  readonly localizations: { readonly data: readonly { readonly attributes: { readonly kind: string | null } }[] }
}

const stored = (page: Page, id: number): Promise<Stored> =>
  page.evaluate(async entry => {
    const query = 'populate=author,tags,gallery,localizations&publicationState=preview'
    const response = await fetch(`/console/api/articles/${entry}?${query}`)
    return ((await response.json()) as { data: { attributes: Stored } }).data.attributes
  }, id)

/** Changes an entry as another editor would meanwhile. */
const changeMeanwhile = (page: Page, id: number): Promise<number> =>
  page.evaluate(async entry => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ data: { kind: 'news' } })
    return (await fetch(`/console/api/articles/${entry}`, { method: 'PUT', headers, body })).status
  }, id)

const filesOf = ({ gallery }: Stored) => (gallery.data ?? []).map(({ id }) => id)

const tagNames = ({ tags }: Stored) => tags.data.map(({ attributes }) => attributes.name)

for (const isBulk of [true, false])
  describe(`fields of chosen entries, ${isBulk ? 'together' : 'one by one'}`, inBrowser, () => {
    const served = servedConsole(isBulk ? { plugins: ['bulk'] } : {})

    it('are set, cleared, and changed as lists, in all languages where these share them', () =>
      served.signedIn(
        'edda',
        async page => {
          const ids = await chooseFirst(page, 12)
          const before = await Promise.all(ids.map(id => stored(page, id)))
          assert.ok(before.some(({ localizations }) => localizations.data.length > 0))
          const sure = dialog(page).getByRole('button', { name: 'Change 12 entries' })
          assert.ok(await sure.isDisabled())
          await way(page, 'kind').selectOption('Set')
          await dialog(page).getByText('Same in all languages').waitFor()
          await sure.click()
          await dialog(page).getByRole('region', { name: '1 problem' }).getByText('kind').waitFor()
          await dialog(page).getByLabel('kind', { exact: true }).selectOption('review')
          await way(page, 'author').selectOption('Clear')
          await way(page, 'tags').selectOption('Add to the list')
          const add = dialog(page).getByRole('combobox', { name: 'tags: add' })
          await add.click()
          const option = page.locator('.options [role=option]').first()
          const name = (await option.locator('span').first().innerText()).trim()
          await option.click()
          await way(page, 'gallery').selectOption('Add to the list')
          await dialog(page).getByRole('button', { name: 'Choose for gallery' }).click()
          const files = page.getByRole('dialog', { name: 'Choose for gallery' })
          await files.getByRole('checkbox').first().check()
          await files.getByRole('button', { name: 'Take 1 file' }).click()
          const [left = 0, ...changed] = ids
          assert.equal(await changeMeanwhile(page, left), 200)
          await sure.click()
          await said(page, '11 entries are changed. 1 failed.')
          const failures = page.getByRole('region', { name: 'What failed' })
          await failures.getByText('It was changed by others meanwhile, and is left as it is.').waitFor()
          assert.equal((await stored(page, left)).kind, 'news')
          assert.deepEqual(tagNames(await stored(page, left)), tagNames(before[0] as Stored))
          const galleries = before.map(filesOf)
          assert.ok(galleries.some(list => list.length > 0))
          for (const [at, id] of ids.entries()) {
            if (!changed.includes(id)) continue
            const now = await stored(page, id)
            const had = galleries[at] ?? []
            assert.deepEqual(filesOf(now).slice(0, had.length), had)
            assert.ok(filesOf(now).length >= 1 && new Set(filesOf(now)).size === filesOf(now).length)
            assert.equal(now.kind, 'review')
            assert.equal(now.author.data, null)
            const tags = tagNames(before[at] as Stored)
            assert.deepEqual(tagNames(now).sort(), [...new Set([...tags, name])].sort())
            assert.ok(now.localizations.data.every(({ attributes }) => attributes.kind === 'review'))
          }
          // What was left is changed on request: it has been seen by now.
          await failures.getByRole('button', { name: 'Try these again' }).click()
          await said(page, '1 entry is changed.')
          assert.equal((await stored(page, left)).kind, 'review')
        },
        { path },
      ))
  })

describe('the dialog to change fields', inBrowser, () => {
  const served = servedConsole({ plugins: ['bulk'] })

  it('asks before what was chosen is discarded, and keeps it', () =>
    served.signedIn(
      'edda',
      async page => {
        await chooseFirst(page, 2)
        await way(page, 'Headline').selectOption('Set')
        await dialog(page).getByRole('textbox', { name: 'Headline' }).fill('Rye')
        await page.keyboard.press('Escape')
        const question = page.getByRole('dialog').filter({ hasText: '1 change was not made.' })
        await question.getByRole('button', { name: 'Keep editing' }).click()
        assert.equal(await dialog(page).getByRole('textbox', { name: 'Headline' }).inputValue(), 'Rye')
        await page.keyboard.press('Escape')
        await question.getByRole('button', { name: 'Discard' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      },
      { path },
    ))

  it('has neither unique values nor passwords, nor the time of publishing', () =>
    served.signedIn(
      'ada',
      async page => {
        await chooseFirst(page, 1)
        const labels = await dialog(page).locator('.change-head label').allInnerTexts()
        assert.ok(labels.length > 10, labels.join())
        for (const name of ['slug', 'secret', 'publishedAt', 'publishAt']) assert.ok(!labels.includes(`Change ${name}`))
      },
      { path },
    ))

  it('has no barriers that axe knows', () =>
    assertWithoutBarriers(served, 'edda', path, async (page, look) => {
      await chooseFirst(page, 2)
      await look('change-fields')
      await way(page, 'kind').selectOption('Set')
      await way(page, 'tags').selectOption('Remove from the list')
      await look('change-fields-chosen')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    }))
})
