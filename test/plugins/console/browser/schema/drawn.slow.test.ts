import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { servedConsole } from '../served.js'
import { heading, rowOf, said } from '../settings.js'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
/** Has the browser open its database when it is told to. */
const slowDatabase = `{
  const open = IDBFactory.prototype.open
  const isTold = new Promise(resolve => { openDatabase = resolve })
  IDBFactory.prototype.open = function (...given) {
    const asked = {}
    isTold.then(() => {
      const real = open.apply(this, given)
      for (const name of ['onupgradeneeded', 'onsuccess', 'onerror'])
        real[name] = event => {
          asked.result = real.result
          asked[name]?.(event)
        }
    })
    return asked
  }
}`
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

describe('schemas that are drawn', inBrowser, () => {
  const served = servedConsole()

  it('has a new type with a relation from both ends, a rename, and a removal, kept over a reload and seen as a plan', () =>
    served.signedIn(
      'ada',
      async page => {
        await press(page, 'New content type')
        const fresh = dialog(page, 'New content type')
        await fresh.getByRole('textbox', { name: 'Display name' }).fill('Album')
        await fresh.getByRole('textbox', { name: 'Name of one entry' }).fill('tag')
        await fresh.getByRole('textbox', { name: 'Name of the list' }).fill('albums')
        await fresh.getByRole('checkbox', { name: 'Drafts' }).check()
        await fresh.getByRole('button', { name: 'Draw' }).click()
        await fresh.getByRole('alert').filter({ hasText: 'Name of one entry: This name is taken.' }).waitFor()
        await fresh.getByRole('textbox', { name: 'Name of one entry' }).fill('album')
        await fresh.getByRole('button', { name: 'Draw' }).click()
        await heading(page, 'Album').waitFor()

        await press(page, 'Add attribute')
        const attribute = dialog(page, 'Add attribute')
        await attribute.getByRole('textbox', { name: 'Name' }).fill('createdAt')
        await attribute.getByRole('checkbox', { name: 'Required (required)' }).check()
        await attribute.getByRole('button', { name: 'Draw' }).click()
        await attribute.getByRole('alert').filter({ hasText: 'The server uses this name itself.' }).waitFor()
        await attribute.getByRole('textbox', { name: 'Name' }).fill('title')
        await attribute.getByRole('spinbutton', { name: 'Longest length (maxLength)' }).fill('80')
        await attribute.getByRole('button', { name: 'Draw' }).click()
        await said(page, 'title is drawn. Nothing is written yet.')
        assert.match(
          await rowOf(page, 'Attributes', /^title new$/).innerText(),
          /string[\s\S]*required[\s\S]*maxLength: 80/,
        )

        await press(page, 'Add attribute')
        await attribute.getByRole('textbox', { name: 'Name' }).fill('tags')
        await attribute.getByRole('combobox', { name: 'Type' }).selectOption('relation')
        await attribute.getByRole('combobox', { name: 'Kind of relation' }).selectOption('manyToMany')
        await attribute.getByRole('combobox', { name: 'Leads to' }).selectOption('api::tag.tag')
        await attribute.getByText('Many entries of Album lead to many of Tag.').waitFor()
        await attribute.getByRole('textbox', { name: 'Attribute of Tag that leads back' }).fill('albums')
        await attribute.getByRole('button', { name: 'Draw' }).click()
        await rowOf(page, 'Attributes', /^tags new$/)
          .getByRole('link', { name: 'Tag' })
          .click()
        await heading(page, 'Tag').waitFor()
        await rowOf(page, 'Attributes', /^albums new$/).waitFor()

        await press(page, 'Change name')
        const change = dialog(page, 'Change name')
        await change.getByRole('textbox', { name: 'Name' }).fill('label')
        await page.keyboard.press('Escape')
        await dialog(page, 'Leave without saving?').getByRole('button', { name: 'Keep editing' }).click()
        assert.equal(await change.getByRole('textbox', { name: 'Name' }).inputValue(), 'label')
        await change.getByRole('button', { name: 'Draw' }).click()
        await rowOf(page, 'Attributes', /^label was name$/).waitFor()
        await press(page, 'Move label down')
        await said(page, /^label, 2 of \d+$/)

        await press(page, 'Rename')
        const names = dialog(page, 'Rename Tag')
        assert.equal(await names.getByRole('textbox', { name: 'Name of one entry' }).isEditable(), false)
        await names.getByText('routes, controllers and services of the project have it in their code').waitFor()
        await names.getByRole('textbox', { name: 'Name of the list' }).fill('labels')
        await names.getByText('The addresses of the API change with the names.').waitFor()
        await names.getByRole('button', { name: 'Draw' }).click()
        await said(page, 'Tag is drawn. Nothing is written yet.')

        page.once('dialog', question => question.accept())
        await page.addInitScript(slowDatabase)
        await page.reload()
        await heading(page, 'Tag').waitFor()
        // Nothing can be drawn before, and leaving the view loses nothing.
        assert.equal(await page.getByRole('button', { name: 'Add attribute' }).count(), 0)
        await page.getByRole('link', { name: 'Home', exact: true }).click()
        await heading(page, 'Tag').waitFor({ state: 'detached' })
        await page.evaluate('openDatabase()')
        await page.goBack()
        await rowOf(page, 'Attributes', /^label was name$/).waitFor()
        await press(page, 'See the plan')
        await page.getByRole('listitem').filter({ hasText: 'the column tags.name becomes label' }).waitFor()
        await page.getByRole('listitem').filter({ hasText: 'create the table albums' }).first().waitFor()

        const album = 'src/api/album/content-types/album/schema.json'
        assert.deepEqual(JSON.parse(await page.getByRole('textbox', { name: album }).inputValue()), {
          kind: 'collectionType',
          collectionName: 'albums',
          info: { singularName: 'album', pluralName: 'albums', displayName: 'Album' },
          options: { draftAndPublish: true },
          attributes: {
            title: { type: 'string', required: true, maxLength: 80 },
            tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'albums' },
          },
        })
        const download = page.waitForEvent('download')
        await press(page, `Download ${album}`)
        assert.equal((await download).suggestedFilename(), 'schema.json')
        assert.equal(await page.getByRole('button', { name: 'Write files' }).count(), 0)

        await press(page, 'Remove albums')
        await dialog(page, 'Remove albums').getByText('The other side goes with it: Album.tags').waitFor()
        await dialog(page, 'Remove albums').getByRole('button', { name: 'Remove' }).click()
        await rowOf(page, 'Attributes', /^albums/).waitFor({ state: 'detached' })
        await press(page, 'Remove label')
        await dialog(page, 'Remove label').getByRole('button', { name: 'Remove' }).click()
        await press(page, 'Restore name')
        await said(page, 'name is back.')
        await rowOf(page, 'Attributes', /^name$/).waitFor()
        assert.equal(await page.locator(':focus').innerText(), 'Add attribute')
        await press(page, 'Discard all changes')
        await rowOf(page, 'Attributes', /^name$/).waitFor()
        assert.equal(existsSync(join(served.project().app.config.appDir, album)), false)
      },
      { path: '/console/schema' },
    ))
})
