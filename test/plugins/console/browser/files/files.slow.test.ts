import { strict as assert } from 'node:assert'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { noBrowser } from '../../../../support/browser.js'
import { give, picture, sendSlowly, text } from '../dropped.js'
import { formOf, formWithFiles, isSaved, status } from '../form.js'
import { servedConsole } from '../served.js'

const gallery = (page: Page) => page.getByRole('list', { name: 'gallery', exact: true })

/** The names of the files in a field, in order; the field is loaded after the form. */
async function namesIn(page: Page, label: string): Promise<string[]> {
  await page.getByRole('button', { name: `Upload for ${label}` }).waitFor()
  return page.getByRole('list', { name: label, exact: true }).locator('.file-name').allTextContents()
}

describe.skipIf(noBrowser)('files of an entry in the console', { timeout: 180_000 }, () => {
  const served = servedConsole({
    settings: { upload: { config: { sizeLimit: 3_000_000 } } },
    replaced: {
      'src/api/author/content-types/author/schema.json': text =>
        text.replace(/"allowedTypes": \[[^\]]*\]/, '"allowedTypes": ["images"]'),
    },
  })

  it('are searched for after a pause, and a search is given up when the next one comes', () =>
    served.signedIn(
      'edda',
      async page => {
        await formWithFiles(page, 'Über 13', 'gallery')
        const asked: string[] = []
        page.on('request', request => /\/upload\/files\?/.test(request.url()) && asked.push(request.url()))
        // The server never responds.
        await page.route(/\/upload\/files\?/, () => {})
        const first = page.waitForRequest(/\/upload\/files\?/)
        await page.getByRole('button', { name: 'Choose for gallery' }).click()
        await first
        const givenUp = page.waitForEvent('requestfailed')
        const last = page.waitForRequest(/svg/)
        await page.evaluate(`(async () => {
          const input = document.querySelector('.choose-files input')
          for (const typed of ['s', 'sv', 'svg']) {
            input.value = typed
            input.dispatchEvent(new InputEvent('input', { bubbles: true }))
            await new Promise(done => setTimeout(done, 30))
          }
        })()`)
        await givenUp
        await last
        assert.equal(asked.length, 2, asked.join('\n'))
      },
      { path: '/console/c/article/13' },
    ))

  it('are dropped and pasted, and stand in the order in which they were given', () =>
    served.signedIn(
      'edda',
      async page => {
        await formWithFiles(page, 'Über 13', 'gallery')
        const before = await namesIn(page, 'gallery')
        const dropped = [await picture('one.png', 900), text('two.txt'), await picture('three.png')]
        await give(page, 'gallery', 'drop', dropped)
        await page.getByRole('button', { name: 'Edit three.png' }).waitFor()
        await give(page, 'gallery', 'paste', [text('four.txt')])
        // Saving waits for what is on its way.
        await page.keyboard.press('Control+s')
        await isSaved(page)
        const all = [...before, 'one.png', 'two.txt', 'three.png', 'four.txt']
        await page.reload()
        await formWithFiles(page, 'Über 13', 'gallery')
        assert.deepEqual(await namesIn(page, 'gallery'), all)
      },
      { path: '/console/c/article/13' },
    ))

  it('get their alternative text while they are sent, and are stopped and sent again', () =>
    served.signedIn(
      'edda',
      async page => {
        await formOf(page, 'Fjord 14')
        const session = await page.context().newCDPSession(page)
        await sendSlowly(session, 20_000)
        const { buffer, ...slow } = await picture('slow.png')
        // Behind its end, pictures may have anything: it takes long to be sent, and little time to be looked at.
        await give(page, 'gallery', 'drop', [{ ...slow, buffer: Buffer.concat([buffer, Buffer.alloc(1_400_000)]) }])
        await page.getByRole('progressbar', { name: 'Upload of slow.png' }).waitFor()
        await page.getByRole('textbox', { name: 'Alternative text of slow.png' }).fill('Much noise')
        // Nothing is lost by going elsewhere without being asked.
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tag' }).click()
        const leaving = page.getByRole('dialog')
        await leaving.getByText('1 file is not uploaded yet.').waitFor()
        await leaving.getByRole('button', { name: 'Close' }).click()
        await page.getByRole('button', { name: 'Stop the upload of slow.png' }).click()
        await gallery(page).getByText('Stopped').waitFor()
        assert.equal(await page.getByRole('button', { name: 'Edit slow.png' }).count(), 0)
        await sendSlowly(session, 0)
        await page.getByRole('button', { name: 'Try the upload of slow.png again' }).click()
        await page.getByRole('button', { name: 'Edit slow.png' }).click()
        const dialog = page.getByRole('dialog', { name: 'slow.png' })
        const about = dialog.getByRole('textbox', { name: 'Alternative text' })
        await about.waitFor()
        assert.equal(await about.inputValue(), 'Much noise')
        await dialog.getByRole('textbox', { name: 'Caption' }).fill('A caption')
        await dialog.getByRole('textbox', { name: 'Name' }).fill('noise.png')
        await dialog.getByRole('textbox', { name: 'Name' }).press('Enter')
        await dialog.waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Edit noise.png' }).waitFor()
        await status(page, '1 change is not saved')
        const [file] = await served
          .project()
          .app.entries('plugin::upload.file')
          .find({ where: { name: 'noise.png' }, everything: true })
        assert.deepEqual([file?.alternativeText, file?.caption], ['Much noise', 'A caption'])
        // It lies where the panel puts files, and not with those of the API.
        assert.equal(file?.folderPath, '/')
      },
      { path: '/console/c/article/14' },
    ))

  it('say why they are not taken, and keep their place', () =>
    served.signedIn(
      'edda',
      async page => {
        await formWithFiles(page, 'Fjord 14', 'gallery')
        const before = await namesIn(page, 'gallery')
        await give(page, 'gallery', 'drop', [text('first.txt'), text('large.txt', 3_500_000), text('last.txt')])
        await gallery(page).getByText('large.txt is larger than 2.9 MB.').waitFor()
        await page.getByRole('button', { name: 'Edit last.txt' }).waitFor()
        assert.deepEqual(await namesIn(page, 'gallery'), [...before, 'first.txt', 'large.txt', 'last.txt'])
        await page.getByRole('button', { name: 'Remove large.txt' }).click()
        assert.deepEqual(await namesIn(page, 'gallery'), [...before, 'first.txt', 'last.txt'])
      },
      { path: '/console/c/article/14' },
    ))

  it('take only what the field takes', () =>
    served.signedIn(
      'ada',
      async page => {
        const avatar = page.getByRole('group', { name: 'avatar', exact: true })
        await avatar.getByText('Takes only pictures.').waitFor()
        await give(page, 'avatar', 'drop', [text('note.txt')])
        await avatar.getByText('Files of this type are not accepted: .txt').waitFor()
        await give(page, 'avatar', 'drop', [await picture('face.png')])
        await page.getByRole('button', { name: 'Edit face.png' }).waitFor()
        assert.deepEqual(await namesIn(page, 'avatar'), ['face.png'])
      },
      { path: '/console/c/author/1' },
    ))

  it('are put in another order by the mouse', () =>
    served.signedIn(
      'edda',
      async page => {
        await formWithFiles(page, 'Über 13', 'gallery')
        const before = await namesIn(page, 'gallery')
        const rows = gallery(page).getByRole('listitem')
        await rows.last().locator('.handle').dragTo(rows.first())
        await status(page, '1 change is not saved')
        assert.deepEqual(await namesIn(page, 'gallery'), [before.at(-1), ...before.slice(0, -1)])
        await page.keyboard.press('Control+z')
        assert.deepEqual(await namesIn(page, 'gallery'), before)
      },
      { path: '/console/c/article/13' },
    ))
})
