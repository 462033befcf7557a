import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { assertFits } from '../../../../support/pages/watched-page.js'
import { made } from '../../project.js'
import { change, field, formOf, isSaved, titlesIn } from '../form.js'
import { changedRows, type Rows, rowsIn } from '../rows.js'
import { servedConsole } from '../served.js'
import { fingers, type Hands, keys } from './hands.js'

/** A draft of the project with several tags and a quote in its zone, in one language: others would get its zone as well. */
interface Article {
  readonly id: number
  readonly title: string
  readonly author: string
  readonly lastTag: string
  /** The quote, by its place in the zone and its own id. */
  readonly quote: { readonly place: number; readonly id: number }
}

const ways: readonly { hands: Hands; by: string; width: number; article: Article }[] = [
  {
    ...{ hands: keys, by: 'the keyboard alone', width: 1440 },
    article: {
      ...{ id: 182, title: 'Yarrow fjord orchid 182', author: 'Cleo Meadow', lastTag: 'Amber' },
      quote: { place: 2, id: 83 },
    },
  },
  {
    ...{ hands: fingers, by: 'fingers', width: 390 },
    article: {
      ...{ id: 7, title: 'Pebble über Ångström 7', author: 'Ben Ember', lastTag: 'Basin' },
      quote: { place: 1, id: 6 },
    },
  },
]

describe('a day of an editor', inBrowser, () => {
  const served = servedConsole()

  for (const { hands, by, width, article } of ways)
    it(`leads by ${by} at ${width} pixels from the old password to what was edited, and to nothing else`, () =>
      served.signedIn('ada', ada =>
        served.opened(
          async page => {
            const before = rowsIn(served.database())
            await enter(page, hands)
            await findByAuthor(page, hands, article)
            const tags = await edit(page, hands, article)
            const theirs = { title: 'By Ada meanwhile', rating: 3 }
            assert.equal(await change(ada, `/articles/${article.id}`, theirs), 200)
            await publish(page, hands)
            assertEdited(before, rowsIn(served.database()), article)
            await reachMenu(page, hands)
            await page.reload()
            await formOf(page, 'Bread that waits')
            assert.deepEqual(await titlesIn(page, 'tags'), tags)
          },
          { width, height: width === 390 ? 844 : 900, hasTouch: hands === fingers },
        ),
      ))
})

/** Signs in with the password that the account has in Strapi. */
async function enter(page: Page, hands: Hands): Promise<void> {
  const { email = '', password = '' } = made.accounts.edda ?? {}
  await hands.write(page.getByRole('textbox', { name: 'E-mail' }), email)
  await hands.write(page.getByRole('textbox', { name: 'Password' }), password)
  await hands.press(page.getByRole('button', { name: 'Sign in' }))
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  await assertFits(page)
  const menu = page.getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) await hands.press(menu)
  await hands.press(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Article' }))
  await page.getByRole('heading', { name: 'Article', level: 1 }).waitFor()
}

/** Opens an article from the list of those that its author has written. */
async function findByAuthor(page: Page, hands: Hands, { author, title }: Article): Promise<void> {
  await hands.press(page.getByRole('button', { name: 'Filters' }))
  const filters = page.getByRole('group', { name: 'Filters' })
  await hands.choose(filters.getByRole('combobox', { name: 'Field' }), 'author')
  await hands.find(filters.getByRole('combobox', { name: 'Value' }), author.slice(0, -2).toLowerCase(), author)
  await hands.press(page.getByRole('button', { name: 'Apply' }))
  await page.getByText(`author is ${author}`).waitFor()
  await assertFits(page)
  await hands.press(page.getByRole('table', { name: 'Article' }).getByRole('link', { name: title }))
  await formOf(page, title)
}

