import { strict as assert } from 'node:assert'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { App } from '../../../../core/kernel.js'
import { bootSample } from '../../../sample/sample.js'
import { noBrowser, startBrowser } from '../../../support/browser.js'
import { engines, type FreshDatabase } from '../../../support/engines.js'
import { accessibilityOf, type Body, openPage, sent, until } from './page.js'

const sqlite = engines.find(({ name }) => name === 'sqlite')
const options = { skip: noBrowser !== undefined || !sqlite?.available, timeout: 180_000 }

describe('GraphQL in the explorer', options, () => {
  const started: { readonly fresh: FreshDatabase; readonly app: App }[] = []
  let browser: Browser
  let origin: string
  let flatOrigin: string
  const originOf = async (shape: 'v4' | 'flat') => {
    assert.ok(sqlite)
    const fresh = await sqlite.fresh()
    const app = await bootSample(
      { env: { ...fresh.env, HOST: '127.0.0.1', PORT: '0' } },
      { plugins: { graphql: { enabled: true, config: { shape } } } },
    )
    started.push({ fresh, app })
    return `http://127.0.0.1:${(await app.listen()).port}`
  }
  beforeAll(async () => {
    origin = await originOf('v4')
    flatOrigin = await originOf('flat')
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    for (const { fresh, app } of started) {
      await app.close()
      await fresh.drop()
    }
  })

  const opened = async (
    work: (page: Page) => Promise<void>,
    scheme: 'light' | 'dark' = 'light',
    viewport = { width: 1440, height: 950 },
    server = origin,
  ) => {
    const { page, wrongs } = await openPage(browser, `${server}/explorer`, scheme, viewport)
    try {
      await page.getByRole('heading', { level: 1, name: 'Article' }).waitFor()
      await work(page)
      assert.deepEqual(wrongs, [])
    } finally {
      await page.context().close()
    }
  }

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
      const answered = page.waitForResponse(`${origin}/graphql`)
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
        const answered = page.waitForResponse(`${flatOrigin}/graphql`)
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
      'light',
      { width: 1440, height: 950 },
      flatOrigin,
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
      await page.route(`${origin}/graphql`, route =>
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
        const [is, may] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
        assert.ok(is <= may, `${is} of ${may}`)
      },
      'dark',
      { width: 390, height: 844 },
    ))

  it('has no document for writes', () =>
    opened(async page => {
      await page.getByRole('tab', { name: 'Create' }).click()
      assert.equal(await page.getByRole('tab', { name: 'GraphQL' }).count(), 0)
    }))
})
