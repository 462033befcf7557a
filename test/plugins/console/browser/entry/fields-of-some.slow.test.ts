import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { field, formOf, isSaved } from '../form.js'
import { servedConsole } from '../served.js'

const foreignId = (page: Page) =>
  page.evaluate<number>(
    `fetch('/console/api/articles?locale=de&publicationState=preview&pagination[limit]=1').then(one => one.json())
      .then(one => one.data[0].id)`,
  )

describe('the form of an editor who may read and write more of own entries', inBrowser, () => {
  const served = servedConsole()

  it('has the fields that all entries have, of those of others', () =>
    served.signedIn('rita', async page => {
      const asked: string[] = []
      page.on('request', request => asked.push(new URL(request.url()).pathname))
      const id = await foreignId(page)
      await page.goto(`${served.origin}/console/c/article/${id}`)
      await page.getByRole('form').waitFor()
      assert.equal(await field(page, 'views').count(), 0)
      assert.equal(await field(page, 'summary').count(), 0)
      assert.equal(await field(page, 'slug').isEditable(), false)
      assert.equal(await page.getByRole('button', { name: /^slides/ }).count(), 0)
      assert.equal(asked.filter(path => path.startsWith('/console/rights/')).length, 1)
      await field(page, 'Headline').fill('Changed by Rita')
      await page.keyboard.press('Control+s')
      await isSaved(page)
      await formOf(page, 'Changed by Rita')
    }))

  it('has all of them while an entry is new, after it was stored, and when it is opened again', () =>
    served.signedIn(
      'rita',
      async page => {
        await page.getByRole('form').waitFor()
        await field(page, 'Headline').fill('Mine')
        await field(page, 'score').fill('1.5')
        await field(page, 'views').fill('7')
        await page.keyboard.press('Control+s')
        await isSaved(page)
        await field(page, 'views').fill('8')
        await page.keyboard.press('Control+s')
        await isSaved(page)
        await page.reload()
        await formOf(page, 'Mine')
        assert.equal(await field(page, 'views').inputValue(), '8')
        assert.equal(await field(page, 'score').inputValue(), '1.5')
        await field(page, 'views').fill('9')
        await page.keyboard.press('Control+s')
        await isSaved(page)
      },
      { path: '/console/c/article/new?locale=de' },
    ))

  it('has those of its language while an entry is new', async () => {
    const { entries } = served.project().app
    const rowOf = async (right: string) => {
      const author = { subject: 'api::article.article', role: { code: 'strapi-author' } }
      const where = { ...author, action: `plugin::content-manager.explorer.${right}` }
      const [row] = await entries('admin::permission').find({ where })
      return row as { id: number; properties: object }
    }
    const [read, create] = [await rowOf('read'), await rowOf('create')]
    const change = async ({ id, properties }: typeof read, limits: object) =>
      void (await entries('admin::permission').update(id, { properties: { ...properties, ...limits } }))
    await change(read, { locales: ['en'] })
    await change(create, { fields: ['title', 'seo.metaTitle', 'seo.metaDescription'] })
    await served.signedIn(
      'rita',
      async page => {
        const parts = async () => {
          await page.getByRole('form').waitFor()
          await page.getByRole('button', { name: 'Add to seo' }).click()
          await field(page, 'metaTitle').waitFor()
          return Promise.all(['views', 'summary', 'metaDescription'].map(name => field(page, name).count()))
        }
        assert.deepEqual(await parts(), [0, 0, 1])
        assert.equal(await page.getByRole('button', { name: 'Add to social' }).count(), 0)
        await field(page, 'Headline').fill('German of Rita')
        await page.keyboard.press('Control+s')
        await isSaved(page)
        await page.goto(`${served.origin}/console/c/article/new?locale=en`)
        assert.deepEqual(await parts(), [1, 1, 1])
      },
      { path: '/console/c/article/new?locale=de' },
    )
    await change(read, {})
    await change(create, {})
  })

  it('has fields that no list offers as a column or a filter', () =>
    served.signedIn(
      'rita',
      async page => {
        await page.getByRole('table').waitFor()
        await page.getByRole('button', { name: 'Columns' }).click()
        await page.getByRole('checkbox', { name: 'slug' }).waitFor()
        assert.equal(await page.getByRole('checkbox', { name: 'views' }).count(), 0)
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Filters' }).click()
        await page.getByRole('button', { name: 'Add condition' }).click()
        const names = await page.getByRole('combobox', { name: 'Field' }).locator('option').allInnerTexts()
        assert.ok(names.includes('slug'), names.join())
        assert.ok(!names.includes('views'))
      },
      { path: '/console/c/article' },
    ))
})
