import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, it, vi } from 'vitest'
import type { Body } from '../../../../support/contract.js'
import { inBrowser } from '../../../../support/pages/served.js'
import { ask } from '../../../../support/terminal.js'
import { heading, rowOf } from '../settings.js'
import { developedConsole } from './developed.js'

// The server starts again for each write.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const note = 'content-types/note.json'
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const written = (page: Page, text: RegExp) =>
  page.getByRole('status').filter({ hasText: text }).waitFor({ timeout: 120_000 })

describe('schemas that are written', inBrowser, () => {
  const app = developedConsole(
    {
      [note]: `{
  "collectionName": "notes",
  "info": { "singularName": "note", "pluralName": "notes", "displayName": "Note" },
  "attributes": {
    "title": { "type": "string" },
    "stars": { "type": "string" },
    "parts": { "type": "dynamiczone", "components": ["shared.seo"] }
  }
}
`,
      'content-types/components/shared/seo.json': `{ "collectionName": "seos", "attributes": { "text": { "type": "string" } } }`,
    },
    async url => {
      const parts = [{ __component: 'shared.seo', text: 'found' }]
      for (const stars of ['1', '2', 'three']) {
        const data = { title: `Note ${stars}`, stars, parts }
        assert.equal((await ask(`${url}/api/notes`, { method: 'POST', data })).status, 200)
      }
    },
  )

  it('are served after the server has started again, keep renamed values, and ask twice before any are lost', () =>
    app.signedIn('/console/schema', async page => {
      await press(page, 'New content type')
      const fresh = dialog(page, 'New content type')
      await fresh.getByRole('textbox', { name: 'Display name' }).fill('Shelf')
      await fresh.getByRole('textbox', { name: 'Name of one entry' }).fill('shelf')
      await fresh.getByRole('textbox', { name: 'Name of the list' }).fill('shelves')
      await fresh.getByRole('button', { name: 'Draw' }).click()
      await heading(page, 'Shelf').waitFor()
      const attribute = dialog(page, 'Add attribute')
      await press(page, 'Add attribute')
      await attribute.getByRole('textbox', { name: 'Name' }).fill('place')
      await attribute.getByRole('button', { name: 'Draw' }).click()
      await press(page, 'Add attribute')
      await attribute.getByRole('textbox', { name: 'Name' }).fill('notes')
      await attribute.getByRole('combobox', { name: 'Type' }).selectOption('relation')
      await attribute.getByRole('combobox', { name: 'Kind of relation' }).selectOption('oneToMany')
      await attribute.getByRole('combobox', { name: 'Leads to' }).selectOption('api::note.note')
      await attribute.getByRole('textbox', { name: 'Attribute of Note that leads back' }).fill('shelf')
      await attribute.getByRole('button', { name: 'Draw' }).click()
      await rowOf(page, 'Attributes', /^notes new$/)
        .getByRole('link', { name: 'Note' })
        .click()
      await heading(page, 'Note').waitFor()
      await press(page, 'Change title')
      await dialog(page, 'Change title').getByRole('textbox', { name: 'Name' }).fill('headline')
      await dialog(page, 'Change title').getByRole('button', { name: 'Draw' }).click()
      await press(page, 'See the plan')
      await page.getByRole('listitem').filter({ hasText: 'the column notes.title becomes headline' }).waitFor()
      await press(page, 'Write files')
      await written(page, /^Written: /)
      await rowOf(page, 'Attributes', /^headline$/).waitFor()
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Shelf' }).waitFor()
      const { body } = await ask(`${app.url()}/api/notes?sort=id`)
      assert.deepEqual(
        body.data.map((one: { attributes: { headline: string } }) => one.attributes.headline),
        ['Note 1', 'Note 2', 'Note three'],
      )
      const shelf = await ask(`${app.url()}/api/shelves`, {
        method: 'POST',
        data: { place: 'Left', notes: [body.data[0].id] },
      })
      assert.equal(shelf.status, 200)
      assert.ok(existsSync(join(app.folder(), 'content-types/shelf.json')))

      await press(page, 'Change stars')
      await dialog(page, 'Change stars').getByRole('combobox', { name: 'Type' }).selectOption('integer')
      await dialog(page, 'Change stars').getByRole('button', { name: 'Draw' }).click()
      await press(page, 'See the plan')
      const write = page.getByRole('button', { name: 'Write files' })
      await write.waitFor()
      assert.equal(await write.isDisabled(), true)
      await page.getByRole('checkbox', { name: '1 row or value is lost, and I do not need it' }).check()
      await write.click()
      const loss = dialog(page, 'Lose values?')
      assert.equal(await loss.getByRole('button', { name: 'Write files' }).isDisabled(), true)
      await loss.getByRole('textbox', { name: 'Type Note to go on' }).fill('Note')
      await loss.getByRole('button', { name: 'Write files' }).click()
      await written(page, /^Written: .* A copy of the database from before is in /)
      const after = await ask(`${app.url()}/api/notes?sort=id`)
      assert.deepEqual(
        after.body.data.map((one: { attributes: { stars: unknown } }) => one.attributes.stars),
        [1, 2, null],
      )
      assert.match(readFileSync(join(app.folder(), note), 'utf8'), /"stars": \{ "type": "integer" \}/)
    }))

  it('have types and components under other names, with all that is stored, and with what leads to them', () =>
    app.signedIn('/console/schema/note', async page => {
      await heading(page, 'Note').waitFor()
      await press(page, 'Rename')
      const form = dialog(page, 'Rename Note')
      await form.getByRole('textbox', { name: 'Display name' }).fill('Memo')
      await form.getByRole('textbox', { name: 'Name of one entry' }).fill('shelf')
      await form.getByRole('textbox', { name: 'Name of the list' }).fill('memos')
      await form.getByRole('button', { name: 'Draw' }).click()
      await form.getByRole('alert').filter({ hasText: 'Name of one entry: This name is taken.' }).waitFor()
      await form.getByRole('textbox', { name: 'Name of one entry' }).fill('memo')
      await form.getByText('Stored values, links, files and permissions stay').waitFor()
      assert.deepEqual(await form.getByRole('listitem').allInnerTexts(), [
        'content-types/memo.json',
        note,
        'content-types/shelf.json',
      ])
      await form.getByRole('button', { name: 'Draw' }).click()
      await heading(page, 'Memo').waitFor()
      await page.getByText('was api::note.note').waitFor()

      await page.getByRole('link', { name: '← Schema' }).click()
      await page.getByRole('link', { name: 'seo', exact: true }).click()
      await press(page, 'Rename')
      await dialog(page, 'Rename seo').getByRole('textbox', { name: 'Category' }).fill('site')
      await dialog(page, 'Rename seo').getByRole('textbox', { name: 'Name', exact: true }).fill('meta')
      await dialog(page, 'Rename seo').getByRole('button', { name: 'Draw' }).click()
      await page.getByText('was shared.seo').waitFor()
      await press(page, 'See the plan')
      const changes = page.getByRole('listitem')
      await changes.filter({ hasText: 'the table notes becomes memos' }).waitFor()
      await changes.filter({ hasText: /name site\.meta in place of shared\.seo/ }).waitFor()
      assert.equal(await page.getByRole('heading', { name: /^Removals/ }).count(), 0)
      await press(page, 'Write files')
      await written(page, /^Written: .* A copy of the database from before is in /)
      assert.deepEqual(
        ['note.json', 'memo.json'].map(name => existsSync(join(app.folder(), 'content-types', name))),
        [false, true],
      )
      const { body } = await ask(`${app.url()}/api/memos?sort=id&populate=*`)
      assert.deepEqual(
        body.data.map(({ attributes }: Body) => [attributes.headline, attributes.parts, attributes.shelf.data?.id]),
        [1, 2, 3].map((id, at) => [
          ['Note 1', 'Note 2', 'Note three'][at],
          [{ __component: 'site.meta', id, text: 'found' }],
          at === 0 ? 1 : undefined,
        ]),
      )
      assert.equal((await ask(`${app.url()}/api/notes`)).status, 404)
      await page.goto(`${app.url()}/console/settings/activity?event=schema-write`)
      const rows = page.getByRole('row').filter({ hasText: 'Schema written' })
      await rows.first().waitFor()
      assert.match((await rows.allInnerTexts()).join('\n'), /Ada[\s\S]*Values lost: 1/)
      assert.match(await rows.first().innerText(), /Files: content-types\/note\.json, content-types\/shelf\.json/)
    }))
})
