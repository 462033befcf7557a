import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../../core/index.js'
import { countsOf, moreOf, type Question } from '../../../../plugins/console/model/form/asked.js'
import type { Form } from '../../../../plugins/console/model/form/form.js'
import type { Item } from '../../../../plugins/console/model/form/item.js'
import { Kinds } from '../../../../plugins/console/model/form/kinds.js'
import type { Related } from '../../../../plugins/console/model/form/plain.js'
import type { Relation } from '../../../../plugins/console/model/form/relation.js'
import { errorsOf, Sent } from '../../../../plugins/console/model/form/sent.js'
import type { ComponentMeta, Right, TypeMeta } from '../../../../plugins/console/model/meta.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import { Client, type DialectName, kindsOf } from './world.js'

const world = {
  components: {
    'shared.deep': { attributes: { text: { type: 'string' }, secret: { type: 'string', maxLength: 250 } } },
    'shared.part': {
      attributes: {
        text: { type: 'string', maxLength: 250 },
        note: { type: 'string', default: 'a default' },
        tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
        tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
        deep: { type: 'component', component: 'shared.deep' },
        deeps: { type: 'component', component: 'shared.deep', repeatable: true },
      },
    },
    'shared.other': { attributes: { text: { type: 'string' } } },
  },
  types: {
    tag: { attributes: { name: { type: 'string' } } },
    shelf: { attributes: { pages: { type: 'relation', relation: 'manyToMany', target: 'api::page.page' } } },
    page: {
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string', maxLength: 250 },
        note: { type: 'string' },
        code: { type: 'password' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
        anything: { type: 'relation', relation: 'morphToMany' },
        part: { type: 'component', component: 'shared.part' },
        parts: { type: 'component', component: 'shared.part', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.part'] },
      },
    },
  },
}

const page = 'api::page.page'
const everything = { populate: { part: { populate: '*' }, parts: { populate: '*' }, zone: { populate: '*' } } }

/** The types with some attributes left out of the forms. */
function without(kinds: Kinds, names: readonly string[]): Kinds {
  const cut = <K extends TypeMeta | ComponentMeta>(kind: K): K => ({
    ...kind,
    layout: { ...kind.layout, edit: kind.layout.edit.map(row => row.filter(({ name }) => !names.includes(name))) },
  })
  const kind = (uid: string) => kinds.of(uid)
  return new Kinds({
    types: [page, 'api::tag.tag'].map(uid => cut(kind(uid) as TypeMeta)),
    components: Object.keys(world.components).flatMap(uid => (kind(uid) ? [cut(kind(uid) as ComponentMeta)] : [])),
    dialect: kinds.dialect,
    limits: kinds.limits,
  })
}

for (const dialect of ['spec', 'strapi4'] as const satisfies DialectName[])
  describe(`what the editor does not see, in ${dialect}`, () => {
    let app: TestApp
    let client: Client
    let tags: Related[]
    beforeAll(async () => {
      app = await createTestApp({
        ...world,
        plugins: [draftAndPublish],
        config: { api: { rest: { dialect, pagingInPopulate: true } } },
      })
      client = new Client(app)
      tags = []
      for (let index = 1; index <= 60; index += 1) {
        const { id } = await app.entries('api::tag.tag').create({ name: `tag ${index}` })
        tags.push({ id: Number(id), uid: 'api::tag.tag', values: {} })
      }
    })
    afterAll(() => app?.close())

    const part = (text: string) => ({
      ...{ text, note: `note ${text}`, tag: 1, deep: { text, secret: 's' } },
      deeps: [
        { text: 'a', secret: 'sa' },
        { text: 'b', secret: 'sb' },
      ],
    })
    const make = async (data: object): Promise<number> =>
      Number((await client.send('POST', '/api/pages', {}, data)).body.data.id)
    const stored = async (id: number) => (await client.send('GET', `/api/pages/${id}`, everything)).body.data.attributes
    const tagsOf = async (id: number): Promise<number[]> =>
      (
        await client.send('GET', `/api/pages/${id}`, { populate: { tags: { fields: ['id'] } } })
      ).body.data.attributes.tags.data.map(({ id }: Related) => id)
    const open = (kinds: Kinds, id: number): Promise<Form> => new Client(app, kinds).open(page, id)
    const ask = async (id: number, question: Question | undefined) => {
      assert.ok(question)
      const { body } = await client.send('GET', `/api/pages/${id}`, question.query)
      question.take(body)
    }
    const items = (form: Form, name: string): readonly Item[] => form.root.list(name)?.items.peek() ?? []

    it('stays in components of which something is changed, and in those that move', async () => {
      const id = await make({
        ...{ title: 'a', note: 'n', part: part('one'), parts: [part('p1'), part('p2'), part('p3')] },
        zone: [
          { __component: 'shared.part', ...part('z1') },
          { __component: 'shared.part', ...part('z2') },
        ],
      })
      const before = await stored(id)
      const form = await open(without(client.kinds, ['note', 'secret', 'tag', 'deeps']), id)
      const cell = (item: Item | undefined, name = 'text') => item?.cell(name)
      const typing = [
        items(form, 'part')[0],
        items(form, 'parts')[1],
        items(form, 'zone')[0]?.list('deep')?.items.peek()[0],
      ]
      for (const item of typing) (cell(item) as NonNullable<ReturnType<Item['cell']>>).value.value = 'typed'
      form.root.list('parts')?.move(items(form, 'parts')[0] as Item, 2, 'p1')
      form.root.list('zone')?.move(items(form, 'zone')[1] as Item, 0, 'z2')
      const body = form.body() as Record<string, object[]>
      assert.deepEqual(Object.keys(body), ['part', 'parts', 'zone'])
      assert.deepEqual(body.parts, [
        { id: before.parts[1].id, text: 'typed' },
        { id: before.parts[2].id },
        { id: before.parts[0].id },
      ])
      await client.saved(form)
      const after = await stored(id)
      const expected = structuredClone(before)
      expected.part.text = 'typed'
      expected.parts[1].text = 'typed'
      expected.parts = [expected.parts[1], expected.parts[2], expected.parts[0]]
      expected.zone[0].deep.text = 'typed'
      expected.zone.reverse()
      assert.deepEqual({ ...after, updatedAt: '' }, { ...expected, updatedAt: '' })
    })

    it('stays connected: entries of a relation that are not loaded', async () => {
      const ids = tags.slice(0, 50).map(({ id }) => id)
      const id = await make({ title: 'a', tags: ids })
      const form = await client.open(page, id)
      const relation = form.root.relation('tags') as Relation
      assert.deepEqual(
        [relation.entries.value.length, relation.value.value.more, relation.stored.value],
        [20, true, undefined],
      )
      const at = (index: number) => relation.entries.peek()[index] as Related
      relation.move(at(0), 3, 'tag 1')
      relation.remove(at(0), 'tag 2')
      relation.add(tags[50] as Related, 'tag 51')
      relation.add(tags[51] as Related, 'tag 52')
      relation.move(at(5), relation.entries.peek().length - 2, 'tag 7')
      relation.move(relation.entries.peek().at(-1) as Related, 0, 'tag 52')
      await client.saved(form)
      const [one, two, three, four, five, six, seven, ...rest] = ids
      assert.ok(two)
      const added = [tags[51]?.id, three, four, one, five, six, ...rest, tags[50]?.id, seven]
      assert.deepEqual(await tagsOf(id), added)
    })

    it('is loaded page by page, and the last entry of a hundred moves to the start in a short request', async () => {
      const ids = tags.map(({ id }) => id)
      const id = await make({ title: 'a', tags: ids })
      const form = await client.open(page, id)
      const relation = form.root.relation('tags') as Relation
      relation.add(tags[0] as Related, 'it is there already')
      relation.remove(relation.entries.peek()[1] as Related, 'tag 2')
      assert.equal(relation.count, undefined)
      await ask(id, countsOf(form))
      assert.deepEqual([relation.count, countsOf(form)], [59, undefined])
      for (const shown of [39, 59]) {
        await ask(id, moreOf(form, relation))
        assert.equal(relation.entries.value.length, shown)
      }
      assert.equal(moreOf(form, relation), undefined)
      assert.deepEqual([relation.entries.value.length, relation.count, relation.value.value.more], [59, 59, false])
      form.history.undo()
      assert.deepEqual(
        relation.entries.value.map(({ id }) => id),
        ids,
      )
      assert.deepEqual(form.body(), {})
      relation.move(relation.entries.peek().at(-1) as Related, 0, 'tag 60')
      assert.deepEqual(form.body(), { tags: { connect: [{ id: ids.at(-1), position: { start: true } }] } })
      await client.saved(form)
      assert.deepEqual(await tagsOf(id), [ids.at(-1), ...ids.slice(0, -1)])
    })

    it('is no draft that an entry without a state leads to', async () => {
      const drafts = [await make({ title: 'a', publishedAt: null }), await make({ title: 'b' })]
      const { body } = await client.send('POST', String(client.type('api::shelf.shelf').path), {}, { pages: drafts })
      const form = await client.open('api::shelf.shelf', body.data.id)
      assert.deepEqual(
        form.root.relation('pages')?.entries.value.map(({ id }) => id),
        drafts,
      )
    })

    it('is counted and loaded in components as well', async () => {
      const many = tags.map(({ id }) => id)
      const zone = [[1], many, many.slice(0, 30)].map(tags => ({ __component: 'shared.part', tags }))
      const id = await make({ part: { tags: many.slice(0, 25), deep: { text: 'x' } }, zone })
      const form = await client.open(page, id)
      const relations = [...items(form, 'part'), ...items(form, 'zone')].map(item => item.relation('tags') as Relation)
      const counts = () => relations.map(({ count }) => count)
      assert.deepEqual(counts(), [undefined, 1, undefined, undefined])
      await ask(id, countsOf(form))
      assert.deepEqual(counts(), [25, 1, 60, 30])
      await ask(id, moreOf(form, relations[3] as Relation))
      assert.deepEqual(
        relations.map(({ entries }) => entries.value.length),
        [20, 1, 20, 30],
      )
      assert.deepEqual(form.body(), {})
    })

    it('stays in a zone: components that it does not list any more', async () => {
      if (dialect === 'spec') return
      const id = await make({
        zone: [
          { __component: 'shared.other', text: 'o' },
          { __component: 'shared.part', text: 'p' },
        ],
      })
      const form = await client.open(page, id)
      const cell = items(form, 'zone')[1]?.cell('text')
      assert.ok(cell)
      cell.value.value = 'typed'
      await client.saved(form)
      const { zone } = await stored(id)
      assert.deepEqual(
        zone.map(({ text }: { text: string }) => text),
        ['o', 'typed'],
      )
    })

    it('is found by the server alone, and shown where it belongs', async () => {
      const id = await make({ title: 'a', parts: [{ text: 'p1' }], zone: [{ __component: 'shared.part', text: 'z' }] })
      const form = await client.open(page, id)
      const long = 'x'.repeat(300)
      const inner = items(form, 'zone')[0]?.list('deeps')
      inner?.insert(inner.make({ uid: 'shared.deep', values: {} }), 0, '')
      const cells = [
        form.root.cell('title'),
        items(form, 'parts')[0]?.cell('text'),
        inner?.items.peek()[0]?.cell('secret'),
      ]
      for (const cell of cells) if (cell) cell.value.value = long
      const sent = new Sent(form)
      const response = await client.save(form, sent.data)
      assert.equal(response.status, 400)
      assert.deepEqual(sent.place(errorsOf(response.body)), [])
      assert.deepEqual(
        cells.map(cell => cell?.problem.value?.code),
        ['refused', 'refused', 'refused'],
        response.text,
      )
    })

    it('is not sent: fields that the account may not write, and passwords that were not typed', async () => {
      const id = await make({ title: 'a', note: 'n', code: 'a password', part: part('one'), parts: [part('p')] })
      const rights: Record<string, Right> = { [page]: { fields: ['title', 'part.text', 'parts', 'code'] } }
      const form = await open(kindsOf(app, { rights }), id)
      const { root } = form
      assert.equal(root.cell('code')?.value.value, '')
      assert.deepEqual(
        [...root.nodes].filter(([, { canWrite }]) => canWrite).map(([name]) => name),
        ['title', 'code', 'part', 'parts'],
      )
      const [one] = items(form, 'part')
      const written = [...(one?.nodes ?? [])].filter(([, { canWrite }]) => canWrite).map(([name]) => name)
      assert.deepEqual(
        [
          written,
          root.list('part')?.canRemove(one as Item),
          root.list('parts')?.canRemove(items(form, 'parts')[0] as Item),
        ],
        [['text'], false, true],
      )
      const cells = [root.cell('title'), root.cell('note'), one?.cell('text'), one?.cell('note')]
      for (const cell of cells) if (cell) cell.value.value = 'typed'
      assert.deepEqual(form.body(), { title: 'typed', part: { id: one?.id, text: 'typed' } })
      const code = root.cell('code')
      if (code) code.value.value = 'another'
      assert.equal(form.body().code, 'another')
    })
  })
