import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { definePlugin } from '../../../../../core/index.js'
import { admin } from '../../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../../plugins/console/index.js'
import { draftAndPublish } from '../../../../../plugins/draft-and-publish/index.js'
import { accessibilityOf } from '../../../../support/pages/accessibility.js'
import { inBrowser, looks } from '../../../../support/pages/served.js'
import { assertFits } from '../../../../support/pages/watched-page.js'
import type { World } from '../../../../support/server.js'
import { Editor } from '../../project.js'
import { type Role, servedConsole, servedWorld } from '../served.js'

/** Code of an app that is wrong: one search fails, and so does each write of one entry. */
const broken = definePlugin({
  name: 'broken',
  hooks: {
    parseQuery: raw => {
      if (String(raw._q).startsWith('zzz')) throw new Error('this search is broken')
      return raw
    },
    beforeWrite: write => {
      if (write.id === 2) throw new Error('this entry is broken')
      return write
    },
  },
})

const world = {
  types: {
    article: {
      options: { draftAndPublish: true, scheduling: true },
      attributes: { title: { type: 'string', required: true } },
    },
    note: { attributes: { title: { type: 'string' } } },
    cover: { kind: 'singleType', attributes: { title: { type: 'string' } } },
  },
  plugins: [draftAndPublish, [admin, { ratelimit: { enabled: false } }], contentConsole, broken],
  rows: async ({ entries }) => {
    for (let at = 1; at <= 12; at += 1)
      await entries('api::article.article').create({ title: `Draft ${at}`, publishedAt: null })
    await entries('api::article.article').create({ title: 'To come', publishAt: '2100-01-01T08:00:00.000Z' })
  },
} satisfies World

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const region = (page: Page, name: string) => page.getByRole('region', { name })
const wrote = (page: Page, method: string, path: string, data: object) =>
  page.evaluate<number>(
    `fetch('/console/api/${path}', { method: '${method}', headers: { 'Content-Type': 'application/json' }, body: '${JSON.stringify({ data })}' }).then(one => one.status)`,
  )

describe('the start page of an app', inBrowser, () => {
  const served = servedWorld(world)
  const home = (role: Role, work: (page: Page) => Promise<void>) => served.signedIn(role, work)

  it('has the own entries, what is waiting, and the types with their numbers', () =>
    home('Editor', async page => {
      assert.equal(await wrote(page, 'POST', 'notes', { title: 'Mine' }), 200)
      assert.equal(await wrote(page, 'PUT', 'articles/3', { title: 'Changed by me' }), 200)
      assert.equal(await wrote(page, 'POST', 'articles', { title: 'My own draft' }), 200)
      const asked: string[] = []
      page.on('request', request => {
        if (request.url().includes('/console/api/')) asked.push(decodeURIComponent(request.url()))
      })
      await page.reload()
      const changed = region(page, 'Last changed by me')
      await changed.waitFor()
      assert.deepEqual(await changed.getByRole('listitem').getByRole('link').allInnerTexts(), [
        'My own draft',
        'Changed by me',
        'Mine',
      ])
      assert.deepEqual(await region(page, 'My drafts').getByRole('listitem').getByRole('link').allInnerTexts(), [
        'My own draft',
      ])
      const waiting = region(page, 'Waiting to be published')
      assert.deepEqual(await waiting.getByRole('listitem').getByRole('link').allInnerTexts(), ['To come'])
      const types = region(page, 'Types')
      await types.getByText('14 entries').waitFor()
      await types.getByText('1 entry').waitFor()
      assert.equal(asked.length, 6, asked.join('\n'))
      assert.equal(asked.filter(url => url.includes('/aggregate?')).length, 2)

      await changed.getByRole('link', { name: 'article', exact: true }).click()
      await heading(page, 'article').waitFor()
      await page.getByText(/^updatedBy is /).waitFor()
      await page.getByRole('navigation', { name: 'Pages' }).getByText('1–2 of 2').waitFor()
      await page.goBack()
      await waiting.getByRole('link', { name: 'article', exact: true }).click()
      await page.getByRole('navigation', { name: 'Pages' }).getByText('1–1 of 1').waitFor()
      assert.equal(await page.getByLabel('State').inputValue(), 'scheduled')
    }))

  it('lists work that failed, with the reason in a table, and the number of a failure to be copied', () =>
    served.signedIn(
      'Super Admin',
      async page => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
        for (const at of [1, 2]) await page.getByRole('checkbox', { name: `Select Draft ${at}`, exact: true }).check()
        await page.getByRole('button', { name: 'Publish', exact: true }).click()
        const failures = region(page, 'What failed')
        const row = failures.getByRole('row').filter({ has: page.getByRole('link', { name: 'Draft 2' }) })
        await row.getByText('The server failed. Nothing was saved. Number for the log: ').waitFor()
        await row.getByRole('button', { name: 'Copy the number' }).click()
        await page.getByText('The number is copied.').waitFor()
        const number = await page.evaluate<string>('navigator.clipboard.readText()')
        assert.ok(number.length > 4 && (await row.innerText()).includes(number), number)
        await failures.getByRole('button', { name: 'Dismiss' }).click()
        await page.getByRole('link', { name: 'Home' }).click()
        const failed = region(page, 'Failed in part')
        await failed.getByText('1 entry is published. 1 failed.').waitFor()
        await failed.getByRole('button', { name: 'Show what failed' }).click()
        await failures.getByRole('button', { name: 'Try these again' }).waitFor()
      },
      { path: '/console/c/article' },
    ))

  it('shows the number of a list that the server failed to read', () =>
    served.signedIn(
      'Super Admin',
      async page => {
        await page.getByText('The server failed. Number for the log: ').waitFor()
        await page.getByRole('button', { name: 'Copy the number' }).waitFor()
        await page.getByRole('searchbox', { name: 'Search' }).fill('Draft 1')
        await page.getByRole('link', { name: 'Draft 12' }).waitFor()
      },
      { path: '/console/c/article?q=zzz&in=all' },
    ))

  for (const { scheme, width } of looks)
    it(`has no barriers that axe knows, in ${scheme} colours at ${width} pixels`, () =>
      served.signedIn(
        'Editor',
        async page => {
          await page.getByRole('checkbox', { name: 'Select Draft 2' }).check()
          await page.getByRole('button', { name: 'Publish', exact: true }).click()
          await region(page, 'What failed').waitFor()
          const found = [...(await accessibilityOf(page))]
          await region(page, 'What failed').getByRole('button', { name: 'Dismiss' }).click()
          if (width < 720) await page.getByRole('button', { name: 'Menu' }).click()
          await page.getByRole('link', { name: 'Home' }).click()
          await region(page, 'Types').getByText('14 entries').waitFor()
          found.push(...(await accessibilityOf(page)))
          await assertFits(page)
          assert.deepEqual(found, [])
        },
        { path: '/console/c/article?q=Draft%202', scheme, width },
      ))
})

