import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { describe, it } from 'vitest'
import { admin } from '../../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../../plugins/console/index.js'
import { draftAndPublish } from '../../../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../../../plugins/i18n/index.js'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { inBrowser, looks } from '../../../../support/pages/served.js'
import { assertFits } from '../../../../support/pages/watched-page.js'
import type { World } from '../../../../support/server.js'
import { assertForFingers } from '../fitting.js'
import { change, isSaved, status, titlesIn } from '../form.js'
import { servedWorld } from '../served.js'

const localized = { pluginOptions: { i18n: { localized: true } } }

const world = {
  types: {
    note: {
      ...localized,
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string', required: true, ...localized },
        text: { type: 'text', ...localized },
        rank: { type: 'integer' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', ...localized },
        parts: { type: 'component', component: 'shared.part', repeatable: true, ...localized },
      },
    },
    tag: { attributes: { name: { type: 'string' } } },
  },
  components: { 'shared.part': { attributes: { words: { type: 'string' } } } },
  plugins: [
    draftAndPublish,
    [i18n, { locales: ['en', 'de', 'fr'] }],
    [admin, { ratelimit: { enabled: false } }],
    contentConsole,
  ],
} satisfies World

const post = (page: Page, path: string, data: object) =>
  page.evaluate<number, string[]>(
    async ([path, body]) => {
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch(`/console/api${path}`, { method: 'POST', headers, body: body as string })
      const { data, ...rest } = (await response.json()) as { data?: { id: number } }
      if (!data) throw new Error(JSON.stringify(rest))
      return data.id
    },
    [path, JSON.stringify({ data })],
  )

/** The values that the server has of both languages. */
const stored = async (page: Page, ...ids: readonly number[]) =>
  Promise.all(
    ids.map(id =>
      page.evaluate<Record<string, unknown>>(`
        fetch('/console/api/notes/${id}?publicationState=preview').then(one => one.json()).then(one => one.data.attributes)`),
    ),
  )

const german = (page: Page) => page.getByRole('form', { name: 'German' })
const english = (page: Page) => page.locator('.language-side:not(.other-language) form')
const fieldIn = (place: ReturnType<typeof english>, name: string) => place.getByRole('textbox', { name, exact: true })
const conflictIn = (page: Page) => page.getByRole('dialog', { name: 'This entry was changed' })

