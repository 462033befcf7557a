import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../../../core/index.js'
import { admin } from '../../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../../plugins/console/index.js'
import { startBrowser } from '../../../../support/browser.js'
import { inBrowser, schemes } from '../../../../support/pages/served.js'
import { openPage, type View } from '../../../../support/pages/watched-page.js'
import { adminOf, command } from '../../../admin/world.js'
import { assertForFingers } from '../fitting.js'
import { servedConsole, signIn } from '../served.js'

const wrong = 'This e-mail and password do not belong together, or the account is blocked.'
const account = (page: Page, name: string) => page.getByRole('button', { name: `Account: ${name}` })

describe('signing in to the console', inBrowser, () => {
  const served = servedConsole({ ratelimit: { max: 3 } })

  it('takes the password that the account has in Strapi, and opens the view of the address', () =>
    served.signedIn(
      'edda',
      async page => {
        await account(page, 'Edda Editor').waitFor()
        await page.getByRole('heading', { name: 'Author' }).waitFor()
        await page.locator('h1:focus').waitFor()
        await page.reload()
        await account(page, 'Edda Editor').waitFor()
        assert.deepEqual(await page.evaluate('[document.cookie, sessionStorage.length]'), ['', 0])
      },
      { path: '/console/c/author' },
    ))

  it('says the same of a wrong password, an unknown account and one that is blocked, and then when to try again', () =>
    served.opened(async page => {
      await signIn(page, 'anna', 'Anna-pass-2')
      await page.getByRole('alert').getByText(wrong).waitFor()
      const address = page.getByRole('textbox', { name: 'E-mail' })
      await address.fill('unknown@example.test')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').getByText(wrong).waitFor()
      const button = page.getByRole('button', { name: 'Sign in' })
      for (let time = 0; time < 3 && (await button.isEnabled()); time += 1) {
        const answered = page.waitForResponse(response => response.url().endsWith('/console/session'))
        await button.click()
        await answered
        await page
          .getByText(/Too many attempts|do not belong/)
          .first()
          .waitFor()
      }
      await page.getByText(/^Too many attempts\. Try again in \d+ seconds?\.$/).waitFor()
      await page.getByRole('alert').getByText('Too many attempts.').waitFor({ state: 'attached' })
      assert.equal(await button.isDisabled(), true)
    }))
})

describe('the console without TLS', inBrowser, () => {
  const served = servedConsole()
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser('cms.example.test')
  })
  afterAll(() => browser?.close())

  it('says on another machine what to do, and works on its own', async () => {
    const { port } = new URL(served.origin)
    const page = await browser.newPage()
    const reply = await page.goto(`http://cms.example.test:${port}/console`)
    assert.equal(reply?.status(), 403)
    const text = await page.locator('body').innerText()
    assert.match(text, /^The console cannot be opened at http:\/\/cms\.example\.test:\d+: without TLS/)
    await page.goto(/http:\/\/localhost\S+\/console/.exec(text)?.[0] ?? '')
    await signIn(page, 'edda')
    await account(page, 'Edda Editor').waitFor()
  })
})

describe('links to the console', inBrowser, () => {
  let app: TestApp
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    app = await createTestApp({
      types: { note: { attributes: { text: { type: 'string' } } } },
      plugins: [[admin, { ratelimit: { enabled: false } }], contentConsole],
      config: { server: { host: '127.0.0.1', port: 0 } },
    } as Parameters<typeof createTestApp>[0])
    origin = `http://127.0.0.1:${(await app.listen()).port}`
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  const opened = async (path: string, work: (page: Page) => Promise<void>, view: Partial<View> = {}) => {
    const { page, wrongs } = await openPage(browser, origin + path, view)
    try {
      await work(page)
      assert.deepEqual(wrongs, [])
    } finally {
      await page.context().close()
    }
  }
  /** The form behind a link is one for phones as well. */
  const fitsPhones = async (path: string) => {
    for (const scheme of schemes)
      await opened(
        path,
        async page => {
          await page.getByLabel('Password').waitFor()
          await assertForFingers(page)
        },
        { scheme, width: 390, height: 844, hasTouch: true },
      )
  }
  /** The path of the first link in some lines. */
  const pathIn = (lines: readonly string[]): string => {
    const found = /\/console\/\S+/.exec(lines.join('\n'))?.[0]
    assert.ok(found, lines.join('\n'))
    return found
  }
  const password = 'eleven elephants'
  const choose = async (page: Page, button: string) => {
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('alert').filter({ hasText: /10/ }).waitFor()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: button }).click()
  }

  it('say how the first account is made, and make it once', async () => {
    await opened('/console', async page => {
      await page.getByRole('heading', { name: 'No account yet' }).waitFor()
      await page.getByText('Run: stele admin create').waitFor()
    })
    const path = pathIn(await adminOf(app).tell())
    await fitsPhones(path)
    await opened(path, async page => {
      await page.getByLabel('First name').fill('Ada')
      await page.getByLabel('E-mail').fill('ada@example.test')
      await choose(page, 'Create the account')
      await account(page, 'Ada').waitFor()
      assert.equal(await page.evaluate('location.href'), `${origin}/console`)
    })
    await opened(path, async page => {
      await page.getByLabel('E-mail').fill('eve@example.test')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Create the account' }).click()
      await page.getByRole('alert').getByText('This link is no longer valid').waitFor()
    })
  })

  it('invite, for one password', async () => {
    const invitation = ['edda@example.test']
    const { lines } = await command(app, 'admin invite', invitation, { role: 'Editor', firstname: 'Edda' })
    const path = pathIn(lines)
    await fitsPhones(path)
    await opened(path, async page => {
      await page.getByRole('heading', { name: 'Welcome, Edda. Choose a password.' }).waitFor()
      await choose(page, 'Create my account')
      await account(page, 'Edda').waitFor()
    })
    await opened(path, async page => {
      await page.getByRole('alert').getByText('This link is no longer valid').waitFor()
    })
  })

  it('give a new password in place of the old one, once', async () => {
    const email = 'nora@example.test'
    const named = { role: 'Editor', firstname: 'Nora' }
    await command(app, 'admin create', [email], { ...named, password: 'seven old seals' })
    const path = pathIn((await command(app, 'admin password', [email], { link: true })).lines)
    await fitsPhones(path)
    await opened(path, async page => {
      await page.getByRole('heading', { name: 'Nora, choose a new password.' }).waitFor()
      await choose(page, 'Save the password')
      await account(page, 'Nora').click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
      for (const [typed, isTaken] of [
        ['seven old seals', false],
        [password, true],
      ] as const) {
        await page.getByLabel('Password').fill(typed)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await (isTaken ? account(page, 'Nora') : page.getByRole('alert').getByText(wrong)).waitFor()
      }
    })
    await opened(path, async page => {
      await page.getByRole('alert').getByText('This link is no longer valid').waitFor()
    })
  })

  it('load their view when it is opened, and again where that has failed', () =>
    opened('/console', async page => {
      const script = /\/assets\/link-page-.*\.js$/
      await page.route(script, route => route.abort())
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await page.getByRole('alert').getByText('This part of the page could not be loaded.').waitFor()
      await page.unroute(script)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: 'New password' }).waitFor()
    }))

  it('are sent to who has forgotten the password, or a person has to be asked', () =>
    opened('/console', async page => {
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await page.getByRole('heading', { name: 'New password' }).waitFor()
      await page.getByLabel('E-mail').fill('edda@example.test')
      await page.getByRole('button', { name: 'Send me a link' }).click()
      await page.getByRole('alert').getByText('Ask an administrator for a link.').waitFor()
      await page.getByRole('link', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
    }))
})
