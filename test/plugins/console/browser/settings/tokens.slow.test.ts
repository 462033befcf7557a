import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { Editor } from '../../project.js'
import { servedConsole } from '../served.js'
import { assertWithoutBarriers, heading, rowOf, said } from '../settings.js'

const path = '/console/settings/tokens'

describe('the API tokens', inBrowser, () => {
  const served = servedConsole()

  it('are made with chosen actions, and shown once', () =>
    served.signedIn(
      'ada',
      async page => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
        await page.getByRole('link', { name: 'New token' }).click()
        const form = page.getByRole('form', { name: 'Token' })
        await form.getByRole('textbox', { name: 'Name' }).fill('newsletter')
        await form.getByRole('combobox', { name: 'Valid for' }).selectOption('30 days')
        await form.getByRole('combobox', { name: 'Type' }).selectOption('What is chosen below')
        await form.getByRole('searchbox', { name: 'Filter types' }).fill('tag')
        await form.getByRole('checkbox', { name: 'Tag: List' }).check()
        await form.getByRole('button', { name: 'Create the token' }).click()
        const fresh = page.getByRole('region', { name: 'Key' })
        const key = await fresh.getByRole('textbox', { name: 'Key' }).inputValue()
        assert.match(key, /^[0-9a-f]{256}$/)
        const sample = await fresh.getByRole('textbox', { name: 'Sample request' }).inputValue()
        assert.equal(sample, `curl '${served.origin}/api/tags' -H 'Authorization: Bearer ${key}'`)
        await fresh.getByRole('button', { name: 'Copy: Key' }).click()
        await said(page, 'Copied: Key.')
        assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
        const { statusCode } = await served.project().send({
          method: 'GET',
          url: '/api/tags',
          headers: { authorization: `Bearer ${key}` },
        })
        assert.equal(statusCode, 200)
        await page.getByRole('link', { name: '← API tokens' }).click()
        await rowOf(page, 'API tokens', 'newsletter').getByText('What is chosen below').waitFor()
        assert.doesNotMatch(await page.content(), new RegExp(key))
      },
      { path },
    ))

  it('are changed, get another key, and are revoked', () =>
    served.signedIn(
      'ada',
      async page => {
        await page.getByRole('link', { name: 'newsletter' }).click()
        await heading(page, 'newsletter').waitFor()
        const form = page.getByRole('form', { name: 'Token' })
        assert.equal(await form.getByRole('checkbox', { name: 'Tag: List' }).isChecked(), true)
        await form.getByRole('textbox', { name: 'Description' }).fill('for the mail')
        await form.getByRole('checkbox', { name: 'Article: List' }).check()
        await form.getByRole('button', { name: 'Save' }).click()
        await said(page, 'Saved.')
        await page.getByRole('button', { name: 'Regenerate' }).click()
        const dialog = page.getByRole('dialog', { name: 'Regenerate newsletter' })
        await dialog.getByRole('button', { name: 'Regenerate' }).click()
        await page.getByRole('region', { name: 'Key' }).waitFor()
        assert.equal(await form.getByRole('checkbox', { name: 'Article: List' }).isChecked(), true)
        await page.getByRole('button', { name: 'Revoke' }).click()
        await page.getByRole('dialog', { name: 'Revoke newsletter' }).getByRole('button', { name: 'Revoke' }).click()
        await said(page, 'Revoked newsletter.')
        await page.getByRole('link', { name: 'New token' }).waitFor()
        assert.equal(await rowOf(page, 'API tokens', 'newsletter').count(), 0)
      },
      { path },
    ))

  it('are not there for an account without the permission, and refused by the server', async () => {
    const edda = await Editor.signIn(served.project(), 'edda')
    assert.equal((await edda.get('/console/api/api-tokens/actions')).status, 403)
    await served.signedIn('edda', page => heading(page, 'Nothing here').waitFor(), { path })
  })

  it('have no barriers that axe knows, and are reached by keys', () =>
    assertWithoutBarriers(served, 'ada', path, async (page, look) => {
      await page.getByRole('link', { name: 'New token' }).waitFor()
      await page.getByRole('table', { name: 'API tokens' }).waitFor()
      await look('tokens')
      await page.getByRole('link', { name: 'New token' }).click()
      await page.getByRole('combobox', { name: 'Type' }).selectOption('What is chosen below')
      await page.getByRole('checkbox', { name: 'Tag: List' }).waitFor()
      await look('new token')
      await page.getByRole('searchbox', { name: 'Filter types' }).fill('tag')
    }))
})