describe('an entry in two languages side by side', inBrowser, () => {
  const served = servedWorld(world)

  /** Makes an entry in two languages, and opens both. */
  async function open(page: Page, more: object = {}): Promise<readonly [number, number]> {
    const tag = await post(page, '/tags', { name: 'rye' })
    const en = await post(page, '/notes', { title: 'Bread', text: 'It waits', rank: 1, ...more })
    const de = await post(page, `/notes/${en}/localizations`, {
      ...{ locale: 'de', title: 'Brot', text: 'Es wartet', tags: [tag] },
      parts: [{ words: 'eins' }, { words: 'zwei' }],
    })
    await page.goto(`${served.origin}/console/c/note/${en}`)
    await page.getByRole('button', { name: 'Side by side with German' }).click()
    await german(page).waitFor()
    return [en, de]
  }

  it('copies fields, saves both with one button, and shows the same by its address', () =>
    served.signedIn('Editor', async page => {
      const [en, de] = await open(page)
      assert.match(page.url(), new RegExp(`/note/${en}\\?beside=de$`))
      // The same field stands in the same row.
      const top = async (place: ReturnType<typeof english>, name: string) =>
        Math.round((await fieldIn(place, name).boundingBox())?.y ?? 0)
      for (const name of ['title', 'text'])
        assert.ok(Math.abs((await top(german(page), name)) - (await top(english(page), name))) < 30, name)
      // What is read aloud and spelled is in the language of the entry.
      assert.equal(await fieldIn(german(page), 'title').getAttribute('lang'), 'de')
      assert.equal(await fieldIn(english(page), 'title').getAttribute('lang'), 'en')
      assert.equal(await fieldIn(english(page), 'title').getAttribute('aria-required'), 'true')
      await german(page).getByText('rank: Same in all languages').waitFor()
      assert.equal(await german(page).getByRole('button', { name: 'Copy rank to English' }).count(), 0)

      for (const name of ['text', 'tags', 'parts'])
        await german(page)
          .getByRole('button', { name: `Copy ${name} to English` })
          .click()
      assert.equal(await fieldIn(english(page), 'text').inputValue(), 'Es wartet')
      await fieldIn(german(page), 'title').fill('Brot, langsam')
      await english(page)
        .getByRole('spinbutton', { name: 'rank' })
        .or(fieldIn(english(page), 'rank'))
        .fill('2')
      await status(page, '5 changes are not saved')
      const writes: string[] = []
      page.on('request', one => one.method() === 'PUT' && writes.push(new URL(one.url()).pathname.slice(-8)))
      await page.keyboard.press('Control+s')
      await isSaved(page)
      assert.deepEqual(
        writes.map(path => path.split('/').at(-1)),
        [String(en), String(de)],
      )
      const [mine, theirs] = await stored(page, en, de)
      assert.deepEqual([mine?.title, mine?.text, mine?.rank], ['Bread', 'Es wartet', 2])
      assert.deepEqual([theirs?.title, theirs?.rank], ['Brot, langsam', 2])
      await page.reload()
      await german(page).waitFor()
      assert.deepEqual(
        await english(page).getByRole('list', { name: 'tags', exact: true }).getByRole('link').allTextContents(),
        ['rye'],
      )
      assert.equal(await english(page).getByRole('list', { name: 'parts' }).getByRole('listitem').count(), 2)
      // Saved once more, neither is in the way of the other.
      await fieldIn(german(page), 'title').fill('Brot')
      await page.getByRole('button', { name: 'Save' }).click()
      await isSaved(page)
      await fieldIn(english(page), 'title').fill('Loaf')
      await page.getByRole('button', { name: 'Save' }).click()
      await isSaved(page)
      await page.getByRole('button', { name: 'Close side by side' }).click()
      await page.getByRole('complementary').waitFor()
      assert.deepEqual(await titlesIn(page, 'tags'), ['rye'])
    }))

  it('keeps what is not saved on either side from being left, and undoes what was copied', () =>
    served.signedIn('Editor', async page => {
      await open(page)
      await german(page).getByRole('button', { name: 'Copy parts to English' }).click()
      await status(page, '1 change is not saved')
      await page.getByRole('button', { name: 'Undo' }).click()
      await isSaved(page)
      await fieldIn(german(page), 'title').fill('Getippt')
      await page.getByRole('button', { name: 'Close side by side' }).click()
      await page
        .getByRole('status', { name: 'Messages' })
        .getByText('German (de) has changes that are not saved.')
        .waitFor()
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'tag' }).click()
      const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
      await dialog.getByText('1 change is not saved').waitFor()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'tag', level: 1 }).waitFor()
    }))

  it('saves the other side, too, once what others have changed on one is settled', () =>
    served.signedIn('Editor', async page => {
      const [en, de] = await open(page)
      await fieldIn(english(page), 'title').fill('Loaf')
      await fieldIn(german(page), 'title').fill('Laib')
      assert.equal(await change(page, `/notes/${en}`, { text: 'By others' }), 200)
      await page.keyboard.press('Control+s')
      await conflictIn(page).getByRole('button', { name: 'Save both' }).click()
      await isSaved(page)
      const [mine, theirs] = await stored(page, en, de)
      assert.deepEqual([mine?.title, mine?.text, theirs?.title], ['Loaf', 'By others', 'Laib'])
    }))

  it('is saved once, however often that is asked for while it is under way', () =>
    served.signedIn('Editor', async page => {
      const [, de] = await open(page)
      await english(page)
        .getByRole('spinbutton', { name: 'rank' })
        .or(fieldIn(english(page), 'rank'))
        .fill('3')
      await fieldIn(german(page), 'title').fill('Laib')
      // What all languages share is stored with English: German is read again before it is saved.
      const held: Route[] = []
      const isRead = page.waitForRequest(one => one.method() === 'GET' && one.url().includes(`/api/notes/${de}?`))
      let isHolding = true
      await page.route(new RegExp(`/api/notes/${de}\\?`), route =>
        isHolding ? void held.push(route) : route.continue(),
      )
      await page.keyboard.press('Control+s')
      await isRead
      await page.keyboard.press('Control+s')
      isHolding = false
      await Promise.all(held.map(route => route.continue()))
      await isSaved(page)
      assert.deepEqual([(await stored(page, de))[0]?.title, (await stored(page, de))[0]?.rank], ['Laib', 3])
    }))

  it('loses no change of either side, whatever others save meanwhile', () =>
    served.signedIn(
      'Editor',
      async page => {
        const [en, de] = await open(page)
        let seed = 7
        let met = 0
        const chance = (count: number) => {
          seed = (seed * 1103515245 + 12345) % 2147483648
          return Math.floor((seed / 2147483648) * count)
        }
        const names = ['title', 'text'] as const
        const expected = { [en]: { ...(await stored(page, en))[0] }, [de]: { ...(await stored(page, de))[0] } }
        for (let round = 0; round < 8; round += 1) {
          const sides = [
            { id: en, place: english(page) },
            { id: de, place: german(page) },
          ]
          for (const { id, place } of sides) {
            const mine = names.filter(() => chance(3) > 0)
            for (const name of mine) {
              const text = `${name} of ${id} in round ${round}`
              await fieldIn(place, name).fill(text)
              Object.assign(expected[id] as object, { [name]: text })
            }
            // Others change what this editor has left alone, or the same: then mine is chosen.
            if (chance(2) === 0) {
              const name = names[chance(2)] as 'title'
              assert.equal(await change(page, `/notes/${id}`, { [name]: `others ${round}` }), 200)
              if (!mine.includes(name)) Object.assign(expected[id] as object, { [name]: `others ${round}` })
            }
          }
          if (chance(2) === 0) {
            await fieldIn(english(page), 'rank').fill(String(round + 10))
            for (const id of [en, de]) Object.assign(expected[id] as object, { rank: round + 10 })
          }
          for (let left = 4; left > 0; left -= 1) {
            await page.keyboard.press('Control+s')
            const saved = page.getByRole('status', { name: 'Changes' }).getByText('All changes are saved')
            await saved.or(conflictIn(page)).first().waitFor()
            if (await conflictIn(page).isVisible()) {
              met += 1
              await conflictIn(page).getByRole('button', { name: 'Save both' }).click()
            } else break
          }
          await isSaved(page)
          for (const [index, now] of (await stored(page, en, de)).entries()) {
            const wanted = expected[[en, de][index] as number] as Record<string, unknown>
            for (const name of ['title', 'text', 'rank'])
              assert.equal(now[name], wanted[name], `${name} of ${index} in round ${round}`)
          }
        }
        assert.ok(met > 2, `${met} conflicts`)
      },
      { path: '/console' },
    ))

  for (const { scheme, width } of looks)
    it(`has no barriers that axe knows, in ${scheme} colours at ${width} pixels`, () =>
      served.signedIn(
        'Editor',
        async page => {
          await page.getByRole('heading', { level: 1 }).waitFor()
          const tag = await post(page, '/tags', { name: 'rye' })
          const en = await post(page, '/notes', { title: 'Bread', text: 'It waits', tags: [tag] })
          await post(page, `/notes/${en}/localizations`, { locale: 'de', title: 'Brot', parts: [{ words: 'eins' }] })
          await page.goto(`${served.origin}/console/c/note/${en}?beside=de`)
          if (width === 390) {
            await page.getByRole('button', { name: 'German (de)', exact: true }).tap()
            await german(page).waitFor()
            assert.ok(!(await english(page).isVisible()))
            await assertForFingers(page)
            await page.getByRole('button', { name: 'English (en)', exact: true }).tap()
            await english(page).waitFor()
            await assertForFingers(page)
          } else {
            await german(page).waitFor()
            await assertFits(page)
            assert.deepEqual(await accessibilityOf(page), [])
          }
        },
        { path: '/console', scheme, width, hasTouch: width === 390 },
      ))
})
