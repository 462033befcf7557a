import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { Editor } from '../../project.js'
import { servedConsole } from '../served.js'
import { assertWithoutBarriers, heading, rowOf, said } from '../settings.js'

const path = '/console/settings/languages'

describe('the languages', inBrowser, () => {
  const served = servedConsole()

  it('are added, made the default and removed, with their entries or without', () =>
    served.signedIn(
      'ada',
      async page => {
        await page.getByRole('button', { name: 'Add language' }).click()
        const dialog = page.getByRole('dialog', { name: 'Add language' })
        await dialog.getByRole('combobox', { name: 'Code' }).fill('no-such-language-code')
        await dialog.getByRole('button', { name: 'Add language' }).click()
        await dialog
          .getByRole('alert')
          .getByText(/^Code .* names no language/)
          .waitFor()
        await dialog.getByRole('combobox', { name: 'Code' }).fill('es')
        await dialog.locator('.note', { hasText: 'Spanish' }).waitFor()
        await dialog.getByRole('button', { name: 'Add language' }).click()
        await said(page, 'Added Spanish (es).')
        await rowOf(page, 'Languages', 'Spanish (es)').waitFor()

        await page.getByRole('button', { name: 'Make default: Spanish (es)' }).click()
        await said(page, 'Spanish (es) is the default language.')
        await page.getByRole('button', { name: /^Make default: English/ }).click()
        await said(page, /^English .* is the default language\.$/)

        const question = (name: RegExp) => page.getByRole('dialog', { name })
        await page.getByRole('button', { name: 'Remove Spanish (es)' }).click()
        await question(/^Remove Spanish/)
          .getByText('No entries are in this language.')
          .waitFor()
        await question(/^Remove Spanish/)
          .getByRole('button', { name: 'Remove', exact: true })
          .click()
        await said(page, 'Removed Spanish (es).')

        const ada = await Editor.signIn(served.project(), 'ada')
        const count = async () => {
          const query = 'locale=fr&publicationState=preview&pagination[limit]=1&pagination[withCount]=true'
          return (await ada.get(`/console/api/articles?${query}`)).body.meta.pagination.total
        }
        assert.ok((await count()) > 0)
        await page.getByRole('button', { name: /^Remove French/ }).click()
        await question(/^Remove French/)
          .getByText(/^\d+ entries are in this language: .*Article \d+/)
          .waitFor()
        await question(/^Remove French/)
          .getByRole('radio', { name: 'Delete them' })
          .check()
        await question(/^Remove French/)
          .getByRole('button', { name: 'Remove', exact: true })
          .click()
        await said(page, /^Removed French/)
        await rowOf(page, 'Languages', /^French/).waitFor({ state: 'detached' })
        const found = await served
          .project()
          .app.entries('api::article.article')
          .count({ locale: { $eq: 'fr' } })
        assert.equal(found, 0)
      },
      { path },
    ))

  it('are managed by editors alone: the API of Strapi 4 has no such routes', async () => {
    const { statusCode } = await served
      .project()
      .send({ method: 'POST', url: '/api/i18n/locales', payload: { code: 'es' } })
    assert.equal(statusCode, 405)
    const edda = await Editor.signIn(served.project(), 'edda')
    assert.equal((await edda.ask('POST', '/console/api/i18n/locales', { code: 'es' })).status, 403)
    assert.equal((await edda.get('/console/api/i18n/locales/1/entries')).status, 403)
    await served.signedIn('edda', page => heading(page, 'Nothing here').waitFor(), { path })
  })

  it('have no barriers that axe knows, and are reached by keys', () =>
    assertWithoutBarriers(served, 'ada', path, async (page, look) => {
      await rowOf(page, 'Languages', /^German/).waitFor()
      await look('languages')
      await page.getByRole('button', { name: 'Add language' }).click()
      await look('add language')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Remove German/ }).click()
      await page.getByRole('radio', { name: 'Delete them' }).waitFor()
      await look('remove language')
      await page.keyboard.press('Escape')
    }))
})
