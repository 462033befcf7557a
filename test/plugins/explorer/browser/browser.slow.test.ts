import { strict as assert } from 'node:assert'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { createClient } from '../../../../plugins/typescript/client/index.js'
import { password } from '../../../sample/sample.js'
import { accessibilityOf, assertReachable, focusedIn } from '../../../support/pages/accessibility.js'
import { inBrowser, schemes, servedSample } from '../../../support/pages/served.js'
import { assertFits, until } from '../../../support/pages/watched-page.js'
import { Dice } from '../random.js'
import { type Body, curl, pressSendAnyway, sent } from './page.js'

describe('the explorer in a browser', inBrowser, () => {
  const served = servedSample('/explorer')
  const { opened } = served

  it('leads from the page at the root to the type that was clicked', () =>
    opened(
      async page => {
        await page.getByRole('link', { name: 'Tag' }).click()
        await page.getByRole('heading', { level: 1, name: 'Tag' }).waitFor()
        assert.equal((await sent(page)).shown, '200 OK')
      },
      { path: '/' },
    ))

  it('builds a query of fields, populate, filters, an order and a page, and shows it in four ways', () =>
    opened(async page => {
      const request = page.getByRole('main', { name: 'Request' })
      await request.getByRole('group', { name: 'Fields of Article' }).getByRole('button', { name: 'title' }).click()
      await request.getByRole('checkbox', { name: /^author/ }).check()
      await request.getByText('fields, populate').click()
      await request.getByRole('group', { name: 'Fields of Author' }).getByRole('button', { name: 'name' }).click()
      await request.getByRole('button', { name: 'Add a condition' }).last().click()
      await request.getByLabel('Condition 1: field', { exact: true }).selectOption('author')
      await request.getByLabel('Condition 1: field, within author').selectOption('handle')
      await request.getByLabel('Condition 1: operator').selectOption('$startsWith')
      await request.getByLabel('Condition 1: value').fill('be')
      await request.getByRole('button', { name: 'Add an order' }).last().click()
      await request.getByLabel('Sort 1: field').selectOption('title')
      await request.getByLabel('Sort 1: direction').selectOption('desc')
      await request.getByLabel('How the page is chosen').selectOption('page')
      await request.getByLabel('Size').fill('2')
      const { shown, body } = await sent(page)
      assert.equal(shown, '200 OK')
      assert.equal(body.data.length, 2)
      assert.equal(body.data[0].attributes.author.data.attributes.name, 'Ben Okafor')

      const text = page.locator('#request-text')
      assert.equal(
        await text.textContent(),
        'GET /api/articles?fields[0]=title&populate[author][fields][0]=name&filters[author][handle][$startsWith]=be&sort[0]=title:desc&pagination[pageSize]=2',
      )
      await page.getByRole('tab', { name: 'curl' }).click()
      assert.match((await text.textContent()) ?? '', new RegExp(`^curl -g '${served.origin}/api/articles\\?fields`))
      await page.getByRole('tab', { name: 'Client' }).click()
      assert.match((await text.textContent()) ?? '', /api\.articles\.find\(\{\n {2}fields: \['title'\],/)
    }))

  it('shows the request as curl, client and query body, each of which gets the same response', () =>
    opened(async page => {
      const request = page.getByRole('main', { name: 'Request' })
      await request.getByRole('group', { name: 'Fields of Article' }).getByRole('button', { name: 'title' }).click()
      await request.getByRole('checkbox', { name: /^author/ }).check()
      await request.getByRole('button', { name: 'Add a condition' }).last().click()
      await request.getByLabel('Condition 1: field', { exact: true }).selectOption('title')
      await request.getByLabel('Condition 1: operator').selectOption('$containsi')
      await request.getByLabel('Condition 1: value').fill('e\' "b')
      const { shown, body } = await sent(page)
      assert.equal(shown, '200 OK')
      assert.deepEqual(await run(page), [body, body, body])
      await request.getByLabel('Condition 1: value').fill('bread')
      const found = (await sent(page)).body
      assert.ok(found.data.length > 0)
      assert.deepEqual(await run(page), [found, found, found])

      await page.getByRole('tab', { name: 'Read', exact: true }).click()
      await page.getByRole('combobox', { name: 'Entry: search Article' }).fill('waits')
      await page.getByRole('option', { name: /Bread that waits/ }).click()
      const one = (await sent(page)).body
      assert.equal(one.data.id, 2)
      assert.deepEqual(await run(page), [one, one, one])
      await page.getByRole('tab', { name: 'Create' }).click()
      assert.equal(await page.getByRole('tab', { name: 'Query body' }).count(), 0)
    }))

  it('turns pages beside an entry, also with the keyboard, and begins again when the list is another one', () =>
    opened(async page => {
      const request = page.getByRole('main', { name: 'Request' })
      await request.getByRole('button', { name: 'Add an order' }).last().click()
      await request.getByLabel('Sort 1: field').selectOption('title')
      await request.getByLabel('How the page is chosen').selectOption('cursor')
      await request.getByLabel('Limit').fill('4')
      const text = page.locator('#request-text')
      const asks = async (expected: RegExp) => assert.match((await text.textContent()) ?? '', expected)
      const turn = (label: string) => request.getByRole('button', { name: `${label} page` })
      const canTurn = async (label: string) => (await turn(label).getAttribute('aria-disabled')) !== 'true'
      const turned = async (press: () => Promise<void>) => {
        const { body }: { body: Body } = await sent(page, press)
        return body.data.map(({ id }: Body) => id)
      }
      assert.deepEqual([await canTurn('Previous'), await canTurn('Next')], [false, false])
      await asks(/^GET \/api\/articles\?sort\[0\]=title:asc&pagination\[after\]=&pagination\[limit\]=4$/)
      const whole: Body = await (
        await fetch(`${served.origin}/api/articles?sort=title&pagination[withCount]=false`)
      ).json()
      const ids = whole.data.map(({ id }: Body) => id)
      assert.equal(ids.length, 12)
      assert.deepEqual(
        (await sent(page)).body.data.map(({ id }: Body) => id),
        ids.slice(0, 4),
      )
      assert.deepEqual([await canTurn('Previous'), await canTurn('Next')], [false, true])

      await turn('Next').focus()
      assert.deepEqual(await turned(() => page.keyboard.press('Enter')), ids.slice(4, 8))
      await asks(/&pagination\[after\]=[\w-]{20,}&pagination\[limit\]=4$/)
      assert.deepEqual(await turned(() => page.keyboard.press('Enter')), ids.slice(8))
      // The button keeps the focus where there is no next page.
      assert.deepEqual([await canTurn('Next'), (await focusedIn(page)).text], [false, 'Next page'])
      assert.deepEqual(await accessibilityOf(page), [])
      assert.deepEqual(await turned(() => turn('Previous').click()), ids.slice(4, 8))
      await asks(/&pagination\[before\]=[\w-]{20,}&/)
      const { body } = await sent(page)
      assert.deepEqual(await run(page), [body, body, body])
      await page.getByRole('tab', { name: 'URL', exact: true }).click()

      // Populate leaves the list as it is, and a filter makes it another one.
      await request.getByRole('checkbox', { name: /^author/ }).check()
      await asks(/&pagination\[before\]=[\w-]{20,}&/)
      await request.getByRole('button', { name: 'Add a condition' }).last().click()
      await request.getByLabel('Condition 1: field', { exact: true }).selectOption('title')
      await request.getByLabel('Condition 1: operator').selectOption('$containsi')
      await request.getByLabel('Condition 1: value').fill('bread')
      await asks(/&pagination\[after\]=&pagination\[limit\]=4$/)
      assert.deepEqual([await canTurn('Previous'), await canTurn('Next')], [false, false])
      assert.equal((await sent(page)).shown, '200 OK')
      await request.getByRole('button', { name: 'Condition 1: remove' }).click()
      await asks(/&pagination\[after\]=&/)
      assert.deepEqual(await turned(() => turn('Last').click()), ids.slice(-4))
    }))

  /** The responses to what the tabs show, sent as it stands there. */
  const run = async (page: Page): Promise<Body[]> => {
    const textOf = async (tab: string) => {
      await page.getByRole('tab', { name: tab }).click()
      return (await page.locator('#request-text').textContent()) ?? ''
    }
    const curled = await curl(await textOf('curl'))
    const call = (await textOf('Client')).replace('const { data, error } =', 'return')
    const Call = Object.getPrototypeOf(async () => undefined).constructor
    const called = await new Call('api', call)(createClient({ url: `${served.origin}/api` }))
    const [head = '', ...rest] = (await textOf('Query body')).split('\n\n')
    const [method = '', path = ''] = head.split(' ')
    assert.equal(method, 'POST')
    const headers = { 'content-type': 'application/json' }
    const posted = await fetch(served.origin + path, { method, headers, body: rest.join('\n\n') })
    return [curled, called, await posted.json()]
  }

  it('shows how long a response took, its size, and how many statements ran for it: none for a cached one', () =>
    opened(async page => {
      await page.getByLabel('How the page is chosen').selectOption('page')
      await page.getByLabel('Size').fill('3')
      const head = page.locator('.response-head')
      const figures: string[] = []
      for (let time = 0; time < 3; time += 1) {
        await sent(page)
        figures.push((await head.textContent()) ?? '')
      }
      assert.match(figures[0] as string, /200 OK[\d.]+ ms[\d.]+ kB[1-9]\d* statements3 of \d+ entries/)
      assert.match(figures[2] as string, /200 OK[\d.]+ ms[\d.]+ kB0 statements3 of \d+ entries/)
    }))

  it('finds entries while their name is typed, with the keyboard', () =>
    opened(async page => {
      await page.getByRole('button', { name: 'Add a condition' }).last().click()
      await page.getByLabel('Condition 1: field', { exact: true }).selectOption('author')
      await page.getByLabel('Condition 1: field, within author').selectOption('id')
      const box = page.getByRole('combobox', { name: 'Condition 1: author: search Author' })
      await box.pressSequentially('okaf')
      await page.getByRole('option', { name: /Ben Okafor/ }).waitFor()
      await until(page, 'document.querySelectorAll("[role=option]").length === 1')
      await page.getByRole('option', { name: /Ben Okafor/, selected: true }).waitFor()
      await box.press('Enter')
      await page.getByRole('button', { name: 'remove Ben Okafor' }).waitFor()
      assert.match((await page.locator('#request-text').textContent()) ?? '', /filters\[author\]\[id\]\[\$eq\]=2/)
    }))

  it('creates, changes and deletes an entry through its forms', () =>
    opened(async page => {
      await page.getByRole('button', { name: /^Article/ }).click()
      await page.getByRole('tab', { name: 'Create' }).click()
      const form = page.locator('.form').first()
      await form.getByLabel('title string, required').fill('Ink that lasts')
      await form.getByLabel('format enumeration').selectOption('essay')
      await form.getByLabel('minutes integer').fill('7')
      await form.getByLabel('facts json').fill('{ "pens": [1, 2] }')
      await form.getByRole('combobox', { name: 'tags: search Tag' }).fill('1')
      await page.locator('.options [aria-selected=true]').waitFor()
      await form.getByRole('combobox', { name: 'tags: search Tag' }).press('Enter')
      await form.getByRole('button', { name: 'Add SEO to seo' }).click()
      await form.getByRole('group', { name: 'seo: SEO' }).getByLabel('title string, required').fill('Ink')
      await form.getByLabel('Add to blocks').selectOption({ label: 'Quote' })
      await form.getByRole('group', { name: 'blocks 1: Quote' }).getByLabel('text text, required').fill('Write.')
      const { shown, body } = await sent(page)
      assert.equal(shown, '200 OK')
      const created = body.data
      assert.deepEqual([created.attributes.title, created.attributes.facts], ['Ink that lasts', { pens: [1, 2] }])

      await page.getByRole('tab', { name: 'Update' }).click()
      const entry = page.getByRole('combobox', { name: 'Entry: search Article' })
      await entry.fill(String(created.id))
      await page.getByRole('option', { name: /Ink that lasts/, selected: true }).waitFor()
      await entry.press('Enter')
      const title = form.getByLabel('title string, required').first()
      await until(page, 'document.querySelector(".form input")?.value === "Ink that lasts"')
      await title.fill('Ink that fades')
      await form.getByRole('group', { name: 'blocks 1: Quote' }).getByLabel('text text, required').fill('Write on.')
      assert.equal((await sent(page)).shown, '200 OK')
      const url = `/api/articles/${created.id}?populate[blocks]=true&populate[tags]=true&populate[seo]=true`
      const found: Body = await (await fetch(served.origin + url)).json()
      const { attributes } = found.data
      assert.equal(attributes.title, 'Ink that fades')
      assert.equal(attributes.minutes, 7)
      assert.equal(attributes.blocks[0].text, 'Write on.')
      assert.equal(attributes.tags.data[0].id, 1)
      assert.equal(attributes.seo.title, 'Ink')

      await page.getByRole('tab', { name: 'Delete' }).click()
      assert.equal((await sent(page)).shown, '200 OK')
      assert.equal((await fetch(served.origin + url)).status, 404)
    }))

  it('says by which rule a value is wrong, and shows what the server says of it', () =>
    opened(async page => {
      await page.getByRole('tab', { name: 'Create' }).click()
      await page.locator('.form').getByLabel('minutes integer').fill('900')
      await page.getByText('is at most 90').first().waitFor()
      assert.equal((await sent(page, () => pressSendAnyway(page))).shown, '400 Bad Request')
      await page.locator('.refusal').getByText('minutes must be less').waitFor()
    }))

  it('does not send a form that lacks what is required, and says what that is', () =>
    opened(async page => {
      await page.getByRole('button', { name: /^Article/ }).click()
      await page.getByRole('tab', { name: 'Create' }).click()
      const posts: string[] = []
      page.on('request', request => request.method() === 'POST' && posts.push(request.postData() ?? ''))
      await page.getByRole('button', { name: 'Add SEO to seo' }).click()
      await page.locator('.line .button.primary').click()
      const note = page.getByRole('alert')
      await note.getByText(/^Not sent:.*seo\.title is required/).waitFor()
      assert.match((await note.textContent()) ?? '', /^Not sent: .*\btitle is required/)
      await page.getByRole('group', { name: 'seo: SEO' }).getByLabel('title string, required').fill('Ink')
      await page.locator('.form').first().getByLabel('title string, required').first().fill('Ink that stays')
      await note.waitFor({ state: 'detached' })
      const { shown, body } = await sent(page)
      assert.equal(shown, '200 OK')
      assert.deepEqual(
        posts.map(text => JSON.parse(text).data.title),
        ['Ink that stays'],
      )
      assert.equal((await fetch(`${served.origin}/api/articles/${body.data.id}`, { method: 'DELETE' })).status, 200)
    }))

  it('signs in, asks as the account, and forgets it when the page is loaded again', () =>
    opened(async page => {
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Name or e-mail address').fill('ben')
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').getByText('Invalid identifier or password').waitFor()
      await page.getByLabel('Password').fill(password)
      await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('Requests as ben').waitFor()
      const asked = page.waitForRequest(request => request.url().includes('/api/articles'))
      await sent(page)
      assert.match((await asked).headers().authorization ?? '', /^Bearer ey/)
      assert.deepEqual(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]'), [0, 0, ''])
      await page.reload()
      await page.getByText('Requests as anonymous').waitFor()
    }))

  for (const scheme of schemes) {
    it(`has no barrier that axe knows, in ${scheme} colours`, () =>
      opened(
        async page => {
          const found: string[] = []
          const look = async (place: string) =>
            found.push(...(await accessibilityOf(page)).map(line => `${place}: ${line}`))
          await look('at first')
          await page.getByRole('main', { name: 'Request' }).waitFor()
          await look('with a type')
          await page.getByRole('checkbox', { name: /^author/ }).check()
          await page.getByRole('checkbox', { name: /^blocks/ }).check()
          await page.getByRole('button', { name: 'Include everything' }).first().click()
          await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true')
          await page.getByRole('group', { name: 'Fields of Article' }).first().getByRole('button').first().click()
          await page.getByRole('button', { name: 'Add a group' }).last().click()
          await page.getByRole('button', { name: 'Add an order' }).last().click()
          await sent(page)
          await look('with all parts open')
          await page.getByRole('tab', { name: 'Headers' }).click()
          await look('with headers')
          await page.getByRole('tab', { name: 'Create' }).click()
          await page.getByLabel('Add to blocks').selectOption({ label: 'Link list' })
          await page.getByLabel('minutes integer').fill('900')
          await page.locator('.line .button.primary').click()
          await look('with a form that is not sent')
          await sent(page, () => page.getByRole('button', { name: 'Send it anyway' }).click())
          await look('with a form, and a refusal')
          await page.getByRole('combobox', { name: 'tags: search Tag' }).focus()
          await page.locator('.options [role=option]').first().waitFor()
          await look('while an entry is looked for')
          await page.getByRole('button', { name: 'Sign in' }).click()
          await look('while signing in')
          await page.goto(`${served.origin}/`)
          await look('at the root')
          assert.deepEqual(found, [])
        },
        { scheme },
      ))
  }

  it('fits a narrow screen', () => opened(assertFits, { width: 380 }))

  it('shows the request before what is only read on a phone, and moves to the response', () =>
    opened(
      async page => {
        await page.getByRole('button', { name: /^Article/ }).click()
        const topOf = (selector: string) =>
          page.evaluate<number>(
            `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().top + scrollY`,
          )
        const [types, request, response, rules] = [
          await topOf('.side nav'),
          await topOf('.build'),
          await topOf('.response'),
          await topOf('#rules'),
        ] as const
        assert.ok(types < request && request < response && response < rules, [types, request, response, rules].join())
        assert.equal((await sent(page)).shown, '200 OK')
        await until(page, 'Math.abs(document.querySelector(".response").getBoundingClientRect().top) < 5')
      },
      { width: 390 },
    ))

  it('reaches everything that can be used with the Tab key, and shows where it is', () =>
    opened(async page => {
      await page.getByRole('checkbox', { name: /^author/ }).check()
      await page.getByRole('button', { name: 'Add a condition' }).last().click()
      await sent(page)
      await assertReachable(page, 60)
    }))

  it('builds and sends a request without a mouse', () =>
    opened(async page => {
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      const text = async () => (await focusedIn(page)).text
      for (let press = 0; press < 12 && (await text()) !== 'title'; press += 1) await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      const answered = page.waitForResponse(/fields\[0\]=title/)
      await page.keyboard.press('Control+Enter')
      assert.equal((await answered).status(), 200)
    }))

  it('is answered whatever is clicked', () =>
    opened(async page => {
      const dice = new Dice(11)
      for (let round = 0; round < 12; round += 1) {
        await page.locator('.types button').nth(dice.below(6)).click()
        const parts = page.locator('.parts-of-request')
        for (let click = 0; click < 6; click += 1) {
          const kinds = [
            '.chip',
            '.check input',
            '.text-button:has-text("Add a condition")',
            '.inner > summary',
            'select',
          ]
          const things = parts.locator(dice.one(kinds)).filter({ visible: true })
          const count = await things.count()
          if (count === 0) continue
          const thing = things.nth(dice.below(count))
          const choices = await thing.locator('option').count()
          if (choices > 0) await thing.selectOption({ index: dice.below(choices) })
          else await thing.click()
        }
        assert.equal((await sent(page)).shown, '200 OK', (await page.locator('#request-text').textContent()) ?? '')
      }
    }))
})

describe('the explorer in production', inBrowser, () => {
  const served = servedSample('/explorer', {
    environment: 'production',
    roles: { authenticated: { 'plugin::explorer.metadata': ['read'] } },
  })

  it('asks to sign in before it shows anything, and takes a token', () =>
    served.opened(async page => {
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.doesNotMatch(await page.content(), /article/i)
      assert.deepEqual(await accessibilityOf(page), [])
      const answered = await fetch(`${served.origin}/api/auth/local/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'eve', email: 'eve@example.com', password: 'long enough to sign in' }),
      })
      const { jwt }: Body = await answered.json()
      assert.equal(answered.status, 200)
      await page.getByLabel('Token').fill('nobody')
      await page.getByRole('button', { name: 'Use the token' }).click()
      await page.getByText('These credentials are not valid').waitFor()
      await page.getByLabel('Token').fill(jwt)
      await page.getByRole('button', { name: 'Use the token' }).click()
      await page.getByRole('heading', { level: 1, name: 'Article' }).waitFor()
      assert.equal((await sent(page)).shown, '200 OK')
    }))
})
