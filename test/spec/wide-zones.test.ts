import assert from 'node:assert/strict'
import { it } from 'vitest'
import type { TestApp } from '../../core/index.js'
import { upload } from '../../plugins/upload/index.js'
import { versions } from '../../plugins/versions/index.js'
import { type Api, type Body, contract, refused } from '../support/contract.js'

const text = { type: 'string' }
const wide = 50
const uidOf = (index: number) => `sections.s${index}`
const numbers = Array.from({ length: wide }, (_, index) => index)

/** A page builder: each section has a relation, a component and files of its own. */
const components = {
  'parts.link': { attributes: { label: text } },
  ...Object.fromEntries(
    numbers.map(index => [
      uidOf(index),
      {
        attributes: {
          text,
          tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
          link: { type: 'component', component: 'parts.link' },
          links: { type: 'component', component: 'parts.link', repeatable: true },
          image: { type: 'media' },
          pages: { type: 'relation', relation: 'oneToMany', target: 'api::page.page' },
        },
      },
    ]),
  ),
}
const types = {
  tag: { attributes: { name: text } },
  page: {
    options: { versions: true },
    attributes: { title: text, sections: { type: 'dynamiczone', components: numbers.map(uidOf) } },
  },
}
const sections = (list: readonly number[], tag: number) =>
  list.map(index => ({
    __component: uidOf(index),
    text: `s${index}`,
    tags: [tag],
    link: { label: 'one' },
    links: [{ label: 'a' }, { label: 'b' }],
  }))
const rows = async ({ entries }: TestApp) => {
  const { id } = await entries('api::tag.tag').create({ name: 'x' })
  const pages = entries('api::page.page')
  await pages.create({ title: 'Four', sections: sections([3, 17, 3, 42], Number(id)) })
  await pages.create({ title: 'Many', sections: sections(numbers, Number(id)) })
  await pages.create({ title: 'Other', sections: sections([5, 6, 7, 8], Number(id)) })
}
const seen = ({ data }: Body) =>
  data.attributes.sections.map(({ __component, tags, link, links }: Body) => [
    __component,
    tags.data.length,
    link.label,
    links.length,
  ])
const shown = (list: readonly number[]) => list.map(index => [uidOf(index), 1, 'one', 2])
const each = 'populate[sections][populate]=*'
const byType = numbers.map(index => `populate[sections][on][${uidOf(index)}][populate]=*`).join('&')

const plugins = [upload, versions]
const suite = (api: Api) => {
  for (const [how, query] of [
    ['all at once', each],
    ['one by one', byType],
  ] as const)
    it(`is shown as far as it is there, with its sections populated ${how}`, async () => {
      const { status, body, statements, text } = await api.get(`/pages/1?${query}`)
      assert.equal(status, 200, text)
      assert.deepEqual(seen(body), shown([3, 17, 3, 42]))
      // The page, what stands in the zone, and of three types the sections and five attributes each.
      assert.ok(statements.length <= 20, `${statements.length} statements`)
    })
  it('takes as many statements for a list of pages as the types in it need', async () => {
    const answer = await api.get(`/pages?${each}&filters[title][$ne]=Many&pagination[withCount]=false`)
    assert.equal(answer.body.data.length, 2, answer.text)
    assert.ok(answer.statements.length <= 2 + 7 * 6, `${answer.statements.length} statements`)
  })
  it('is refused where what is there takes more than one request may', async () => {
    const message = 'populate: the query needs more than 100 statements; ask for less, or raise rest.limits.statements'
    for (const query of [each, byType]) refused(await api.get(`/pages/2?${query}`), { status: 400, message })
    refused(await api.get(`/pages?${each}`), { status: 400, message })
    assert.equal((await api.get('/pages/2?populate=sections')).status, 200)
  })
  it('cannot be asked for below itself without end', async () => {
    const below = (depth: number): string =>
      depth === 0 ? '' : `[populate][pages][populate][sections]${below(depth - 1)}`
    const query = `populate[sections]${below(3)}[populate]=*`
    refused(await api.get(`/pages/1?${query}`), { status: 400, message: /needs more than 100 statements/ })
  })
  it('is copied in as few statements, where a plugin stores what was there', async () => {
    const answer = await api.send('PUT', '/pages/3', { data: { title: 'New' } })
    assert.equal(answer.status, 200, answer.text)
    assert.ok(answer.statements.length <= 60, `${answer.statements.length} statements`)
  })
}
contract('a zone of which most types stand nowhere', { types, components, rows, plugins }, suite)
contract(
  'a zone of which most types stand nowhere, in the dialect of Strapi 4',
  { types, components, rows, plugins, rest: { dialect: 'strapi4' } },
  suite,
)
contract(
  'a zone of which most types stand nowhere, that is open',
  { types, components, rows, plugins, rest: { openZones: true } },
  suite,
)
