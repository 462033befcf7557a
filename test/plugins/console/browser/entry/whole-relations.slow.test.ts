import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { admin } from '../../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../../plugins/console/index.js'
import { inBrowser } from '../../../../support/pages/served.js'
import type { World } from '../../../../support/server.js'
import { formOf, isSaved, titlesIn } from '../form.js'
import { servedWorld } from '../served.js'

const names = Array.from({ length: 45 }, (_, at) => `Tag ${at + 1}`)

const world = {
  types: {
    note: {
      attributes: {
        title: { type: 'string' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      },
    },
    tag: { attributes: { name: { type: 'string' } } },
  },
  plugins: [[admin, { ratelimit: { enabled: false } }], contentConsole],
  rows: async ({ entries }) => {
    const tags: number[] = []
    for (const name of names) tags.push(Number((await entries('api::tag.tag').create({ name })).id))
    await entries('api::note.note').create({ title: 'Bread', tags })
  },
} satisfies World

describe('a form in the dialect spec, which has no pages in populate', inBrowser, () => {
  const served = servedWorld(world)

  it('shows all entries of a relation, and saves their order', () =>
    served.signedIn(
      'Super Admin',
      async page => {
        await formOf(page, 'Bread')
        await isSaved(page)
        assert.deepEqual(await titlesIn(page, 'tags'), names)
        assert.equal(await page.getByRole('button', { name: /^Show more of/ }).count(), 0)
        await page.getByRole('link', { name: 'Tag 45', exact: true }).focus()
        await page.keyboard.press('Alt+Home')
        const first = ['Tag 45', ...names.slice(0, -1)]
        assert.deepEqual(await titlesIn(page, 'tags'), first)
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await isSaved(page)
        await page.reload()
        await formOf(page, 'Bread')
        assert.deepEqual(await titlesIn(page, 'tags'), first)
      },
      { path: '/console/c/note/1' },
    ))
})
