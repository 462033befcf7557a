import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { entryQuery } from '../../../../plugins/console/model/form/query.js'
import { entryOf, headOf } from '../../../../plugins/console/model/form/read.js'
import type { AttributeInfo, TypeMeta } from '../../../../plugins/console/model/meta.js'
import { component, field, files, formOf, page, pureKinds, relation, zone } from './pure.js'

const queryOf = (kinds: ReturnType<typeof pureKinds>) => entryQuery(kinds, kinds.type(page) as TypeMeta)

describe('the query that opens an entry', () => {
  const attributes: readonly AttributeInfo[] = [
    field('title', 'string'),
    field('code', 'password', { readable: false }),
    field('updatedAt', 'datetime', { added: true, writable: false }),
    relation('tags', 'manyToMany'),
    relation('owner', 'manyToOne'),
    relation('anything', 'morphToMany', { many: true }),
    files('gallery', true),
    component('seo', 'shared.seo'),
    zone('zone', ['shared.seo', 'shared.text']),
  ].map(one => (one.name === 'anything' ? withoutTargets(one) : one))
  const components = {
    'shared.seo': [field('title', 'string'), relation('tag', 'oneToOne')],
    'shared.text': [field('text', 'text')],
  }

  function withoutTargets(one: AttributeInfo): AttributeInfo {
    const { targets: _, ...rest } = one as AttributeInfo & { targets?: unknown }
    return rest as AttributeInfo
  }

  it('asks for what the layout shows, and for one entry more of a relation than is shown', () => {
    const seo = { populate: { tag: { fields: ['name'] } } }
    assert.deepEqual(queryOf(pureKinds(attributes, components)), {
      fields: ['id', 'title', 'updatedAt'],
      populate: {
        tags: { fields: ['name'], limit: 21 },
        owner: { fields: ['name'] },
        ...{ anything: true, gallery: true, seo },
        zone: { on: { 'shared.seo': seo, 'shared.text': true } },
      },
      publicationState: 'preview',
    })
  })

  it('asks for whole relations where they have no pages', () => {
    const { populate } = queryOf(pureKinds(attributes, components, { pagingInPopulate: false })) as {
      populate: { tags: unknown }
    }
    assert.deepEqual(populate.tags, { fields: ['name'] })
  })

  it('ends in components that hold each other, and earlier where a request may not have as many statements', () => {
    const depthOf = (query: unknown): number => {
      const { populate } = Object(query) as { populate?: Record<string, unknown> }
      return populate ? 1 + Math.max(...Object.values(populate).map(depthOf)) : 0
    }
    const circle = (width: number) => {
      const inner = Array.from({ length: width }, (_, at) => component(`part${at}`, 'shared.part', { many: true }))
      return pureKinds([component('parts', 'shared.part', { many: true })], {
        'shared.part': [field('title', 'string'), ...inner],
      })
    }
    assert.deepEqual(
      [1, 3, 20].map(width => depthOf(queryOf(circle(width)))),
      [5, 4, 2],
    )
    // What was not asked for is not in the form.
    const form = formOf(circle(1), { parts: [{ id: 1, title: 'a' }] })
    assert.deepEqual([...(form.root.list('parts')?.items.peek()[0]?.nodes.keys() ?? [])], ['title'])
  })
})

describe('the head of an entry', () => {
  const values = { id: 3, updatedAt: 'then', publishedAt: null, locale: 'de' }
  const ada = { id: 1, firstname: 'Ada' }
  const head = { ...values, createdBy: ada, localizations: [{ id: 4, locale: 'en' }] }
  const responses: Record<string, unknown> = {
    'with attributes and plain creators': {
      data: {
        id: 3,
        attributes: { ...values, createdBy: ada, localizations: { data: [{ id: 4, attributes: { locale: 'en' } }] } },
        meta: {},
      },
    },
    'with creators in data': {
      data: {
        id: 3,
        attributes: {
          ...values,
          createdBy: { data: { id: 1, attributes: { firstname: 'Ada' } } },
          localizations: { data: [{ id: 4, attributes: { locale: 'en' } }] },
        },
      },
    },
    'in a flat response': { data: { ...values, createdBy: ada, localizations: [{ id: 4, locale: 'en' }] }, meta: {} },
    'with an attribute of that name': {
      data: { ...values, createdBy: ada, localizations: [{ id: 4, locale: 'en' }], attributes: { a: 1 } },
    },
    'without data around it': { ...values, createdBy: ada, localizations: [{ id: 4, locale: 'en' }] },
  }
  for (const [says, response] of Object.entries(responses))
    it(`is read ${says}`, () => assert.deepEqual(headOf(entryOf(response) ?? {}), head))
})
