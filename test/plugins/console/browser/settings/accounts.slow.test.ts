import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { Editor, made } from '../../project.js'
import { servedConsole, signIn } from '../served.js'
import { assertWithoutBarriers, heading, rowOf, said } from '../settings.js'

const path = '/console/settings/accounts'

describe('the accounts', inBrowser, () => {
  const served = servedConsole()

  it('are invited, choose their password by the link, and are blocked, unblocked and deleted', () =>
    served.signedIn(
      'ada',
      async page => {
        await rowOf(page, 'Accounts', /\(you\)/)
          .getByText('● Active')
          .waitFor()
        await page.getByRole('button', { name: 'Invite' }).click()
        const dialog = page.getByRole('dialog', { name: 'Invite' })
        await dialog.getByText('The server sends no mail').waitFor()
        await dialog.getByRole('textbox', { name: 'First name' }).fill('Nora')
        await dialog.getByRole('textbox', { name: 'E-mail' }).fill('Nora@example.test')
        await dialog.getByRole('button', { name: 'Invite' }).click()
        await dialog
          .getByRole('alert')
          .getByText(/^Roles must not be empty/)
          .waitFor()
        await dialog.getByRole('checkbox', { name: 'Author', exact: true }).check()
        await dialog.getByRole('button', { name: 'Invite' }).click()
        const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
        await dialog.getByText(/^Send this link to nora@example.test\./).waitFor()
        await dialog.getByRole('button', { name: 'Copy' }).click()
        await dialog.getByRole('button', { name: 'Done' }).click()
        const row = rowOf(page, 'Accounts', 'Nora')
        await row.getByText(/Invited until /).waitFor()
        await row.getByText('Author').waitFor()

        const code = link.slice(link.indexOf('#') + 1)
        const nora = new Editor(served.project())
        const password = 'eleven elephants'
        assert.equal((await nora.ask('POST', '/console/invitation', { code, password })).status, 200)
        const asNora = await Editor.of(served.project(), { email: 'nora@example.test', password })

        await row.getByRole('link', { name: 'Nora' }).click()
        await heading(page, 'Nora').waitFor()
        await page.getByText('● Active').waitFor()
        const form = page.getByRole('form', { name: 'Account' })
        await form.getByRole('textbox', { name: 'Last name' }).fill('North')
        await form.getByRole('checkbox', { name: 'Editor', exact: true }).check()
        await form.getByRole('button', { name: 'Save' }).click()
        await heading(page, 'Nora North').waitFor()
        assert.equal((await asNora.get('/console/session')).status, 200)
        await page.getByRole('button', { name: 'Sign out everywhere' }).click()
        await said(page, 'Signed out Nora North everywhere.')
        assert.equal((await asNora.get('/console/session')).status, 401)
        await page.getByRole('button', { name: 'New password' }).click()
        const shown = page.getByRole('dialog', { name: 'Link for Nora North' })
        assert.match(await shown.getByRole('textbox', { name: 'Link' }).inputValue(), /\/console\/password#[\w-]{43}$/)
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Block' }).click()
        await page.getByText('✕ Blocked').waitFor()
        assert.equal(await page.getByRole('button', { name: 'New password' }).count(), 0)
        await page.getByRole('button', { name: 'Unblock' }).click()
        await page.getByText('● Active').waitFor()
        await page.getByRole('button', { name: 'Delete' }).click()
        const sure = page.getByRole('dialog', { name: 'Delete Nora North' })
        await sure.getByText('Entries of this account stay, without the name of their maker.').waitFor()
        await sure.getByRole('button', { name: 'Delete' }).click()
        await said(page, 'Deleted Nora North.')
        await rowOf(page, 'Accounts', /\(you\)/).waitFor()
        assert.equal(await rowOf(page, 'Accounts', 'Nora').count(), 0)
      },
      { path },
    ))

  it('of one’s own lead to the profile, and the last Super Admin can be neither blocked nor deleted', async () => {
    await served.signedIn(
      'ada',
      async page => {
        await page.getByText('This is your own account.').waitFor()
        for (const name of ['Block', 'Delete', 'Save'])
          assert.equal(await page.getByRole('button', { name }).count(), 0)
        await page.getByRole('link', { name: 'Profile' }).last().click()
        await heading(page, 'Profile').waitFor()
        await page.goto(served.origin + path)
        await rowOf(page, 'Accounts', /\(you\)/)
          .getByRole('link')
          .click()
        await heading(page, 'Profile').waitFor()
      },
      { path: `${path}/1` },
    )
    const ada = await Editor.signIn(served.project(), 'ada')
    for (const [method, body] of [['DELETE'], ['PUT', { blocked: true }]] as const)
      assert.equal((await ada.ask(method, '/console/accounts/1', body)).status, 400)
  })

  it('offer what an account may: those of stronger roles are read-only, and no stronger role is given', async () => {
    const ada = await Editor.signIn(served.project(), 'ada')
    const { body } = await ada.get('/console/accounts')
    const author = body.roles.find(({ code }: { code: string }) => code === 'strapi-author')
    const manager = await served.project().app.entries('admin::role').create({ name: 'Manager', code: 'manager' })
    for (const action of ['read', 'create', 'update'])
      await served
        .project()
        .app.entries('admin::permission')
        .create({ action: `admin::users.${action}`, role: Number(manager.id) })
    const id = body.accounts.find(({ email }: { email: string }) => email === made.accounts.anton?.email).id
    await ada.ask('PUT', `/console/accounts/${id}`, { roles: [author.id, Number(manager.id)] })
    await served.signedIn(
      'anton',
      async page => {
        await page.getByRole('button', { name: 'Invite' }).click()
        const dialog = page.getByRole('dialog', { name: 'Invite' })
        const offered = await dialog
          .getByRole('checkbox')
          .evaluateAll(boxes => boxes.map(box => box.parentElement?.textContent))
        assert.equal(offered.includes('Author'), true)
        assert.equal(offered.includes('Super Admin'), false)
        assert.equal(offered.includes('Editor'), false)
        await page.keyboard.press('Escape')
        await page.goto(`${served.origin}${path}/1`)
        await page.getByText('This is the last active Super Admin').waitFor()
        for (const name of ['Block', 'Delete', 'Save', 'New password'])
          assert.equal(await page.getByRole('button', { name }).count(), 0)
        await page.goto(`${served.origin}${path}/2`)
        await page.getByText('This account has a role with permissions that you lack').waitFor()
      },
      { path },
    )
  })

  it('are reached by the address that Strapi’s panel has, and not there without the permission', async () => {
    await served.opened(
      async page => {
        await signIn(page, 'ada')
        await rowOf(page, 'Accounts', /\(you\)/).waitFor()
      },
      { path: '/admin/settings/users' },
    )
    await served.signedIn('edda', page => heading(page, 'Nothing here').waitFor(), { path })
  })

  it('have no barriers that axe knows, and are reached by keys', () =>
    assertWithoutBarriers(served, 'ada', path, async (page, look) => {
      await rowOf(page, 'Accounts', /\(you\)/).waitFor()
      await look('accounts')
      await page.getByRole('button', { name: 'Invite' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Invite' }).getByRole('textbox', { name: 'First name' }).waitFor()
      await look('invite')
      await page.keyboard.press('Escape')
      await page.getByRole('table', { name: 'Accounts' }).getByRole('link').nth(1).click()
      await page.getByRole('form', { name: 'Account' }).waitFor()
      await look('account')
    }))
})
