import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { Editor, made } from '../../project.js'
import { servedConsole, signIn } from '../served.js'
import { assertWithoutBarriers, heading, rowOf, said } from '../settings.js'

const path = '/console/settings/roles'
const explorer = (right: string) => `plugin::content-manager.explorer.${right}`
const article = 'api::article.article'

const box = (page: Page, name: string | RegExp) => page.getByRole('checkbox', { name })
const save = (page: Page) => page.getByRole('button', { name: 'Save' })
const details = (page: Page, type: string) => page.getByRole('table', { name: `Details of ${type}` })

describe('the roles of editors', inBrowser, () => {
  const declared = {
    'config/permissions.js': "module.exports = { editors: { chief: { name: 'Chief', tag: ['read'] } } }",
  }
  const served = servedConsole({ files: declared })
  const entries = (uid: string) => served.project().app.entries(uid)
  const rowsOf = (role: number) =>
    entries('admin::permission').find({ where: { role: { id: { $eq: role } } }, sort: 'id' })
  const roleNamed = async (name: string) =>
    Number((await entries('admin::role').first({ where: { name: { $eq: name } } }))?.id)

  it('are made, given rights down to fields, languages and own entries, and deleted', () =>
    served.signedIn(
      'ada',
      async page => {
        await rowOf(page, 'Roles', 'Translator').getByText('2', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'New role' }).click()
        const dialog = page.getByRole('dialog', { name: 'New role' })
        await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Helper')
        await dialog.getByRole('textbox', { name: 'Description' }).fill('helps')
        await dialog.getByRole('button', { name: 'Make role' }).click()
        await heading(page, 'Helper').waitFor()
        await page.getByRole('searchbox', { name: 'Filter types' }).fill('artic')
        await box(page, /^Article: Read/).check()
        await box(page, /^Article: Create/).check()
        await box(page, 'Article: Delete').check()
        await page.getByRole('button', { name: 'Details of Article' }).click()
        const table = details(page, 'Article')
        await table.getByRole('checkbox', { name: 'title: Create', exact: true }).uncheck()
        await page.getByText(/^Required and not among the fields of Create: title\./).waitFor()
        await table.getByRole('checkbox', { name: 'only own entries: Delete' }).check()
        await table.getByRole('checkbox', { name: 'All languages: Read' }).uncheck()
        for (const language of ['English (en): Read', 'French (fr): Read', 'German (de): Read'])
          await table.getByRole('checkbox', { name: language }).uncheck()
        await page.getByText('No language: this role sees no entry.').waitFor()
        await table.getByRole('checkbox', { name: 'German (de): Read' }).check()
        assert.equal(await page.getByText('No language: this role sees no entry.').count(), 0)
        await page.getByText('de · only own entries').waitFor()
        await page.getByRole('searchbox', { name: 'Filter types' }).fill('')
        await page.getByRole('group', { name: 'Media' }).getByRole('checkbox', { name: 'Upload' }).check()
        await save(page).click()
        await said(page, 'Saved.')
        const id = await roleNamed('Helper')
        const rows = await rowsOf(id)
        assert.deepEqual(
          rows.map(({ action, subject, conditions }) => [action, subject, conditions]),
          [
            [explorer('read'), article, []],
            [explorer('create'), article, []],
            [explorer('delete'), article, ['admin::is-creator']],
            ['plugin::upload.assets.create', null, []],
          ],
        )
        const [read, create] = rows.map(({ properties }) => properties as { fields: string[]; locales: unknown })
        assert.deepEqual(read?.locales, ['de'])
        assert.deepEqual([read?.fields.includes('title'), create?.fields.includes('title')], [true, false])
        assert.equal(create?.locales, null)
        await page.getByRole('button', { name: 'Delete', exact: true }).click()
        await page.getByRole('dialog', { name: 'Delete Helper' }).getByRole('button', { name: 'Delete' }).click()
        await said(page, 'Deleted Helper.')
        await rowOf(page, 'Roles', 'Translator').waitFor()
        assert.equal(await rowOf(page, 'Roles', 'Helper').count(), 0)
      },
      { path },
    ))

  it('are tried before they are saved, and written as code', async () => {
    const id = await roleNamed('Author')
    const before = await rowsOf(id)
    await served.signedIn(
      'ada',
      async page => {
        const shows = page.getByRole('status', { name: 'Try it' })
        await page.getByRole('combobox', { name: 'As this role' }).selectOption('Article')
        const of = await entries(article).count()
        const own = await entries(article).count({ createdBy: { id: { $eq: 1 } } })
        assert.equal(own < of, true)
        await shows.getByText(`shows: ${own} of ${of} entries`).waitFor()
        await page.getByRole('button', { name: 'Details of Article' }).click()
        await details(page, 'Article').getByRole('checkbox', { name: 'only own entries: Read' }).uncheck()
        await details(page, 'Article').getByRole('checkbox', { name: 'All languages: Read' }).check()
        await shows.getByText(`shows: ${of} of ${of} entries`).waitFor()
        await page.getByRole('button', { name: 'Show the list' }).click()
        await page.getByRole('table', { name: 'Entries of the role' }).getByRole('rowheader').first().waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Copy as code' }).click()
        const text = await page.getByRole('textbox', { name: 'config/permissions' }).inputValue()
        assert.match(text, /'strapi-author': \{\n {4}name: 'Author',/)
        assert.match(text, /'plugin::upload': \{\n.*where: 'own'/)
        await page.keyboard.press('Escape')
        await page.getByRole('link', { name: '← Roles' }).click()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /Leave|Discard/ })
          .click()
        await rowOf(page, 'Roles', 'Author').waitFor()
      },
      { path: `${path}/${id}` },
    )
    assert.deepEqual(await rowsOf(id), before)
  })

  it('keep conditions and rows of the project, and say what they do', async () => {
    const role = Number((await entries('admin::role').create({ name: 'Weekend', code: 'weekend' })).id)
    const condition = 'plugin::mine.weekend'
    await entries('admin::permission').create({ action: 'plugin::gone.thing', subject: null, role })
    await entries('admin::permission').create({
      ...{ action: explorer('read'), subject: 'api::tag.tag', role, conditions: [condition] },
      properties: { fields: ['name', 'gone'] },
    })
    const [strange] = await rowsOf(role)
    await served.signedIn(
      'ada',
      async page => {
        await page
          .getByText(`${condition}: This condition needs code that does not run here: entries stay hidden.`)
          .waitFor()
        await page.getByText('1 other permission').click()
        await page.getByText('plugin::gone.thing').waitFor()
        await page.getByRole('button', { name: 'Details of Tag' }).click()
        await details(page, 'Tag').getByRole('checkbox', { name: 'entries of the same role: Read' }).check()
        await save(page).click()
        await said(page, 'Saved.')
      },
      { path: `${path}/${role}` },
    )
    const [kept, changed] = await rowsOf(role)
    assert.deepEqual(kept, strange)
    assert.deepEqual(changed?.conditions, ['admin::has-same-role-as-creator', condition])
    assert.deepEqual(Object(changed?.properties).fields, ['name', 'gone'])
  })

  it('that are declared or may everything are read-only, and say why', async () => {
    const chief = Number((await entries('admin::role').create({ name: 'Chief', code: 'chief' })).id)
    for (const [id, text] of [
      [chief, 'This role is declared in config/permissions, under editors.chief, and is changed there.'],
      [1, 'Super Admins may everything: nothing of it can be taken away.'],
    ] as const)
      await served.signedIn(
        'ada',
        async page => {
          await page.getByText(text).waitFor()
          assert.equal(await save(page).count(), 0)
          assert.equal(await page.getByRole('button', { name: 'Delete', exact: true }).count(), 0)
          assert.equal(await page.getByRole('checkbox', { disabled: false }).count(), 0)
        },
        { path: `${path}/${id}` },
      )
  })

  it('offer what the account may give, and no more', async () => {
    const ada = await Editor.signIn(served.project(), 'ada')
    const manager = Number((await entries('admin::role').create({ name: 'Manager', code: 'manager' })).id)
    for (const action of ['read', 'create', 'update', 'delete'])
      await entries('admin::permission').create({ action: `admin::roles.${action}`, role: manager })
    const { accounts } = (await ada.get('/console/accounts')).body
    const anton = accounts.find(({ email }: { email: string }) => email === made.accounts.anton?.email)
    const roles = [...anton.roles.map(({ id }: { id: number }) => id), manager]
    assert.equal((await ada.ask('PUT', `/console/accounts/${anton.id}`, { roles })).status, 200)
    const editors = await roleNamed('Editor')
    await served.signedIn(
      'anton',
      async page => {
        await page.getByRole('button', { name: 'New role' }).click()
        await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Junior')
        await page.getByRole('button', { name: 'Make role' }).click()
        await heading(page, 'Junior').waitFor()
        await box(page, /^Article: Read/).check()
        assert.equal(await box(page, /^Article: Publish/).count(), 0)
        assert.equal(await page.getByRole('group', { name: 'Accounts' }).count(), 0)
        await page.getByRole('button', { name: 'Details of Article' }).click()
        const own = details(page, 'Article').getByRole('checkbox', { name: 'only own entries: Read' })
        assert.deepEqual([await own.isChecked(), await own.isDisabled()], [true, true])
        await save(page).click()
        await said(page, 'Saved.')
        await page.goto(`${served.origin}${path}/${editors}`)
        await heading(page, 'Editor').waitFor()
        assert.equal(await box(page, /^Article: Publish/).isDisabled(), true)
      },
      { path },
    )
  })

  it('are reached by the addresses that Strapi’s panel has, and not there without the permission', async () => {
    await served.opened(
      async page => {
        await signIn(page, 'ada')
        await heading(page, 'Editor').waitFor()
        await page.goto(`${served.origin}/admin/settings/roles`)
        await rowOf(page, 'Roles', 'Translator').waitFor()
      },
      { path: '/admin/settings/roles/2' },
    )
    await served.signedIn('edda', page => heading(page, 'Nothing here').waitFor(), { path })
  })

  it('have no barriers that axe knows, and are reached by keys', () =>
    assertWithoutBarriers(served, 'ada', path, async (page, look) => {
      await rowOf(page, 'Roles', 'Translator').waitFor()
      await look('roles')
      await page.getByRole('button', { name: 'New role' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'New role' }).getByRole('textbox', { name: 'Name', exact: true }).waitFor()
      await look('new-role')
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Translator' }).click()
      await page
        .getByRole('status', { name: 'Try it' })
        .getByText(/^shows/)
        .waitFor()
      await page.getByRole('button', { name: 'Details of Article' }).focus()
      await page.keyboard.press('Enter')
      await details(page, 'Article').waitFor()
      await look('role')
      await page.getByRole('button', { name: 'Copy as code' }).click()
      await page.getByRole('textbox', { name: 'config/permissions' }).waitFor()
      await look('role-code')
      await page.keyboard.press('Escape')
      await page.getByRole('searchbox', { name: 'Filter types' }).fill('tag')
    }))
})