/** Changes the title, the order of the tags, and the quote; the result are the tags as they are then. */
async function edit(page: Page, hands: Hands, { lastTag, quote }: Article): Promise<readonly string[]> {
  await hands.write(field(page, 'Headline'), 'Bread that waits')
  const were = await titlesIn(page, 'tags')
  await hands.toStart(page, lastTag)
  const tags = await titlesIn(page, 'tags')
  assert.deepEqual(tags, [lastTag, ...were.slice(0, -1)])
  const block = page.getByRole('group', { name: `Quote ${quote.place}` })
  await hands.write(block.getByRole('textbox', { name: 'title' }), 'A quote')
  await page.getByRole('status', { name: 'Changes' }).getByText('3 changes are not saved').waitFor()
  await assertFits(page)
  return tags
}

/** Publishes, which another editor's change comes before. */
async function publish(page: Page, hands: Hands): Promise<void> {
  await hands.press(page.getByRole('button', { name: 'Publish', exact: true }))
  const dialog = page.getByRole('dialog', { name: 'This entry was changed' })
  await dialog.getByText('1 of your changes meets one of theirs.').waitFor()
  await assertFits(page)
  const title = dialog.getByRole('group', { name: 'Headline' })
  assert.equal(await title.getByRole('radio', { name: 'Yours' }).isChecked(), true)
  await hands.press(dialog.getByRole('button', { name: 'Save both and publish' }))
  await page.getByRole('button', { name: 'Unpublish' }).waitFor()
  await isSaved(page)
  assert.equal(await field(page, 'rating').inputValue(), '3')
}

/** Opens the menu of the entry, in front of what the page has just said. */
async function reachMenu(page: Page, hands: Hands): Promise<void> {
  await page.getByRole('status', { name: 'Messages' }).getByText('Published: ').waitFor()
  await hands.press(page.getByRole('button', { name: 'More actions' }))
  for (const item of await page.getByRole('menuitem').all()) await item.click({ trial: true })
  await page.keyboard.press('Escape')
}

/** The rows of the database differ in what was edited alone. */
function assertEdited(before: Rows, after: Rows, { id, lastTag, quote }: Article): void {
  const { gone, fresh } = changedRows(before, after)
  const changed = (lines: readonly string[]) => {
    const rows = lines.map(line => [line.slice(0, line.indexOf(':')), JSON.parse(line.slice(line.indexOf(':') + 2))])
    return (table: string) => rows.filter(([name]) => name === table).map(([, row]) => row)
  }
  const [was, is] = [changed(gone), changed(fresh)]
  const tables = ['articles', 'articles_tags_links', 'components_shared_quotes']
  assert.deepEqual([...new Set([...gone, ...fresh].map(line => line.split(':')[0]))].sort(), tables)

  assert.equal(is('articles').length, 1)
  const [[old], [{ updated_at, published_at, ...article }]] = [was('articles'), is('articles')]
  assert.deepEqual(
    { ...article, updated_at: old.updated_at, published_at: null },
    { ...old, title: 'Bread that waits', rating: 3, updated_by_id: 2 },
  )
  assert.ok(updated_at > old.updated_at && published_at >= updated_at - 1000, `${updated_at} ${published_at}`)

  const [[text], [newText]] = [was('components_shared_quotes'), is('components_shared_quotes')]
  assert.deepEqual([text.id, newText], [quote.id, { ...text, title: 'A quote' }])

  // The links are those of before, in another order, and the articles of each tag have kept theirs.
  const tagId = (before.get('tags') ?? []).find(({ name }) => name === lastTag)?.id
  const linksIn = (rows: Rows) =>
    (rows.get('articles_tags_links') ?? [])
      .filter(link => Number(link.article_id) === id)
      .sort((one, other) => Number(one.tag_order) - Number(other.tag_order))
  const moved = linksIn(before).sort((one, other) => Number(other.tag_id === tagId) - Number(one.tag_id === tagId))
  assert.deepEqual(
    linksIn(after).map(({ tag_order: _, ...link }) => link),
    moved.map(({ tag_order: _, ...link }) => link),
  )
  for (const link of [...was('articles_tags_links'), ...is('articles_tags_links')]) assert.equal(link.article_id, id)
}
