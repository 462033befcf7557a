import assert from 'node:assert/strict'
import { beforeAll, describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { Editor } from '../../project.js'
import { servedConsole } from '../served.js'
import { assertWithoutBarriers, heading } from '../settings.js'

const path = '/console/settings/activity'

describe('the activity', inBrowser, () => {
  const served = servedConsole({
    settings: {
      audit: {
        config: { secret: 'a secret of this test, long enough', attributes: { 'api::tag.tag': { name: 'value' } } },
      },
    },
  })
  let tag = 0
  beforeAll(async () => {
    const ada = await Editor.signIn(served.project(), 'ada')
    const made = await ada.ask('POST', '/console/api/tags', { data: { name: 'Rye' } })
    tag = made.body.data.id
    await ada.ask('PUT', `/console/api/tags/${tag}`, { data: { name: 'Spelt' } })
  })

  it('says who did what, and is narrowed to an account, a kind and an entry', () =>
    served.signedIn(
      'ada',
      async page => {
        const rows = page.getByRole('table', { name: 'Activity' }).getByRole('row')
        const change = rows.filter({ hasText: 'Spelt' })
        await change.getByRole('link', { name: /^Ada Admin admin 1$/ }).waitFor()
        assert.match(await change.innerText(), /Changed[\s\S]*name: Rye Spelt/)
        const form = page.getByRole('form', { name: 'Filters of the record' })
        await form.getByRole('combobox', { name: 'What' }).selectOption('Created')
        await form.getByRole('combobox', { name: 'Type' }).selectOption('Tag')
        await form.getByRole('button', { name: 'Apply' }).click()
        await change.waitFor({ state: 'detached' })
        await rows.nth(1).waitFor()
        assert.equal(await rows.count(), 2)
        assert.equal(await page.evaluate('location.search'), '?event=entry.create&type=api::tag.tag')
        await rows.getByRole('link', { name: `Only records of Tag ${tag}` }).click()
        await page.getByRole('link', { name: 'Clear filters' }).click()
        await rows
          .getByRole('link', { name: `Only records of Tag ${tag}` })
          .first()
          .click()
        await page.waitForURL(/entry=/)
        await rows.nth(3).waitFor({ state: 'detached' })
        await change.waitFor()
        assert.equal(await rows.count(), 3)
        await form.getByRole('textbox', { name: 'Who' }).fill('Ada')
        await form.getByRole('button', { name: 'Apply' }).click()
        await page.getByText('No records. Accounts are found by kind and number, such as admin 1').waitFor()
      },
      { path },
    ))

  it('has the part of an entry, where its side column leads', () =>
    served.signedIn(
      'ada',
      async page => {
        await page.getByRole('complementary').getByRole('link', { name: 'Activity' }).click()
        await heading(page, 'Activity').waitFor()
        await page.getByRole('row').filter({ hasText: 'Spelt' }).waitFor()
        assert.equal(await page.getByRole('table', { name: 'Activity' }).getByRole('row').count(), 3)
      },
      { path: '/console/c/tag/31' },
    ))

  it('is not there for an account without the permission, and refused by the server', async () => {
    const edda = await Editor.signIn(served.project(), 'edda')
    assert.equal((await edda.meta()).settings.includes('activity'), false)
    assert.equal((await edda.get('/console/api/audit/records')).status, 403)
    await served.signedIn('edda', page => heading(page, 'Nothing here').waitFor(), { path })
  })

  it('has no barriers that axe knows, and is reached by keys', () =>
    assertWithoutBarriers(served, 'ada', path, async (page, look) => {
      await page.getByRole('table', { name: 'Activity' }).waitFor()
      await look('activity')
    }))
})
