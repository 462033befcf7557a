import { strict as assert } from 'node:assert'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { noBrowser } from '../../../../support/browser.js'
import { accessibilityOf, assertReachable } from '../../../../support/pages/accessibility.js'
import { assertFits, until } from '../../../../support/pages/watched-page.js'
import { giveTo, picture, sendSlowly, text } from '../dropped.js'
import { servedConsole } from '../served.js'

const path = '/console/media'
const files = (page: Page) => page.getByRole('list', { name: 'Files', exact: true })
const namesIn = (page: Page): Promise<string[]> => files(page).locator('.file-name').allTextContents()
const folder = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name })

describe.skipIf(noBrowser)('the library of files', { timeout: 180_000 }, () => {
  const served = servedConsole({ settings: { upload: { config: { sizeLimit: 3_000_000 } } } })
  const find = (name: string) =>
    served
      .project()
      .app.entries('plugin::upload.file')
      .first({ where: { name }, everything: true, populate: { folder: true } })

  it('is reached from the navigation and from old addresses, and shows the folders of the panel', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('heading', { name: 'Media', level: 1 }).waitFor()
        assert.equal(new URL(page.url()).pathname, path)
        await folder(page, 'Covers (3)').click()
        await page.waitForURL(/folder=1/)
        await until(page, `document.querySelectorAll('.media-grid > li').length === 3`)
        await folder(page, 'Covers (3)').press('ArrowRight')
        await folder(page, 'Covers (3)').press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: 'Covers › 2024' }).waitFor()
        await until(page, `document.querySelectorAll('.media-grid > li').length === 1`)
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home', exact: true }).click()
        await page.waitForURL(url => url.pathname === '/console')
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Media' }).click()
        await files(page).getByRole('listitem').first().waitFor()
        await page.getByRole('searchbox', { name: 'Search files' }).fill('svg')
        await page.waitForURL(/q=svg/)
        await until(
          page,
          `[...document.querySelectorAll('.media-grid .file-name')].every(one => /svg/.test(one.textContent))`,
        )
        const found = await namesIn(page)
        assert.equal(found.length, 4)
        await page.getByRole('combobox', { name: 'Order' }).selectOption('By name')
        await page.waitForURL(/order=name/)
        const sorted = [...found].sort()
        assert.notDeepEqual(found, sorted)
        await until(
          page,
          `[...document.querySelectorAll('.media-grid .file-name')].map(one => one.textContent).join() === '${sorted.join()}'`,
        )
        await page.getByRole('combobox', { name: 'Type' }).selectOption('Videos')
        await page.getByText('No file matches.').waitFor()
      },
      { path: '/admin/plugins/upload' },
    ))

  it('keeps the files that were chosen before the folders were there, and while files are uploaded', () =>
    served.signedIn('edda', async page => {
      let goOn = () => {}
      const waited = new Promise<void>(resolve => {
        goOn = resolve
      })
      await page.route('**/upload/folders', async route => {
        await waited
        await route.continue()
      })
      await page.goto(`${served.origin}${path}`)
      const toolbar = page.getByRole('toolbar', { name: 'Chosen files' })
      const box = page.getByRole('checkbox', { name: /^Select / }).last()
      await box.check()
      await toolbar.getByText('1 chosen').waitFor()
      goOn()
      await folder(page, 'Covers (3)').waitFor()
      assert.equal(await box.isChecked(), true)
      await giveTo(page, '.media', 'drop', [text('kept.txt')])
      await page.getByText('1 of 1 file uploaded').waitFor()
      await page.getByRole('checkbox', { name: 'Select kept.txt' }).waitFor()
      assert.equal(await toolbar.getByText('1 chosen').isVisible(), true)
    }))

  it('takes files that are dropped, into folders that are made, moved and deleted', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('button', { name: 'New folder' }).click()
        const dialog = page.getByRole('dialog', { name: 'New folder' })
        await dialog.getByRole('textbox', { name: 'Name' }).fill('Trips/Sea')
        await dialog.getByRole('button', { name: 'Save' }).click()
        await dialog.getByText(/^Name must have no slash/).waitFor()
        await dialog.getByRole('textbox', { name: 'Name' }).fill('Trips')
        await dialog.getByRole('button', { name: 'Save' }).click()
        await folder(page, 'Trips (0)').click()
        await page.getByText('No files yet.').waitFor()
        await giveTo(page, '.media', 'drop', [await picture('boat.png'), text('log.txt')])
        await page.getByRole('textbox', { name: 'Alternative text of boat.png' }).fill('A boat')
        await page.getByRole('textbox', { name: 'Alternative text of boat.png' }).press('Enter')
        await page.getByText('2 of 2 files uploaded').waitFor()
        await folder(page, 'Trips (2)').waitFor()
        assert.deepEqual((await namesIn(page)).sort(), ['boat.png', 'log.txt'])
        const boat = await find('boat.png')
        assert.equal((boat?.folder as { name: string } | undefined)?.name, 'Trips')
        assert.equal(boat?.alternativeText, 'A boat')
        await page.getByRole('button', { name: 'Hide what is uploaded' }).click()
        await page.getByRole('checkbox', { name: 'Select log.txt' }).check()
        const stored = page.waitForEvent('download')
        await page.getByRole('toolbar', { name: 'Chosen files' }).getByRole('button', { name: 'Download' }).click()
        assert.equal((await stored).suggestedFilename(), 'log.txt')
        await page.getByRole('toolbar', { name: 'Chosen files' }).getByRole('button', { name: 'Move' }).click()
        const move = page.getByRole('dialog', { name: 'Move 1 file' })
        await move.getByRole('combobox', { name: 'Folder' }).selectOption('No folder')
        await move.getByRole('button', { name: 'Move' }).click()
        await folder(page, 'Trips (1)').waitFor()
        assert.equal((await find('log.txt'))?.folderPath, '/')
        await page.getByRole('button', { name: 'Edit folder' }).click()
        const edit = page.getByRole('dialog', { name: 'Edit folder' })
        await edit.getByRole('textbox', { name: 'Name' }).fill('Covers')
        await edit.getByRole('button', { name: 'Save' }).click()
        await edit.getByRole('alert').getByText('Name: There is a folder "Covers" in this place already.').waitFor()
        await edit.getByRole('combobox', { name: 'Folder' }).selectOption({ label: 'Covers' })
        await edit.getByRole('textbox', { name: 'Name' }).fill('Journeys')
        await edit.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('heading', { name: 'Covers › Journeys' }).waitFor()
        await page.getByRole('button', { name: 'Delete folder' }).click()
        const gone = page.getByRole('dialog', { name: 'Delete Journeys?' })
        await gone.getByText('1 file is deleted with it.').waitFor()
        await gone.getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('heading', { name: 'Covers', level: 2, exact: true }).waitFor()
        assert.equal(await find('boat.png'), undefined)
      },
      { path },
    ))

  it('keeps the folders that are dropped', () =>
    served.signedIn(
      'edda',
      async page => {
        const folders = mkdtempSync(join(tmpdir(), 'dropped-'))
        mkdirSync(join(folders, 'Album/Summer'), { recursive: true })
        writeFileSync(join(folders, 'Album/cover.txt'), 'cover')
        writeFileSync(join(folders, 'Album/Summer/sea.txt'), 'sea')
        await folder(page, 'All files').waitFor()
        const session = await page.context().newCDPSession(page)
        const data = { items: [], files: [join(folders, 'Album')], dragOperationsMask: 1 }
        for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
          await session.send('Input.dispatchDragEvent', { type, x: 700, y: 400, data })
        await page.getByText('2 of 2 files uploaded').waitFor()
        rmSync(folders, { recursive: true })
        assert.equal(((await find('cover.txt'))?.folder as { name: string } | null)?.name, 'Album')
        assert.equal(((await find('sea.txt'))?.folder as { name: string } | null)?.name, 'Summer')
        await folder(page, 'Album (1)').press('ArrowRight')
        await folder(page, 'Summer (1)').waitFor()
      },
      { path },
    ))

  it('is offered by its folders where files of an entry are chosen, and by Go to', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('button', { name: 'Choose for cover' }).click()
        const dialog = page.getByRole('dialog', { name: 'Choose for cover' })
        await dialog.getByRole('combobox', { name: 'Folder' }).selectOption({ label: '\u20032024' })
        await until(page, `document.querySelectorAll('.file-grid > li').length === 1`)
        await dialog.getByRole('button', { name: 'Close' }).click()
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox').fill('media')
        await page.getByRole('option', { name: 'Media', selected: true }).waitFor()
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: 'Media', level: 1 }).waitFor()
      },
      { path: '/console/c/article/12' },
    ))

  it('says what uses a file before it is deleted', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('searchbox', { name: 'Search files' }).fill('jpg-26')
        await page.waitForURL(/q=/)
        await page.getByRole('checkbox', { name: 'Select jpg-26.jpg' }).check()
        await page.getByRole('toolbar', { name: 'Chosen files' }).getByRole('button', { name: 'Delete' }).click()
        const dialog = page.getByRole('dialog', { name: 'Delete 1 file?' })
        await dialog.getByText('jpg-26.jpg is used by:').waitFor()
        await dialog.getByText('Article › gallery').waitFor()
        await dialog.getByRole('button', { name: 'Cancel' }).click()
        assert.ok(await find('jpg-26.jpg'))
      },
      { path },
    ))

  it('shows a file with its addresses and its uses, and changes its texts, folder, focal point and content', () =>
    served.signedIn(
      'edda',
      async page => {
        await giveTo(page, '.media', 'paste', [await picture('pier.png', 300)])
        await page.getByRole('button', { name: 'pier.png', exact: true }).click()
        const dialog = page.getByRole('dialog', { name: 'pier.png' })
        await dialog.getByRole('list', { name: 'Addresses' }).getByRole('link', { name: 'Download Original' }).waitFor()
        await dialog.getByText('Nothing leads here.').waitFor()
        await dialog.getByRole('textbox', { name: 'Alternative text' }).fill('A pier')
        await dialog.getByRole('combobox', { name: 'Folder' }).selectOption({ label: 'Covers' })
        await dialog.getByRole('button', { name: 'Set focal point' }).click()
        await dialog.locator('button:focus').and(page.getByLabel('Focal point: 50 % across, 50 % down')).waitFor()
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('Shift+ArrowUp')
        await dialog.getByRole('button', { name: 'Focal point: 51 % across, 40 % down' }).waitFor()
        await dialog.getByRole('button', { name: 'Save' }).click()
        await dialog.waitFor({ state: 'detached' })
        const stored = await find('pier.png')
        assert.equal(stored?.alternativeText, 'A pier')
        assert.deepEqual(stored?.provider_metadata, { focalX: 0.51, focalY: 0.4 })
        assert.equal(stored?.folderPath, '/1')
        await page.getByRole('button', { name: 'pier.png', exact: true }).click()
        const chooser = page.waitForEvent('filechooser')
        await dialog.getByRole('button', { name: 'Replace' }).click()
        await (await chooser).setFiles(text('no.txt'))
        await dialog.getByText('send a file of the same type').waitFor()
        const again = page.waitForEvent('filechooser')
        await dialog.getByRole('button', { name: 'Replace' }).click()
        await (await again).setFiles(await picture('other.png', 77))
        await dialog.getByText('77×30').waitFor()
        const replaced = await find('pier.png')
        assert.deepEqual([replaced?.width, replaced?.url], [77, stored?.url])
      },
      { path },
    ))

  it('sends fifty files, four at a time; those that fail keep their place', () =>
    served.signedIn(
      'edda',
      async page => {
        const some = Array.from({ length: 49 }, (_, at) => text(`many-${at}.txt`, 40))
        let most = 0
        let now = 0
        page.on('request', request => {
          if (request.method() !== 'POST' || !request.url().endsWith('/upload')) return
          now += 1
          most = Math.max(most, now)
        })
        const ended = () => {
          now -= 1
        }
        page.on(
          'response',
          response => response.request().method() === 'POST' && response.url().endsWith('/upload') && ended(),
        )
        await giveTo(page, '.media', 'drop', [...some.slice(0, 20), text('huge.txt', 3_500_000), ...some.slice(20)])
        await page.getByText('49 of 50 files uploaded').waitFor()
        assert.ok(most <= 4, String(most))
        const names = await page.getByRole('region', { name: 'Uploads' }).locator('.file-name').allTextContents()
        assert.equal(names[20], 'huge.txt')
        await page.getByText('huge.txt is larger than 2.9 MB.').waitFor()
        const session = await page.context().newCDPSession(page)
        await session.send('Performance.enable')
        const { metrics } = await session.send('Performance.getMetrics')
        const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.POSITIVE_INFINITY
        assert.ok(heap < 100_000_000, `${heap} bytes`)
        await page.getByRole('button', { name: 'Try the upload of huge.txt again' }).waitFor()
        await page.getByRole('button', { name: 'Remove huge.txt' }).click()
        await page.getByRole('button', { name: 'Hide what is uploaded' }).click()
        await page.getByRole('button', { name: 'Next page' }).click()
        await page.waitForURL(/from=50/)
      },
      { path: '/console/media' },
    ))

  it('says that its folders could not be read, takes files for the open one all the same, and reads them again', () =>
    served.signedIn('edda', async page => {
      await page.route('**/upload/folders', route => route.fulfill({ status: 500, json: {} }))
      await page.goto(`${served.origin}${path}?folder=1`)
      const failed = page.getByRole('alert').filter({ hasText: 'The folders could not be read.' })
      await failed.waitFor()
      assert.equal(await page.getByText('This folder does not exist any more.').count(), 0)
      const sent = page.waitForResponse(one => one.request().method() === 'POST' && one.url().endsWith('/upload'))
      await giveTo(page, '.media', 'paste', [text('early.txt')])
      await sent
      assert.equal((await find('early.txt'))?.folderPath, '/1')
      await page.unroute('**/upload/folders')
      await failed.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: 'Covers', level: 2 }).waitFor()
      await files(page).getByRole('listitem').first().waitFor()
      assert.equal(await failed.count(), 0)
    }))

  it('says that a folder could not be read that was dropped', () =>
    served.signedIn(
      'edda',
      async page => {
        await files(page).getByRole('listitem').first().waitFor()
        await page.evaluate(`DataTransferItem.prototype.webkitGetAsEntry = () => ({
          isDirectory: true,
          name: 'Locked',
          createReader: () => ({ readEntries: (_, fail) => fail(new DOMException('no', 'NotReadableError')) }),
        })`)
        const errors: Error[] = []
        page.on('pageerror', error => errors.push(error))
        await giveTo(page, '.media', 'drop', [text('locked.txt')])
        await page.getByRole('alert').getByText('What was dropped could not be read').waitFor()
        assert.deepEqual(errors, [])
      },
      { path },
    ))

  it('shows the folder that a file was moved to, though its texts could not be stored', () =>
    served.signedIn(
      'edda',
      async page => {
        await giveTo(page, '.media', 'paste', [await picture('mole.png', 50)])
        await page.getByRole('button', { name: 'mole.png', exact: true }).click()
        const label = (await folder(page, /^Covers \(/).textContent()) ?? ''
        const count = Number(/\((\d+)\)/.exec(label)?.[1])
        const moves: string[] = []
        page.on('request', request => request.url().endsWith('/upload/move') && moves.push(request.url()))
        await page.route(/\/upload\?id=/, route => route.fulfill({ status: 500, json: {} }))
        const dialog = page.getByRole('dialog', { name: 'mole.png' })
        await dialog.getByRole('combobox', { name: 'Folder' }).selectOption({ label: 'Covers' })
        await dialog.getByRole('textbox', { name: 'Caption' }).fill('A mole')
        await dialog.getByRole('button', { name: 'Save' }).click()
        await dialog.getByRole('alert').waitFor()
        await page.getByText(`Covers (${count + 1})`).waitFor()
        await page.unroute(/\/upload\?id=/)
        await dialog.getByRole('button', { name: 'Save' }).click()
        await dialog.waitFor({ state: 'detached' })
        const stored = await find('mole.png')
        assert.deepEqual([stored?.caption, stored?.folderPath, moves.length], ['A mole', '/1', 1])
      },
      { path },
    ))

  it('keeps what is typed to search for, though files are filtered before it is searched for', () =>
    served.signedIn(
      'edda',
      async page => {
        await files(page).getByRole('listitem').first().waitFor()
        const typed = await page.evaluate(`new Promise(done => {
          const input = document.querySelector('.media input[type=search]')
          input.value = 'svg'
          input.dispatchEvent(new InputEvent('input', { bubbles: true }))
          document.querySelector('.media .toolbar button[aria-pressed]').click()
          requestAnimationFrame(() => requestAnimationFrame(() => done(input.value)))
        })`)
        assert.equal(typed, 'svg')
        await page.waitForURL(/q=svg.*text=missing|text=missing.*q=svg/)
      },
      { path },
    ))

  it('is listed for authors with their own files, and not at all for others', () =>
    served.signedIn(
      'anton',
      async page => {
        await folder(page, 'All files').waitFor()
        assert.equal(await page.getByRole('button', { name: 'Upload files' }).count(), 1)
        await giveTo(page, '.media', 'drop', [text('of-anton.txt')])
        await page.getByRole('button', { name: 'of-anton.txt', exact: true }).waitFor()
        assert.deepEqual(await namesIn(page), ['of-anton.txt'])
      },
      { path },
    ))

  for (const scheme of ['light', 'dark'] as const)
    for (const width of [1440, 390])
      it(`has no barriers, in ${scheme} colours at ${width} pixels`, () =>
        served.signedIn(
          'edda',
          async page => {
            await files(page).getByRole('listitem').first().waitFor()
            const session = await page.context().newCDPSession(page)
            await sendSlowly(session, 20_000)
            await giveTo(page, '.media', 'drop', [{ ...(await picture('slow.png')), buffer: Buffer.alloc(900_000) }])
            await page.getByRole('progressbar', { name: 'Upload of slow.png' }).waitFor()
            await page
              .getByRole('checkbox', { name: /^Select / })
              .first()
              .check()
            assert.deepEqual(await accessibilityOf(page), [])
            await assertFits(page)
            await page.getByRole('button', { name: 'Stop the upload of slow.png' }).click()
            await page.getByRole('button', { name: 'Remove slow.png' }).click()
            await sendSlowly(session, 0)
            if (width === 1440) await assertReachable(page, 30)
            await files(page).locator('.media-file').first().click()
            const dialog = page.getByRole('dialog')
            await dialog.getByRole('list', { name: 'Addresses' }).waitFor()
            if ((await dialog.getByRole('button', { name: 'Set focal point' }).count()) > 0)
              await dialog.getByRole('button', { name: 'Set focal point' }).click()
            assert.deepEqual(await accessibilityOf(page), [])
          },
          { path: '/console/media?type=images', scheme, width, height: 900 },
        ))
})
