import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { noBrowser } from '../../../../support/browser.js'
import { addTo, field, formOf, formWithFiles, isSaved, status } from '../form.js'
import { changedRows, rowsIn } from '../rows.js'
import { servedConsole } from '../served.js'

describe.skipIf(noBrowser)('more of an entry in the console', { timeout: 180_000 }, () => {
  const served = servedConsole()

  it('are its languages: one is added with what all share, and takes over the rest of another', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Orchid 東京 10')
        const views = await field(page, 'views').inputValue()
        await page.getByRole('link', { name: '+ add German (de)' }).click()
        await formOf(page, 'New Article')
        assert.equal(await field(page, 'views').inputValue(), views)
        assert.equal(await field(page, 'body').inputValue(), '')
        await field(page, 'Headline').fill('Auf Deutsch')
        await page.keyboard.press('Control+s')
        await isSaved(page)
        await formOf(page, 'Auf Deutsch')
        assert.match(page.url(), /\/article\/\d+$/)
        await page.getByRole('complementary').getByRole('link', { name: 'English (en)' }).waitFor()
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Copy from another language' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click()
        await status(page, 'changes are not saved')
        assert.equal(await field(page, 'Headline').inputValue(), 'Orchid 東京 10')
        await page.keyboard.press('Control+s')
        await isSaved(page)
      },
      { path: '/console/c/article/10' },
    ))

  it('are copies, which lack what only one entry may have, and go as they came', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Cedar Cirrus 12')
        const before = rowsIn(served.database())
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Duplicate' }).click()
        await formOf(page, 'New Article')
        await page.getByRole('button', { name: 'Save' }).click()
        await isSaved(page)
        await formOf(page, 'Cedar Cirrus 12')
        const slug = await field(page, 'slug').inputValue()
        assert.equal(slug, 'cedar-cirrus-12')
        const made = changedRows(before, rowsIn(served.database()))
        assert.ok(made.fresh.length > 1)
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        const dialog = page.getByRole('dialog', { name: 'Delete Cedar Cirrus 12?' })
        await dialog.getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('heading', { name: 'Article', level: 1 }).waitFor()
        assert.deepEqual(changedRows(before, rowsIn(served.database())), { gone: [], fresh: [] })
      },
      { path: '/console/c/article/12' },
    ))

  it('are what leads to it, said before it is deleted', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('form').waitFor()
        await page.getByText('What leads here').click()
        const side = page.getByRole('complementary', { name: 'About this entry' })
        await side.getByText('Article › tags').waitFor()
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByText(/entries lead here; they lose the link\./).waitFor()
        await dialog.getByRole('button', { name: 'Cancel' }).click()
        await dialog.waitFor({ state: 'detached' })
      },
      { path: '/console/c/tag/3' },
    ))

  it('are accounts of the site and single types, each in the form that the API takes', () =>
    served.signedIn(
      'ada',
      async page => {
        await formOf(page, 'alice')
        await field(page, 'username').fill('alice the second')
        await page.keyboard.press('Control+s')
        await formOf(page, 'alice the second')
        await page.goto(`${served.origin}/console/s/homepage`)
        await formOf(page, 'Welcome')
        await page.getByRole('link', { name: 'French (fr)' }).click()
        await formOf(page, 'Bienvenue')
        await field(page, 'headline').fill('Bienvenue chez nous')
        await page.keyboard.press('Control+s')
        await isSaved(page)
        await formOf(page, 'Bienvenue chez nous')
        await page.goto(`${served.origin}/console/s/homepage`)
        await formOf(page, 'Welcome')
      },
      { path: '/console/c/user/1' },
    ))

  it('are accounts of the site that are made with a password and a role, and sign in', () =>
    served.signedIn(
      'ada',
      async page => {
        await formOf(page, 'New User')
        const password = 'a gate of nine planks'
        await field(page, 'username').fill('gate')
        await field(page, 'email').fill('gate@example.test')
        await page.getByLabel('password', { exact: true }).fill(password)
        await addTo(page, 'role', 'edi')
        await page.getByRole('list', { name: 'role' }).getByText('Editor').waitFor()
        await page.keyboard.press('Control+s')
        await isSaved(page)
        await formOf(page, 'gate')
        const reply = await served.project().send({
          method: 'POST',
          url: '/api/auth/local',
          payload: { identifier: 'gate@example.test', password },
        })
        assert.equal(reply.statusCode, 200, reply.payload)
        assert.equal(JSON.parse(reply.payload).user.username, 'gate')
        const stored = await served
          .project()
          .app.entries('plugin::users-permissions.user')
          .first({
            where: { username: { $eq: 'gate' } },
            populate: { role: true },
          })
        assert.equal((stored?.role as { name?: string } | undefined)?.name, 'Editor')
      },
      { path: '/console/c/user/new' },
    ))

  it('are files, chosen from the library or uploaded', () =>
    served.signedIn(
      'edda',
      async page => {
        await formWithFiles(page, 'Über 13', 'gallery')
        const gallery = page.getByRole('list', { name: 'gallery' }).getByRole('listitem')
        const count = await gallery.count()
        await page.getByRole('button', { name: 'Choose for gallery' }).click()
        const dialog = page.getByRole('dialog', { name: 'Choose for gallery' })
        await dialog.getByRole('searchbox', { name: 'Search files' }).fill('png')
        await dialog.getByRole('checkbox', { name: /^png-/, disabled: false }).first().check()
        await dialog.getByRole('button', { name: 'Take 1 file' }).click()
        assert.equal(await gallery.count(), count + 1)
        const chooser = page.waitForEvent('filechooser')
        await page.getByRole('button', { name: 'Upload for cover' }).click()
        await (await chooser).setFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.') })
        await page.getByRole('list', { name: 'cover' }).getByText('note.txt').waitFor()
        await page.keyboard.press('Control+s')
        await isSaved(page)
        await page.reload()
        await formWithFiles(page, 'Über 13', 'gallery')
        assert.equal(await gallery.count(), count + 1)
        await page.getByRole('button', { name: 'Remove note.txt' }).waitFor()
      },
      { path: '/console/c/article/13' },
    ))

  it('are components: added, moved, copied, pasted and brought back', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Fjord 14')
        const blocks = page.getByRole('list', { name: 'blocks', exact: true }).locator(':scope > li')
        const count = await blocks.count()
        const add = async (title: string) => {
          await page.getByRole('button', { name: 'Add to blocks' }).click()
          await page.getByRole('dialog', { name: 'Add to blocks' }).getByRole('button', { name: 'Quote' }).click()
          await page
            .getByRole('group', { name: /^Quote \d+$/ })
            .last()
            .getByRole('textbox', { name: 'title' })
            .fill(title)
        }
        await add('One')
        await page.getByRole('button', { name: 'More for Quote: One' }).click()
        await page.getByRole('button', { name: 'Copy Quote: One' }).click()
        await page.getByRole('button', { name: 'Paste into blocks' }).click()
        await page.getByRole('button', { name: 'Close Quote: One' }).nth(1).waitFor()
        await page.getByRole('button', { name: 'Move Quote: One up' }).last().focus()
        await page.keyboard.press('Alt+Home')
        assert.equal(await blocks.count(), count + 2)
        await page
          .getByRole('status', { name: 'Messages' })
          .getByText(`Quote: One, 1 of ${count + 2}`)
          .waitFor()
        await page.getByRole('button', { name: 'More for Quote: One' }).first().click()
        await page.getByRole('button', { name: 'Remove Quote: One' }).click()
        assert.equal(await blocks.count(), count + 1)
        await page.keyboard.press('Control+z')
        assert.equal(await blocks.count(), count + 2)
        await page.keyboard.press('Control+s')
        await isSaved(page)
        await page.reload()
        await formOf(page, 'Fjord 14')
        assert.match((await blocks.first().textContent()) ?? '', /Quote: One/)
      },
      { path: '/console/c/article/14' },
    ))
})
