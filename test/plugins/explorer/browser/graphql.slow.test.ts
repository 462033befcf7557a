import { strict as assert } from 'node:assert'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { accessibilityOf } from '../../../support/pages/accessibility.js'
import { inBrowser, type ServedPages, servedSample } from '../../../support/pages/served.js'
import { assertFits, until, type View } from '../../../support/pages/watched-page.js'
import { type Body, sent } from './page.js'

describe('GraphQL in the explorer', inBrowser, () => {
  const servedIn = (shape: 'v4' | 'flat') =>
    servedSample('/explorer', { plugins: { graphql: { enabled: true, config: { shape } } } })
  const served = servedIn('v4')
  const flat = servedIn('flat')

  const opened = (work: (page: Page) => Promise<void>, view: Partial<View> = {}, server: ServedPages = served) =>
    server.opened(
      async page => {
        await page.getByRole('heading', { level: 1, name: 'Article' }).waitFor()
        await work(page)
      },
      { width: 1440, ...view },
    )

  const builtQuery = async (page: Page) => {
    const request = page.getByRole('main', { name: 'Request' })
    await request.getByRole('group', { name: 'Fields of Article' }).getByRole('button', { name: 'title' }).click()
    await request.getByRole('checkbox', { name: /^author/ }).check()
    await request.getByText('fields, populate').click()
    await request.getByRole('group', { name: 'Fields of Author' }).getByRole('button', { name: 'name' }).click()
    await request.getByRole('button', { name: 'Add a condition' }).last().click()
    await request.getByLabel('Condition 1: field', { exact: true }).selectOption('title')
    await request.getByLabel('Condition 1: operator').selectOption('$containsi')
    await request.getByLabel('Condition 1: value').fill('bread')
    await page.getByRole('tab', { name: 'GraphQL' }).click()
    return request
  }
  const run = (page: Page) => page.getByRole('button', { name: 'Run' })

  it('shows a query as a document with variables, and runs it', () =>
    opened(async page => {
      await builtQuery(page)
      const document = `query Articles($filters: ArticleFiltersInput) {
  articles(filters: $filters, pagination: { limit: 25 }) {
    data {
      id
      attributes {
        title
        author { data { id attributes { name } } }
      }
    }
    meta { pagination { total page pageSize pageCount } }
  }
}`
      const variables = JSON.stringify({ filters: { title: { containsi: 'bread' } } }, null, 2)
      assert.deepEqual(await page.locator('#request-text pre').allTextContents(), [document, variables])
      assert.equal(await page.locator('.code-panel').getByText('copied').count(), 0)
      await page.evaluate(
        'Object.assign(navigator.clipboard, { writeText: async text => { globalThis.written = text } })',
      )
      await page.getByRole('button', { name: 'Copy variables' }).click()
      await page.locator('.code-panel').getByText('copied').waitFor()
      assert.equal(await page.evaluate('globalThis.written'), variables)
      const { body } = await sent(page)
      const answered = page.waitForResponse(`${served.origin}/graphql`)
      await run(page).click()
      const response = await answered
      assert.equal(response.status(), 200)
      assert.deepEqual(response.request().postDataJSON(), { query: document, variables: JSON.parse(variables) })
      const { data } = await response.json()
      assert.deepEqual(
        data.articles.data.map(({ id, attributes }: { id: string; attributes: { title: string } }) => [
          Number(id),
          attributes.title,
        ]),
        body.data.map(({ id, attributes }: { id: number; attributes: { title: string } }) => [id, attributes.title]),
      )
      await until(page, 'document.querySelector("#response-text").textContent.includes("articles")')
      const { total } = body.meta.pagination
      await page.locator('.response-head').getByText(`${total} of ${total} entries`).waitFor()
      assert.deepEqual(await accessibilityOf(page), [])
    }))

  it('shows a query in the flat shape, and runs it', () =>
    opened(
      async page => {
        await builtQuery(page)
        const document = `query ArticlesConnection($filters: ArticleFiltersInput) {
  articles_connection(filters: $filters, pagination: { limit: 25 }) {
    nodes { documentId title author { documentId name } }
    pageInfo { total page pageSize pageCount }
  }
}`
        assert.equal(await page.locator('#request-text pre').first().textContent(), document)
        const { body } = await sent(page)
        const answered = page.waitForResponse(`${flat.origin}/graphql`)
        await run(page).click()
        const { nodes } = (await (await answered).json()).data.articles_connection
        assert.deepEqual(
          nodes.map(({ documentId, title }: Body) => [Number(documentId), title]),
          body.data.map(({ id, attributes }: Body) => [id, attributes.title]),
        )
        await until(page, 'document.querySelector("#response-text").textContent.includes("articles_connection")')
        const { total } = body.meta.pagination
        await page.locator('.response-head').getByText(`${total} of ${total} entries`).waitFor()
      },
      {},
      flat,
    ))

  it('says which parts of a request it cannot express, and does not run them', () =>
    opened(async page => {
      const request = await builtQuery(page)
      await request.getByRole('searchbox', { name: 'Search' }).fill('oven')
      await request.getByLabel('Condition 1: operator').selectOption('$startsWithi')
      const sentences = page.getByRole('list', { name: 'Parts that are left out' }).getByRole('listitem')
      assert.deepEqual(await sentences.allTextContents(), [
        'GraphQL has no operator for $startsWithi.',
        'GraphQL has no search.',
      ])
      assert.equal(await run(page).isDisabled(), true)
      assert.deepEqual(await accessibilityOf(page), [])
      await request.getByRole('searchbox', { name: 'Search' }).fill('')
      await request.getByLabel('Condition 1: operator').selectOption('$contains')
      assert.equal(await sentences.count(), 0)
      assert.equal(await run(page).isDisabled(), false)
    }))

  it('shows the errors of a response', () =>
    opened(async page => {
      await builtQuery(page)
      await page.route(`${served.origin}/graphql`, route =>
        route.fulfill({
          json: { data: { articles: null }, errors: [{ message: 'Forbidden access', path: ['articles'] }] },
        }),
      )
      await run(page).click()
      await page.getByRole('list', { name: 'Errors' }).getByText('articles Forbidden access').waitFor()
    }))

  it('is read by axe without findings in the dark and on a phone, and fits', () =>
    opened(
      async page => {
        await builtQuery(page)
        await page.getByRole('searchbox', { name: 'Search' }).fill('oven')
        assert.deepEqual(await accessibilityOf(page), [])
        await assertFits(page)
      },
      { scheme: 'dark', width: 390, height: 844 },
    ))

  it('has no document for writes', () =>
    opened(async page => {
      await page.getByRole('tab', { name: 'Create' }).click()
      assert.equal(await page.getByRole('tab', { name: 'GraphQL' }).count(), 0)
    }))
})
