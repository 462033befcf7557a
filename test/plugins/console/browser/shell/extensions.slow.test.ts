import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { definePlugin } from '../../../../../core/index.js'
import { StaticBody } from '../../../../../core/plugin-kit.js'
import { admin } from '../../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../../plugins/console/index.js'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { inBrowser } from '../../../../support/pages/served.js'
import { folderOf } from '../../../../support/terminal.js'
import { field, formOf, isSaved, status } from '../form.js'
import { servedWorld } from '../served.js'

/** The files that stand in the manual, by their paths. */
const manual = readFileSync(new URL('../../../../../plugins/console/extending.md', import.meta.url), 'utf8')
const files = Object.fromEntries(
  [...manual.matchAll(/<!-- (\S+) -->\n```\w+\n([\s\S]*?)```/g)].map(([, name = '', text = '']) => [name, text]),
)

const article = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
  attributes: {
    title: { type: 'string' },
    paint: { type: 'string', customField: 'plugin::colour.colour' },
    text: { type: 'text', options: { counts: 'words' } },
  },
}

describe('the extensions of the manual', inBrowser, () => {
  const app = folderOf({
    ...files,
    'package.json': '{ "type": "module" }',
    'content-types/article.json': JSON.stringify(article),
    'config/plugins.js': `export default {
      admin: { config: { ratelimit: { enabled: false } } },
      console: true,
      colour: { resolve: './plugins/colour/index.js' },
      translate: { resolve: './plugins/translate/index.js', config: { words: { Bread: 'Brot', waits: 'wartet' } } },
    }`,
  })
  const served = servedWorld({
    app,
    rows: async ({ entries }) => {
      await entries('api::article.article').create({ title: 'Bread waits', paint: '#ff0000', text: 'one two three' })
      await entries('api::article.article').create({ title: 'Short', text: 'one' })
    },
  })
  const entry = (work: (page: Page) => Promise<void>, path = '/console/c/article/1') =>
    served.signedIn('Super Admin', work, { path })

  it('edit a colour by its own control, and show it in lists', () =>
    entry(async page => {
      const colour = page.getByLabel('paint')
      await colour.waitFor()
      assert.equal(await colour.inputValue(), '#ff0000')
      assert.equal(await colour.getAttribute('type'), 'color')
      await colour.fill('#00ff00')
      await status(page, '1 change is not saved')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await isSaved(page)
      assert.deepEqual(await accessibilityOf(page), [])
      await page.goto(`${served.origin}/console/c/article`)
      const cell = page.getByRole('cell', { name: '● #00ff00' })
      await cell.waitFor()
      assert.equal(await cell.locator('span').nth(0).getAttribute('style'), 'color: rgb(0, 255, 0);')
    }))

  it('count the words of a text while it is typed', () =>
    entry(async page => {
      const text = page.getByRole('textbox', { name: 'text' })
      await page.getByText('Words: 3').waitFor()
      await text.press('End')
      await text.pressSequentially(' four five')
      await page.getByText('Words: 5').waitFor()
      assert.equal(await text.inputValue(), 'one two three four five')
      await status(page, '1 change is not saved')
    }))

  it('translate the title into the form, which stays unsaved', () =>
    entry(async page => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Translate the title' }).click()
      await page.getByText('The title is translated. Read it before you save.').waitFor()
      assert.equal(await field(page, 'title').inputValue(), 'Brot wartet')
      await status(page, '1 change is not saved')
    }))

  it('are offered to those who have their permission', () =>
    served.signedIn(
      'Editor',
      async page => {
        await formOf(page, 'Bread waits')
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem').first().waitFor()
        assert.equal(await page.getByRole('menuitem', { name: 'Translate the title' }).count(), 0)
      },
      { path: '/console/c/article/1' },
    ))

  it('stand on the start page, with controls of the page itself', () =>
    entry(async page => {
      const widget = page.getByRole('region', { name: 'Longest texts' }).first()
      await widget.getByRole('link', { name: 'Bread waits' }).waitFor()
      const cells = await widget.getByRole('cell').allTextContents()
      assert.deepEqual(cells, ['3', '1'])
      assert.deepEqual(await accessibilityOf(page), [])
      await widget.getByRole('button', { name: 'Write a longer one' }).click()
      await formOf(page, 'New Article')
    }, '/console'))
})

