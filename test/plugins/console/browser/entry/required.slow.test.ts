import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { admin } from '../../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../../plugins/console/index.js'
import { upload } from '../../../../../plugins/upload/index.js'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { inBrowser } from '../../../../support/pages/served.js'
import { formOf } from '../form.js'
import { servedWorld } from '../served.js'

const required = true
const author = { type: 'relation', relation: 'manyToOne', target: 'api::author.author' }

describe('fields that are required', inBrowser, () => {
  const served = servedWorld({
    types: {
      author: { attributes: { name: { type: 'string' } } },
      article: {
        attributes: {
          title: { type: 'string', required },
          author: { ...author, required },
          editor: author,
          cover: { type: 'media', required },
          quotes: { type: 'component', component: 'shared.quote', repeatable: true, required },
          parts: { type: 'dynamiczone', components: ['shared.quote'], required },
        },
      },
    },
    components: { 'shared.quote': { attributes: { text: { type: 'string' } } } },
    plugins: [[admin, { ratelimit: { enabled: false } }], upload, contentConsole],
    rows: async ({ entries }) => void (await entries('api::author.author').create({ name: 'Ann' })),
  })

  it('say so to readers of the page, each as its role can', () =>
    served.signedIn(
      'Super Admin',
      async page => {
        await formOf(page, 'New article')
        await page.getByRole('button', { name: 'Choose for cover' }).waitFor()
        for (const name of ['author', 'cover', 'quotes', 'parts'])
          assert.equal(await page.getByRole('group', { name: `${name} (required)`, exact: true }).count(), 1, name)
        assert.equal(await page.getByRole('group', { name: 'editor', exact: true }).count(), 1)
        assert.equal(await page.getByRole('textbox', { name: 'title' }).getAttribute('aria-required'), 'true')
        const box = page.getByRole('combobox', { name: 'author: add' })
        assert.equal(await box.getAttribute('aria-required'), 'true')
        assert.equal(await page.getByRole('combobox', { name: 'editor: add' }).getAttribute('aria-required'), null)
        assert.deepEqual(await accessibilityOf(page), [])
        await box.fill('Ann')
        await page.getByRole('option', { name: 'Ann' }).click()
        await page.getByRole('link', { name: 'Ann' }).waitFor()
        // What was chosen is no longer asked for.
        assert.equal(await box.getAttribute('aria-required'), null)
      },
      { path: '/console/c/article/new' },
    ))
})
