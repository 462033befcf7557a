import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../support/pages/served.js'
import { collisionsIn, smallerThan } from '../browser/fitting.js'
import { servedWorld, signInBy } from '../browser/served.js'
import { cutIn, middleOf, obscuredIn, sidewaysIn, space, turn, untitledIn } from './findings.js'
import { magazine } from './magazine.js'
import { longer, pseudo } from './pseudo.js'
import { walk } from './walk.js'

const wide = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
/** A window of 1280 by 1024 pixels at 400 %. */
const enlarged = { width: 320, height: 256 }

/** Collects what is wrong with a page as it stands: for eyes, fingers and keys, at every size and in both directions. */
async function wrongsOf(page: Page, touch: (isOn: boolean) => Promise<unknown>): Promise<string[]> {
  const found: string[] = []
  const look = async (at: string, ...finds: readonly ((page: Page) => Promise<string[]>)[]) => {
    for (const find of finds) found.push(...(await find(page)).map(line => `${at}: ${line}`))
  }
  const smallerThan24 = (one: Page) => smallerThan(one, 24)
  const smallerThan44 = (one: Page) => smallerThan(one, 44)
  await look('wide', collisionsIn, cutIn, smallerThan24, obscuredIn, untitledIn)
  await space(page, true)
  await look('spaced', collisionsIn, cutIn)
  await space(page, false)
  await turn(page, 'rtl')
  await look('from right to left', collisionsIn)
  await page.setViewportSize(phone)
  await look('phone from right to left', collisionsIn)
  await turn(page, 'ltr')
  await touch(true)
  await look('phone', collisionsIn, cutIn, smallerThan44, obscuredIn)
  await page.setViewportSize(enlarged)
  await look('enlarged', sidewaysIn, obscuredIn)
  await touch(false)
  await page.setViewportSize(wide)
  return found
}

describe('every view and dialog, in texts that are longer by 40 %', { ...inBrowser, timeout: 600_000 }, () => {
  const brand = { name: 'The Bread and Rye Gazette of the Northern Counties', logo: 'logo.svg', accent: '#7a1f5c' }
  const served = servedWorld(magazine(undefined, { brand }))

  it('is whole at every size, with spaced text and from right to left, and hides nothing that has the focus', () =>
    served.opened(
      async page => {
        // The page is in German, whose texts are the longer ones.
        await page.route('**/assets/de-*.js', route =>
          route.fulfill({ contentType: 'text/javascript', body: `export default ${JSON.stringify(pseudo)}` }),
        )
        await page.reload()
        await page.getByRole('button', { name: longer('Sign in') }).waitFor()
        const session = await page.context().newCDPSession(page)
        const touch = (enabled: boolean) => session.send('Emulation.setTouchEmulationEnabled', { enabled })
        const found = (await wrongsOf(page, touch)).map(line => `sign-in, ${line}`)
        assert.equal(await signInBy(page, 'Super Admin'), 200)
        await walk(page, served.origin, pseudo, async ({ name }) => {
          found.push(...(await wrongsOf(page, touch)).map(line => `${name}, ${line}`))
        })
        assert.deepEqual(found, [])
      },
      { locale: 'de', ...wide },
    ))

  it('is mirrored from right to left', () =>
    served.signedIn(
      'Super Admin',
      async page => {
        await page.getByText(/ of \d+$/).waitFor()
        await turn(page, 'rtl')
        assert.ok((await middleOf(page, '.view-head > :last-child')) < 0.5)
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
        await page.getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('dialog').waitFor()
        assert.ok((await middleOf(page, 'dialog .close')) < 0.5)
        await page.goto(`${served.origin}/console/c/article/1`)
        await page.getByRole('form').waitFor()
        await turn(page, 'rtl')
        assert.ok((await middleOf(page, '.item-head .popup')) < 0.5)
      },
      { path: '/console/c/article' },
    ))
})
