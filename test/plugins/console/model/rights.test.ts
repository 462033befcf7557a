import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Caller, createTestApp, definePlugin, type TestApp } from '../../../../core/index.js'
import { Form } from '../../../../plugins/console/model/form/form.js'
import type { Item } from '../../../../plugins/console/model/form/item.js'
import { Sent } from '../../../../plugins/console/model/form/sent.js'
import { settle } from '../../../../plugins/console/model/merge/saved.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import { Client, type DialectName, kindsOf } from './world.js'

const social = { title: { type: 'string' }, image: { type: 'string' } }
const components = {
  'shared.social': {
    attributes: { ...social, tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' } },
  },
  'shared.seo': {
    attributes: {
      ...{ title: { type: 'string' }, secret: { type: 'string', default: 'made' } },
      socials: { type: 'component', component: 'shared.social', repeatable: true },
      one: { type: 'component', component: 'shared.social' },
    },
  },
}
const types = {
  tag: { attributes: { name: { type: 'string' } } },
  page: {
    attributes: {
      ...{ title: { type: 'string' }, note: { type: 'string' } },
      seo: { type: 'component', component: 'shared.seo' },
      list: { type: 'component', component: 'shared.social', repeatable: true },
      zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.social'] },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    },
  },
}
const page = 'api::page.page'

/** Names of attributes by the header of a request; without one it may do everything. */
const rights: Readonly<Record<string, readonly string[]>> = {
  parts: ['title', 'seo.title', 'seo.socials.title', 'list.title', 'zone.title'],
  // As Strapi stores the permission for all of a component.
  leaves: ['title', 'list.title', 'list.image', 'list.tag'],
}
const callers = Object.entries(rights).map(([name, names]) => {
  const fields = (_: string, uid: string) => (uid === page ? new Set([...names, 'createdAt', 'updatedAt']) : undefined)
  return [name, { scope: name, id: name, can: () => true, fields } satisfies Caller] as const
})
const known = new Map<string, Caller>(callers)
const plugin = definePlugin({ name: 'callers', authenticate: ({ headers }) => known.get(String(headers['x-rights'])) })

const seo = {
  title: 's',
  secret: 'x',
  socials: [
    { title: 'a', image: 'i', tag: 1 },
    { title: 'b', image: 'j' },
  ],
  one: { title: 'o' },
}
const content = {
  ...{
    title: 'P',
    note: 'N',
    seo,
    list: [
      { title: 'l', image: 'k' },
      { title: 'm', tag: 1 },
    ],
    tags: [1],
  },
  zone: [
    { __component: 'shared.seo', ...seo },
    { __component: 'shared.social', title: 'z', image: 'y' },
  ],
}
const everything = {
  populate: { seo: { populate: '*' }, list: { populate: '*' }, zone: { populate: '*' }, tags: true },
}

for (const dialect of ['spec', 'strapi4'] as const satisfies DialectName[])
  describe(`an account that may write parts of components, in ${dialect}`, () => {
    let app: TestApp
    let all: Client
    beforeAll(async () => {
      const plugins = [plugin, draftAndPublish]
      app = await createTestApp({ types, components, plugins, config: { api: { rest: { dialect } } } })
      all = new Client(app)
      await all.send('POST', '/api/tags', {}, { name: 'a tag' })
    })
    afterAll(() => app?.close())

    const client = (name: string) =>
      new Client(app, kindsOf(app, { rights: { [page]: { fields: rights[name] as readonly string[] } } }), {
        'x-rights': name,
      })
    const stored = async (id: number) => {
      const { updatedAt: _, ...attributes } = (await all.send('GET', `/api/pages/${id}`, everything)).body.data
        .attributes
      return attributes
    }
    const items = (of: Form | Item, name: string): readonly Item[] =>
      ('root' in of ? of.root : of).list(name)?.items.peek() ?? []
    const type = (item: Item | undefined, text: string) => {
      const cell = item?.cell('title')
      assert.ok(cell?.canWrite)
      cell.value.value = text
    }

    it('opens what it may read, and keeps the rest', async () => {
      const id = Number((await all.send('POST', '/api/pages', {}, content)).body.data.id)
      const before = await stored(id)
      const form = await client('parts').open(page, id)
      const [part] = items(form, 'seo')
      assert.deepEqual([...form.root.nodes.keys()], ['title', 'seo', 'list', 'zone'])
      assert.deepEqual([...(part?.nodes.keys() ?? [])], ['title', 'socials'])
      assert.equal(form.root.list('list')?.canRemove(items(form, 'list')[0] as Item), false)
      assert.deepEqual([form.root.list('seo')?.canAdd, form.root.list('list')?.canAdd], [false, true])
      type(form.root, 'P2')
      type(part, 's2')
      type(part && items(part, 'socials')[1], 'b2')
      type(items(form, 'list')[1], 'm2')
      type(items(form, 'zone')[1], 'z2')
      const sent = new Sent(form)
      settle(form, sent, await client('parts').saved(form))
      assert.deepEqual(form.body(), {})
      const expected = structuredClone(before)
      Object.assign(expected, { title: 'P2' })
      expected.seo.title = 's2'
      expected.seo.socials[1].title = 'b2'
      expected.list[1].title = 'm2'
      expected.zone[1].title = 'z2'
      assert.deepEqual(await stored(id), expected)
    })

    it('arranges components of which it may write every part', async () => {
      const id = Number((await all.send('POST', '/api/pages', {}, content)).body.data.id)
      const before = await stored(id)
      const form = await client('leaves').open(page, id)
      const list = form.root.list('list')
      assert.ok(list)
      assert.ok(list.canRemove(items(form, 'list')[0] as Item))
      list.move(items(form, 'list')[1] as Item, 0, '')
      const made = list.make({ uid: 'shared.social', values: {} })
      type(made, 'new')
      list.insert(made, 1, '')
      await client('leaves').saved(form)
      const after = await stored(id)
      const [first, fresh, last] = after.list
      assert.deepEqual([first, fresh.title, last], [before.list[1], 'new', before.list[0]])
      assert.deepEqual({ ...after, list: [] }, { ...before, list: [] })
    })

    it('adds and moves components of which it may write parts', async () => {
      const id = Number((await all.send('POST', '/api/pages', {}, { ...content, seo: null })).body.data.id)
      const before = await stored(id)
      const form = await client('parts').open(page, id)
      const [list, seo] = [form.root.list('list'), form.root.list('seo')]
      assert.ok(list && seo?.canAdd)
      const made = [
        list.make({ uid: 'shared.social', values: {} }),
        seo.make({ uid: 'shared.seo', values: {} }),
      ] as const
      for (const one of made) type(one, 'new')
      list.move(items(form, 'list')[1] as Item, 0, '')
      list.insert(made[0], 1, '')
      seo.insert(made[1], 0, '')
      assert.ok(list.canRemove(made[0]))
      await client('parts').saved(form)
      const after = await stored(id)
      assert.deepEqual([after.list[0], after.list[1].title, after.list[2]], [before.list[1], 'new', before.list[0]])
      assert.deepEqual([after.seo.title, after.seo.secret], ['new', 'made'])
    })

    it('makes entries of what it may write', async () => {
      const editor = client('parts')
      const form = new Form(editor.kinds, editor.type(page), undefined)
      type(form.root, 'made')
      assert.deepEqual(form.body(), { title: 'made' })
      const { id } = await editor.saved(form)
      assert.equal((await stored(Number(id))).title, 'made')
    })
  })
