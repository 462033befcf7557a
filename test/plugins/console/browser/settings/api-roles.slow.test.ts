import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { Editor } from '../../project.js'
import { servedConsole } from '../served.js'
import { assertWithoutBarriers, heading, rowOf, said } from '../settings.js'

const path = '/console/settings/api-roles'

describe('the API roles', inBrowser, () => {
  const served = servedConsole()

  it('are made, changed and deleted, with actions by type', () =>
    served.signedIn(
      'ada',
      async page => {
        const status = async () => (await served.project().send({ method: 'GET', url: '/api/memos' })).statusCode
        assert.equal(await status(), 403)
        await page.getByRole('link', { name: 'Public' }).click()
        const form = page.getByRole('form', { name: 'API role' })
        await form.getByRole('checkbox', { name: 'Memo: List' }).check()
        await form.getByRole('button', { name: 'Save' }).click()
        await said(page, 'Saved.')
        assert.equal(await status(), 200)
        assert.equal(await page.getByRole('button', { name: 'Delete', exact: true }).count(), 0)

        await form.getByRole('checkbox', { name: 'Tag: Delete' }).click()
        await page.getByRole('link', { name: '← API roles' }).click()
        const question = page.getByRole('dialog').filter({ hasText: 'What was changed here is not saved.' })
        await question.getByRole('button', { name: 'Keep editing' }).click()
        await heading(page, 'Public').waitFor()
        await page.getByRole('link', { name: '← API roles' }).click()
        await question.getByRole('button', { name: 'Discard' }).click()
        await page.getByRole('link', { name: 'New API role' }).click()
        await form.getByRole('textbox', { name: 'Name' }).fill('Public')
        await form.getByRole('button', { name: 'Save' }).click()
        await form.getByRole('alert').getByText('Name: This attribute must be unique').waitFor()
        await form.getByRole('textbox', { name: 'Name' }).fill('Member')
        await form.getByRole('searchbox', { name: 'Filter types' }).fill('article')
        await form.getByRole('checkbox', { name: 'Article: Create', exact: true }).check()
        await form.getByRole('button', { name: 'Save' }).click()
        await rowOf(page, 'API roles', 'Member').getByRole('link').click()
        await heading(page, 'Member').waitFor()
        assert.equal(await form.getByRole('checkbox', { name: 'Article: Create', exact: true }).isChecked(), true)
        await page.getByRole('button', { name: 'Delete', exact: true }).click()
        await page.getByRole('dialog', { name: 'Delete Member' }).getByRole('button', { name: 'Delete' }).click()
        await said(page, 'Deleted Member.')
        assert.equal(await rowOf(page, 'API roles', 'Member').count(), 0)
      },
      { path },
    ))

  it('are not there for an account without the permission, and refused by the server', async () => {
    const edda = await Editor.signIn(served.project(), 'edda')
    assert.equal((await edda.get('/console/api/users-permissions/roles')).status, 403)
    await served.signedIn('edda', page => heading(page, 'Nothing here').waitFor(), { path })
  })

  it('have no barriers that axe knows, and are reached by keys', () =>
    assertWithoutBarriers(served, 'ada', path, async (page, look) => {
      await rowOf(page, 'API roles', 'Public').waitFor()
      await look('API roles')
      await page.getByRole('link', { name: 'Public' }).click()
      await page.getByRole('checkbox', { name: 'Memo: List' }).waitFor()
      await look('API role')
      await page.getByRole('searchbox', { name: 'Filter types' }).fill('memo')
    }))
})

describe('API roles of config/permissions', inBrowser, () => {
  const served = servedConsole({
    files: { 'config/permissions.js': "module.exports = { roles: { public: { memo: ['find'] } } }" },
  })

  it('are read-only, and say where they stand', () =>
    served.signedIn(
      'ada',
      async page => {
        await page.getByRole('link', { name: 'Public' }).click()
        await page.getByText('This role is declared in config/permissions').waitFor()
        const box = page.getByRole('checkbox', { name: 'Memo: List' })
        assert.deepEqual([await box.isChecked(), await box.isDisabled()], [true, true])
        assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
      },
      { path },
    ))
})