describe('extensions that are wrong', inBrowser, () => {
  const attribute = (name: string) => ({ type: 'string', customField: `plugin::broken.${name}` })
  const names = ['throws', 'hangs', 'empty', 'mounts', 'updates']
  const folder = folderOf({
    'throws.js': `throw new Error('not today')`,
    'hangs.js': 'await new Promise(() => {})\nexport const mount = () => {}',
    'empty.js': 'export const mont = () => {}',
    'mounts.js': `export const mount = () => { throw new Error('no place') }`,
    'updates.js': `export const mount = (element, field) => {
      const input = document.createElement('input')
      input.id = field.id
      input.addEventListener('input', () => field.change(input.value))
      element.append(input)
      return { update: ({ value }) => { if (value === 'bad') throw new Error('a bad value') } }
    }`,
    'html.js': `export const mount = element => { element.innerHTML = '<b>bold</b>' }`,
    'page.js': `export const mount = (element, { account, api }) => {
      const show = bytes => { element.textContent = 'Hello ' + account.name + ': ' + bytes.join() }
      void api('/bytes').then(response => response.arrayBuffer()).then(file => show(new Uint8Array(file)))
    }`,
    'list.js': `export const run = async ({ ids, api, say, reload }) => {
      for (const id of ids) await api('/notes/' + id, { method: 'PUT', body: { data: { note: 'done' } } })
      await reload()
      say('Done: ' + ids.join())
    }`,
    'both.js': `export const mount = element => { element.textContent = 'mounted' }
    export const run = ({ say }) => say('run')`,
    'fails.js': `export const run = () => { throw new Error('out of order') }`,
  })
  const bytes = new StaticBody('application/octet-stream', Buffer.from([0, 255, 128, 10]))
  const broken = definePlugin({
    name: 'broken',
    routes: [{ method: 'GET', path: '/bytes', action: null, run: () => bytes }],
    console: {
      folder,
      fields: [...names, 'html'].map(name => ({ for: `plugin::broken.${name}`, module: `${name}.js` })),
      cells: [{ for: 'plugin::broken.throws', module: 'throws.js' }],
      pages: [
        { path: 'hello', title: 'Hello', module: 'page.js' },
        { path: 'gone', title: 'Gone', module: 'throws.js' },
        { path: 'both', title: 'Both', module: 'both.js' },
      ],
      actions: [
        { where: 'list', types: ['note'], title: 'Mark as done', module: 'list.js' },
        { where: 'list', title: 'Fail', module: 'fails.js' },
        { where: 'list', title: 'Run', module: 'both.js' },
      ],
      widgets: [{ title: 'Broken', module: 'mounts.js' }],
    },
  })
  const served = servedWorld({
    types: {
      note: {
        attributes: {
          note: { type: 'string' },
          ...Object.fromEntries(names.map(name => [name, attribute(name)])),
        },
      },
      leaflet: { attributes: { html: attribute('html') } },
    },
    plugins: [[admin, { ratelimit: { enabled: false } }], contentConsole, broken],
    rows: async ({ entries }) => {
      await entries('api::note.note').create({ note: 'first', throws: 'plain value' })
      await entries('api::note.note').create({ note: 'second', throws: 'plain value' })
      await entries('api::leaflet.leaflet').create({})
    },
  })
  const opened = (path: string, work: (page: Page) => Promise<void>) => served.signedIn('Super Admin', work, { path })

  it('leave the editor of the type, with the reason', () =>
    opened('/console/c/note/1', async page => {
      const reasons = {
        throws: 'not today',
        empty: 'its module exports no function "mount"',
        mounts: 'no place',
        hangs: 'it has not loaded within 8 seconds',
      }
      for (const [name, reason] of Object.entries(reasons)) {
        await page.getByText(`The editor "${name}" failed: ${reason}`).waitFor()
        await field(page, name).fill(`typed into ${name}`)
      }
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await isSaved(page)
    }))

  it('write no HTML into the page, as its policy holds for them', async () => {
    let seen = false
    const work = opened('/console/c/leaflet/1', async page => {
      await page.getByText('The editor "html" failed: ').waitFor()
      await field(page, 'html').fill('typed')
      seen = true
    })
    await assert.rejects(work, /require-trusted-types-for/)
    assert.ok(seen)
  })

  it('keep what was typed where they fail later', () =>
    opened('/console/c/note/2', async page => {
      await field(page, 'updates').fill('bad')
      await page.getByText('The editor "updates" failed: a bad value').waitFor()
      assert.equal(await field(page, 'updates').inputValue(), 'bad')
      await status(page, '1 change is not saved')
    }))

  it('leave plain values in lists, and the rest of the start page', async () => {
    await opened('/console/c/note', async page => {
      await page.getByText('The list shows plain values, as "throws" failed: not today').waitFor()
      assert.ok((await page.getByRole('row').count()) >= 3)
    })
    await opened('/console', page => page.getByText('"mounts" failed: no place').waitFor())
  })

  it('are views with a link in the navigation', () =>
    opened('/console', async page => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Hello' }).click()
      await page.getByRole('heading', { name: 'Hello', level: 1 }).waitFor()
      await page.getByText('Hello Super Admin: 0,255,128,10').waitFor()
      assert.equal(new URL(page.url()).pathname, '/console/x/broken/hello')
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Gone' }).click()
      await page.getByText('"throws" failed: not today').waitFor()
    }))

  it('may have one module for a page and an action', () =>
    opened('/console/x/broken/both', async page => {
      await page.getByText('mounted').waitFor()
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'note' }).click()
      await page.getByRole('checkbox', { name: 'Select first' }).check()
      await page.getByRole('toolbar', { name: 'Chosen entries' }).getByRole('button', { name: 'Run' }).click()
      await page.getByRole('status', { name: 'Messages' }).getByText('run', { exact: true }).waitFor()
    }))

  it('work on chosen entries, and say why they cannot', () =>
    opened('/console/c/note', async page => {
      await page.getByRole('checkbox', { name: 'Select second' }).check()
      const tools = page.getByRole('toolbar', { name: 'Chosen entries' })
      await tools.getByRole('button', { name: 'Fail' }).click()
      await page.getByText('The action "fails" failed: out of order').waitFor()
      await tools.getByRole('button', { name: 'Mark as done' }).click()
      await page.getByText('Done: 2').waitFor()
      await page.getByRole('link', { name: 'done', exact: true }).waitFor()
    }))
})
