import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../../../core/index.js'
import { noBrowser, startBrowser } from '../../../support/browser.js'
import { editor, password, unthrottled } from './tab.js'

/** Requests below /console as the server saw them, each with its status. */
const seen: string[] = []

/** Stands for the page of the console, and watches. */
const page = definePlugin({
  name: 'page',
  routes: [
    {
      method: 'GET',
      at: 'root',
      path: '/console',
      action: null,
      run: ({ ctx }) => {
        ctx.type = 'text/html'
        ctx.body = '<!doctype html><title>Console</title><p>the console</p>'
      },
    },
  ],
  observe: {
    request: ({ method, path, status }) => {
      if (path.startsWith('/console')) seen.push(`${method} ${path} ${status}`)
    },
  },
})

// Pages of the browser are text: they know other names than the code compiled here.
const ask = (method: string, url: string, more = '') =>
  `fetch('${url}', { method: '${method}', credentials: 'include', ${more} }).then(one => one.status, () => 'blocked')`

describe('sessions in a browser', { skip: noBrowser !== undefined, timeout: 120_000 }, () => {
  let app: TestApp
  let browser: Browser
  let others: Server
  let own: string
  let tab: Page
  /** A page of another port of this machine, to which the browser sends the cookie, and one of another site. */
  let neighbour: string
  let stranger: string

  beforeAll(async () => {
    app = await createTestApp({
      ...(unthrottled as object),
      plugins: [...unthrottled.plugins, page] as never,
      config: { server: { host: '127.0.0.1', port: 0, headers: { contentSecurityPolicy: false } } },
    })
    await editor(app, 'ada@example.test')
    own = `http://127.0.0.1:${(await app.listen()).port}`
    others = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end('<!doctype html><title>Another</title>')
    })
    await new Promise<void>(resolve => others.listen(0, '127.0.0.1', resolve))
    const { port } = others.address() as AddressInfo
    neighbour = `http://127.0.0.1:${port}`
    stranger = `http://localhost:${port}`
    browser = await startBrowser()
    tab = await (await browser.newContext()).newPage()
    await tab.goto(`${own}/console`)
    const body = JSON.stringify({ email: 'ada@example.test', password })
    const headers = `headers: { 'Content-Type': 'application/json' }, body: '${body}'`
    assert.equal(await tab.evaluate(ask('POST', '/console/session', headers)), 200)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
    others?.close()
  })

  const isSignedIn = async (): Promise<boolean> => {
    const home = await tab.context().newPage()
    await home.goto(`${own}/console`)
    const status = await home.evaluate(ask('GET', '/console/session'))
    await home.close()
    return status === 200
  }

  /** Lets a page of another origin do its worst, and gives what the server saw of it. */
  const attack = async (from: string, work: (page: Page) => Promise<unknown>): Promise<string[]> => {
    const attacker = await tab.context().newPage()
    await attacker.goto(from)
    seen.length = 0
    await work(attacker)
    await attacker.close()
    return [...seen]
  }

  it('have a cookie that no script reads, and that is sent to the console alone', async () => {
    assert.equal(await tab.evaluate('document.cookie'), '')
    assert.equal(await isSignedIn(), true)
    const [cookie] = await tab.context().cookies(`${own}/console/session`)
    assert.deepEqual(
      [cookie?.name, cookie?.httpOnly, cookie?.sameSite, cookie?.path, cookie?.expires],
      ['stele', true, 'Strict', '/console', -1],
    )
    assert.deepEqual(await tab.context().cookies(`${own}/api/articles`), [])
  })

  const places = [
    ['another port of the machine, to which the cookie is sent', () => neighbour],
    ['another site', () => stranger],
  ] as const
  for (const [says, place] of places) {
    it(`are not read by a script of ${says}`, async () => {
      let shown: unknown
      const saw = await attack(place(), async attacker => {
        shown = await attacker.evaluate(ask('GET', `${own}/console/session`))
      })
      assert.deepEqual([shown, saw], ['blocked', ['GET /console/session 403']])
    })

    it(`are not ended by a script of ${says}`, async () => {
      let shown: unknown
      const saw = await attack(place(), async attacker => {
        shown = await attacker.evaluate(ask('DELETE', `${own}/console/sessions`))
      })
      assert.deepEqual([shown, saw], ['blocked', ['OPTIONS /console/sessions 403']])
      assert.equal(await isSignedIn(), true)
    })

    it(`are not used by a script of ${says} that asks for no response`, async () => {
      const body = JSON.stringify({ current: password, password: 'thirteen elephants' })
      const saw = await attack(place(), attacker =>
        attacker.evaluate(ask('POST', `${own}/console/password`, `mode: 'no-cors', body: '${body}'`)),
      )
      assert.deepEqual(saw, ['POST /console/password 403'])
    })

    it(`are not used by a form of ${says}`, async () => {
      const saw = await attack(place(), async attacker => {
        const sent = attacker.waitForURL(`${own}/**`)
        await attacker.evaluate(`(() => {
          const form = document.createElement('form')
          Object.assign(form, { method: 'post', action: '${own}/console/password', enctype: 'text/plain' })
          const field = document.createElement('input')
          Object.assign(field, { name: '{"current":"${password}","password":"thirteen elephants","x":"', value: '"}' })
          form.append(field)
          document.body.append(form)
          form.submit()
        })()`)
        await sent
      })
      assert.deepEqual(saw, ['POST /console/password 403'])
      assert.equal(await isSignedIn(), true)
    })

    it(`are not used by an image of ${says}`, async () => {
      const saw = await attack(place(), attacker =>
        attacker.evaluate(`new Promise(resolve => {
          const image = new Image()
          image.onerror = image.onload = resolve
          image.src = '${own}/console/session'
        })`),
      )
      assert.deepEqual(saw, ['GET /console/session 403'])
    })

    it(`are shown in no frame of ${says}`, async () => {
      let text: string | undefined
      await attack(place(), async attacker => {
        await attacker.evaluate(`new Promise(resolve => {
          const frame = document.createElement('iframe')
          frame.onload = resolve
          frame.src = '${own}/console'
          document.body.append(frame)
        })`)
        text = await attacker.frames()[1]?.evaluate('document.body.innerText')
      })
      assert.doesNotMatch(String(text), /the console/)
    })

    it(`lead from a link of ${says} to the page, which is signed in`, async () => {
      let status: unknown
      await attack(place(), async attacker => {
        await attacker.evaluate(`location.href = '${own}/console'`)
        await attacker.waitForURL(`${own}/console`)
        status = await attacker.evaluate(ask('GET', '/console/session'))
      })
      assert.equal(status, 200)
    })
  }
})
