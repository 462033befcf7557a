import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { Editor } from '../../project.js'
import { servedConsole } from '../served.js'
import { assertWithoutBarriers, heading, rowOf, said } from '../settings.js'

const path = '/console/settings/webhooks'

describe('the webhooks', inBrowser, () => {
  const receiver = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(request.url === '/bad' ? 500 : 200).end('thanks'))
  })
  const served = servedConsole({
    settings: { events: { config: { privateAddresses: ['127.0.0.1'] } } },
    files: {
      'config/webhooks.js':
        "module.exports = { declared: { url: 'https://ci.example.com/hook', events: ['media.*'] } }",
    },
  })
  let origin = ''
  beforeAll(async () => {
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  })
  afterAll(() => {
    receiver.closeAllConnections()
    receiver.close()
  })

  it('are added, tested, changed and deleted', () =>
    served.signedIn(
      'ada',
      async page => {
        await rowOf(page, 'Webhooks', 'declared').waitFor()
        await page.getByRole('link', { name: 'New webhook' }).click()
        await heading(page, 'New webhook').waitFor()
        const form = page.getByRole('form', { name: 'Webhook' })
        await form.getByRole('textbox', { name: 'Name', exact: true }).fill('build')
        await form.getByRole('textbox', { name: 'Address' }).fill(`${origin}/hook`)
        await form.getByRole('button', { name: 'Save' }).click()
        await form
          .getByRole('alert')
          .getByText(/^Events must be a list/)
          .waitFor()
        await form.getByRole('checkbox', { name: 'entry.update' }).check()
        await form.getByRole('button', { name: 'Add a header' }).click()
        await form.getByRole('textbox', { name: 'Name of header 1' }).fill('X-Key')
        await form.getByRole('textbox', { name: 'Value of header 1' }).fill('TOPSECRET')
        await form.getByRole('button', { name: 'Save' }).click()
        await heading(page, 'build').waitFor()
        await page.getByRole('button', { name: 'Send a test' }).click()
        await said(page, /^The receiver answered 200 after \d+ ms\.$/)
        assert.equal(await form.getByRole('textbox', { name: 'Value of header 1' }).inputValue(), '')
        await form.getByRole('textbox', { name: 'Name', exact: true }).fill('builder')
        await form.getByRole('checkbox', { name: 'Enabled' }).uncheck()
        await form.getByRole('button', { name: 'Save' }).click()
        await heading(page, 'builder').waitFor()
        await page.getByRole('link', { name: '← Webhooks' }).click()
        await rowOf(page, 'Webhooks', 'builder').getByText('Disabled').waitFor()
        await page.getByRole('link', { name: 'builder' }).click()
        await page.getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('dialog', { name: 'Delete builder' }).getByRole('button', { name: 'Delete' }).click()
        await said(page, 'Deleted builder.')
        await rowOf(page, 'Webhooks', 'declared').waitFor()
        assert.equal(await rowOf(page, 'Webhooks', 'builder').count(), 0)
      },
      { path },
    ))

  it('show deliveries with what came of them, and send them again', async () => {
    const ada = await Editor.signIn(served.project(), 'ada')
    const made = await ada.ask('POST', '/console/api/events/webhooks', {
      data: { name: 'failing', url: `${origin}/bad`, events: ['entry.create'] },
    })
    assert.equal((await ada.ask('POST', '/console/api/tags', { data: { name: 'Rye' } })).status, 200)
    await served.signedIn(
      'ada',
      async page => {
        // Sessions of editors are no events, so that there is one.
        const row = rowOf(page, 'Deliveries', 'entry.create')
        while ((await row.getByText('500').count()) === 0) {
          const answered = page.waitForResponse(/deliveries/)
          await page.getByRole('button', { name: 'Reload' }).click()
          await answered
        }
        await row.getByRole('button', { name: /^Show delivery/ }).click()
        const dialog = page.getByRole('dialog', { name: /^Show delivery/ })
        assert.equal(await dialog.getByRole('textbox', { name: 'Response' }).inputValue(), 'thanks')
        assert.match(await dialog.getByRole('textbox', { name: 'Message' }).inputValue(), /"name": "Rye"/)
        await page.keyboard.press('Escape')
        await page.getByRole('combobox', { name: 'State' }).selectOption('Delivered')
        await page.getByText('No deliveries.').waitFor()
        await page.getByRole('button', { name: 'Send all that failed again' }).click()
        await said(page, '0 deliveries are sent again.')
      },
      { path: `${path}/${encodeURIComponent(made.body.data.key)}` },
    )
  })

  it('are read-only where they are declared, and say where they stand', () =>
    served.signedIn(
      'ada',
      async page => {
        await heading(page, 'declared').waitFor()
        await page.getByText('This webhook is declared in config/webhooks').waitFor()
        assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0)
        assert.equal(await page.getByRole('form').count(), 0)
      },
      { path: `${path}/config%3Adeclared` },
    ))

  it('are not there for an account without the permission, and refused by the server', async () => {
    const edda = await Editor.signIn(served.project(), 'edda')
    assert.equal((await edda.meta()).settings.includes('webhooks'), false)
    assert.equal((await edda.get('/console/api/events/webhooks')).status, 403)
    await served.signedIn('edda', page => heading(page, 'Nothing here').waitFor(), { path })
  })

  it('have no barriers that axe knows, and are reached by keys', () =>
    assertWithoutBarriers(served, 'ada', path, async (page, look) => {
      await rowOf(page, 'Webhooks', 'declared').waitFor()
      await look('webhooks')
      await page.getByRole('link', { name: 'New webhook' }).click()
      await page.getByRole('button', { name: 'Add a header' }).click()
      await look('new webhook')
      await page.getByRole('link', { name: '← Webhooks' }).click()
      await page.getByRole('link', { name: 'failing' }).click()
      await rowOf(page, 'Deliveries', 'entry.create').waitFor()
      await look('webhook')
      await page
        .getByRole('button', { name: /^Show delivery/ })
        .first()
        .click()
      await page.getByRole('textbox', { name: 'Message' }).waitFor()
      await look('delivery')
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: '← Webhooks' }).click()
      await page.getByRole('link', { name: 'declared' }).click()
      await page.getByText('No deliveries.').waitFor()
      await look('declared webhook')
    }))
})
