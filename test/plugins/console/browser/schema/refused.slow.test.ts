import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, it, vi } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { heading, rowOf, said } from '../settings.js'
import { developedConsole } from './developed.js'

// The server starts again for each write.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const note = 'content-types/note.json'
const former = `{
  "collectionName": "notes",
  "info": { "singularName": "note", "pluralName": "notes", "displayName": "Note" },
  "attributes": {
    "title": { "type": "string" }
  }
}
`
/** Ends a start with a type that is right in itself. */
const stopper = `export const stopper = { name: 'stopper', register({ types }) {
  if (Object.hasOwn(types.get('api::note.note').attributes, 'unwanted')) throw new Error('nothing starts with unwanted')
} }`

/** Presses keys until one of the page has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = []
  for (let at = 0; at < 120; at += 1) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate<string>(`
      (one => one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent)(document.activeElement).trim()`)
    if (label === name) return
    seen.push(label)
  }
  assert.fail(`no key leads to ${name}, only to ${seen.join(', ')}`)
}

const pressed = async (page: Page, name: string): Promise<void> => {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

describe('schemas that are written', inBrowser, () => {
  const app = developedConsole(
    {
      [note]: former,
      'config/plugins.js': `export default { console: true, admin: true, audit: true,
        stopper: { enabled: true, resolve: './plugins/stopper.js' } }`,
      'plugins/stopper.js': stopper,
    },
    async () => undefined,
  )

  it('are drawn, seen and written with keys alone, from right to left, and stay drafts where the next server fails', () =>
    app.signedIn('/console/schema/note', async page => {
      await heading(page, 'Note').waitFor()
      await page.evaluate(`document.documentElement.dir = 'rtl'`)
      await pressed(page, 'Add attribute')
      await page.getByRole('dialog', { name: 'Add attribute' }).waitFor()
      await tabTo(page, 'Name')
      await page.keyboard.type('unwanted')
      await page.keyboard.press('Enter')
      await said(page, 'unwanted is drawn. Nothing is written yet.')
      await pressed(page, 'See the plan')
      await page.getByRole('listitem').filter({ hasText: 'add the column notes.unwanted' }).waitFor()
      const [is, may] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
      assert.ok(is <= may, `${is} of ${may} pixels`)
      await pressed(page, 'Write files')
      await page
        .getByRole('alert')
        .filter({ hasText: 'Nothing was written: ' })
        .filter({ hasText: 'nothing starts with unwanted' })
        .waitFor({ timeout: 120_000 })
      await rowOf(page, 'Attributes', /^unwanted new$/).waitFor()
      assert.equal(readFileSync(join(app.folder(), note), 'utf8'), former)
    }))

  it('are not written over a change that was made meanwhile: the new plan is shown first', () =>
    app.signedIn('/console/schema/note', async page => {
      await heading(page, 'Note').waitFor()
      await page.getByRole('button', { name: 'Add attribute' }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('wanted')
      await page.getByRole('dialog').getByRole('button', { name: 'Draw' }).click()
      await page.getByRole('button', { name: 'See the plan' }).click()
      const write = page.getByRole('button', { name: 'Write files' })
      await write.waitFor()
      const starts = [...app.server().output.matchAll(/listening on/g)].length
      const others = former.replace(
        '"title": { "type": "string" }',
        '"title": { "type": "string" },\n    "other": { "type": "string" }',
      )
      writeFileSync(join(app.folder(), note), others)
      await app.server().said(/listening on/, starts + 1)
      await write.click()
      await page
        .getByRole('alert')
        .filter({ hasText: 'The plan has become another one: look at it, and write again.' })
        .waitFor()
      assert.equal(readFileSync(join(app.folder(), note), 'utf8'), others)
      await page.getByRole('listitem').filter({ hasText: 'add the column notes.wanted' }).waitFor()
      await write.click()
      await page
        .getByRole('status')
        .filter({ hasText: /^Written: / })
        .waitFor({ timeout: 120_000 })
      assert.match(readFileSync(join(app.folder(), note), 'utf8'), /"wanted"/)
    }))
})
