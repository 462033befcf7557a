import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../../core/index.js'
import { countsOf, moreOf } from '../../../../plugins/console/model/form/asked.js'
import type { Relation } from '../../../../plugins/console/model/form/relation.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import { Client } from './world.js'

const tags = { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' } as const
const many = 120

describe('relations of a form in the dialect spec, which has no pages in populate', () => {
  let app: TestApp
  let client: Client
  let ids: number[]
  beforeAll(async () => {
    app = await createTestApp({
      types: {
        tag: { attributes: { name: { type: 'string' } } },
        page: {
          attributes: { title: { type: 'string' }, tags, part: { type: 'component', component: 'shared.part' } },
        },
      },
      components: { 'shared.part': { attributes: { text: { type: 'string' }, tags } } },
      plugins: [draftAndPublish],
      config: { api: { rest: { dialect: 'spec' } } },
    })
    client = new Client(app)
    const made = Array.from({ length: many }, (_, at) => app.entries('api::tag.tag').create({ name: `tag ${at}` }))
    ids = (await Promise.all(made)).map(({ id }) => Number(id))
  })
  afterAll(() => app?.close())
  const make = async (data: object) => Number((await client.send('POST', '/api/pages', {}, data)).body.data.id)
  const tagsOf = async (id: number): Promise<number[]> => {
    const { body } = await client.send('GET', `/api/pages/${id}`, { populate: { tags: { fields: ['id'] } } })
    return body.data.attributes.tags.data.map((one: { readonly id: number }) => one.id)
  }

  it('cannot be asked for by pages', async () => {
    for (const word of ['limit', 'start']) {
      const { status, body } = await client.send('GET', '/api/pages', { populate: { tags: { [word]: 20 } } })
      assert.deepEqual([status, body.error?.details?.parameter], [400, `populate[tags][${word}]`])
    }
  })

  it('are read whole with the entry, in one request, in components as well', async () => {
    const id = await make({ title: 'a', tags: ids, part: { tags: ids.toReversed() } })
    const before = client.asked
    const form = await client.open('api::page.page', id)
    assert.equal(client.asked, before + 1)
    const relations = [form.root.relation('tags'), form.root.list('part')?.items.peek()[0]?.relation('tags')]
    for (const relation of relations as Relation[]) {
      assert.deepEqual([relation.entries.value.length, relation.value.value.more, relation.count], [many, false, many])
      assert.equal(moreOf(form, relation), undefined)
    }
    assert.equal(countsOf(form), undefined)
    assert.deepEqual(form.body(), {})
  })

  it('are saved as what changed', async () => {
    const id = await make({ title: 'a', tags: ids.slice(0, -1) })
    const form = await client.open('api::page.page', id)
    const relation = form.root.relation('tags') as Relation
    const at = (index: number) => relation.entries.peek().at(index) as (typeof relation.entries.value)[number]
    relation.move(at(-1), 0, 'the last')
    assert.deepEqual(form.body(), { tags: { connect: [{ id: ids.at(-2), position: { start: true } }] } })
    relation.remove(at(5), 'one of them')
    relation.add({ id: ids.at(-1) as number, uid: 'api::tag.tag', values: {} }, 'another')
    const expected = relation.entries.peek().map(one => one.id)
    await client.saved(form)
    assert.deepEqual(await tagsOf(id), expected)
  })
})