describe('long work in a project of Strapi', inBrowser, () => {
  const served = servedConsole()

  it('tells the rest of the time after five seconds', () =>
    served.signedIn(
      'edda',
      async page => {
        await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
        await page.clock.install()
        const held: (() => void)[] = []
        let sent = 0
        let isHeld = true
        await page.route(/\/actions\/publish/, async route => {
          sent += 1
          if (sent > 4 && isHeld) await new Promise<void>(resolve => held.push(resolve))
          await route.continue()
        })
        await page
          .getByRole('toolbar', { name: 'Chosen entries' })
          .getByRole('button', { name: 'Publish', exact: true })
          .click()
        const work = page.getByRole('main').locator('xpath=..')
        await work.getByText('4 of 20').waitFor()
        assert.equal(await work.getByText('left').count(), 0)
        // Leaving the page would end the work.
        const asked = page.waitForEvent('dialog')
        const leaving = page.evaluate(`location.assign('/console/c/author')`)
        const question = await asked
        assert.equal(question.type(), 'beforeunload')
        await question.dismiss()
        await leaving
        await page.clock.fastForward(10_000)
        await vi.waitFor(() => assert.equal(held.length, 4), 10_000)
        isHeld = false
        for (const next of held) next()
        await work.getByText(/^\d+ (second|minute)s? left$/).waitFor()
      },
      { path: '/console/c/article?state=draft' },
    ))
})

describe('the start page of a project with webhooks', inBrowser, () => {
  const receiver = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(500).end())
  })
  const served = servedConsole({ settings: { events: { config: { privateAddresses: ['127.0.0.1'], retries: [] } } } })
  let url = ''
  beforeAll(async () => {
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  })
  afterAll(() => {
    receiver.closeAllConnections()
    receiver.close()
  })

  it('has the messages that failed, for those who see webhooks', async () => {
    const ada = await Editor.signIn(served.project(), 'ada')
    const hook = { name: 'failing', url, events: ['entry.create'] }
    assert.equal((await ada.ask('POST', '/console/api/events/webhooks', { data: hook })).status, 201)
    assert.equal((await ada.ask('POST', '/console/api/tags', { data: { name: 'Rye' } })).status, 200)
    await vi.waitFor(
      async () => assert.equal((await ada.get('/console/api/events/deliveries?state=failed')).body.data.length, 1),
      { timeout: 30_000, interval: 200 },
    )
    await served.signedIn('ada', async page => {
      const failed = region(page, 'Messages to webhooks that failed')
      await failed.getByText('entry.create').waitFor()
      await failed.getByRole('listitem').getByRole('link').click()
      await heading(page, 'failing').waitFor()
    })
    await served.signedIn('edda', async page => {
      await region(page, 'Types')
        .getByText(/ entries$/)
        .first()
        .waitFor()
      assert.equal(await region(page, 'Messages to webhooks that failed').count(), 0)
    })
  })
})
