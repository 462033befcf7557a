import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { columnsOf, stateColumn, usualColumns } from '../../../../../plugins/console/model/list/columns.js'
import { operatorsFor } from '../../../../../plugins/console/model/list/operators.js'
import { ListRequests } from '../../../../../plugins/console/model/list/requests.js'
import { type ListView, startView } from '../../../../../plugins/console/model/list/view.js'
import type { Meta, OperatorInfo, TypeMeta } from '../../../../../plugins/console/model/meta.js'
import { emptyGroup } from '../../../../../plugins/pages/values/filters.js'
import { component, field, files, page, pureKinds, relation } from '../pure.js'

const operator = (name: string, takes: OperatorInfo['takes'], ...families: OperatorInfo['families'][number][]) => ({
  ...{ name, describe: name, takes, families },
})
const operators: readonly OperatorInfo[] = [
  operator('$eq', 'one', 'text', 'order', 'equality'),
  operator('$in', 'list', 'text', 'order', 'equality'),
  operator('$null', 'flag', 'text', 'order', 'equality'),
  operator('$containsi', 'one', 'text'),
  operator('$gt', 'one', 'order'),
  operator('$between', 'two', 'order'),
]

const attributes = [
  field('title', 'string'),
  field('rating', 'decimal', { family: 'order' }),
  field('notes', 'json', { family: 'equality' }),
  field('code', 'password', { readable: false }),
  field('publishedAt', 'datetime', { family: 'order', added: true, writable: false }),
  relation('tags', 'manyToMany'),
  relation('owner', 'manyToOne'),
  files('cover', false),
  component('seo', 'shared.seo'),
]

interface Settings {
  readonly type?: Partial<TypeMeta>
  readonly isRanked?: boolean
  readonly maxLimit?: number | null
}

function listOf({ type: changed = {}, isRanked = false, maxLimit = 100 }: Settings = {}) {
  const kinds = pureKinds(attributes, { 'shared.seo': [field('title', 'string')] })
  const known = kinds.type(page) as TypeMeta
  const settings = { ...known.layout.settings, mainField: 'title', defaultSortBy: 'title', pageSize: 25 }
  const type = { ...known, layout: { ...known.layout, settings: { ...settings, defaultSortOrder: 'ASC' } }, ...changed }
  const meta = {
    app: { api: '/console/api' },
    operators,
    dialect: { ...kinds.dialect, rankedSearch: isRanked },
    limits: { maxLimit, pageSizes: [25, 50, 100] },
  } as unknown as Meta
  return { kinds, type: type as TypeMeta, requests: new ListRequests(meta, kinds, type as TypeMeta) }
}

const shown = (text: string) => decodeURIComponent(text).replace('/console/api/pages?', '').split('&')

function pageOf(view: Partial<ListView>, columns: readonly string[] = [], settings: Settings = {}) {
  const { kinds, type, requests } = listOf(settings)
  return shown(requests.page({ ...startView, ...view }, columnsOf(kinds, type, columns)))
}

describe('the requests of a list', () => {
  it('ask for the columns, with the titles of related entries and a few more than are shown', () =>
    assert.deepEqual(pageOf({}, ['rating', 'owner', 'tags', 'cover', 'seo', stateColumn]), [
      ...['fields[0]=id', 'fields[1]=title', 'fields[2]=rating', 'fields[3]=publishedAt'],
      ...['populate[owner][fields][0]=id', 'populate[owner][fields][1]=name'],
      ...['populate[tags][fields][0]=id', 'populate[tags][fields][1]=name', 'populate[tags][limit]=12'],
      ...['populate[cover][fields][0]=name', 'populate[seo]=true'],
      ...['sort[0]=title:asc', 'publicationState=preview', 'pagination[after]=', 'pagination[limit]=25'],
    ]))

  const which: readonly { says: string; view: Partial<ListView>; has: readonly string[]; settings?: Settings }[] = [
    {
      says: 'a related entry by its title',
      view: { sort: { name: 'owner', isDescending: true } },
      has: ['sort[0]=owner.name:desc'],
    },
    { says: 'drafts', view: { state: 'draft' }, has: ['filters[publishedAt][$null]=true'] },
    {
      says: 'a search by the start of titles',
      view: { search: 'a b' },
      has: ['filters[title][$startsWithi]=a b', 'sort[0]=title:asc'],
    },
    { says: 'a search anywhere', view: { search: 'a b', isWide: true }, has: ['_q=a b', 'sort[0]=title:asc'] },
    {
      says: 'a search anywhere for entries that a number names',
      view: { search: 'a' },
      has: ['_q=a'],
      settings: { type: { attributes: attributes.filter(({ name }) => name !== 'title') } },
    },
    {
      says: 'a search by the index of words, as they are typed',
      view: { search: 'rye brea' },
      has: ['_q=rye brea*', 'highlight=*', 'sort[0]=_rank'],
      settings: { type: { search: ['title'] } },
    },
    {
      says: 'a search by the index in the words of its queries, with the quotation mark that is still missing',
      view: { search: 'rye -bread "slow r' },
      has: ['_q=rye -bread "slow r"'],
      settings: { type: { search: ['title'] } },
    },
    {
      says: 'the trash',
      view: { state: 'trash' },
      has: ['trash=only', 'publicationState=preview'],
      settings: { type: { options: { ...listOf().type.options, trash: true } } },
    },
    {
      says: 'a page after an entry',
      view: { place: { from: 25, cursor: { key: 'after', text: 'x' } } },
      has: ['pagination[after]=x'],
    },
    { says: 'no more entries than the server gives', view: { size: 5000 }, has: ['pagination[limit]=100'] },
    {
      says: 'filters through relations, and by entries',
      view: {
        filters: {
          ...emptyGroup,
          rows: [
            { kind: 'condition', path: ['owner'], operator: '$eq', values: ['3'] },
            { kind: 'condition', path: ['tags', 'name'], operator: '$containsi', values: ['a'] },
          ],
        },
      },
      has: ['filters[owner][id][$eq]=3', 'filters[tags][name][$containsi]=a'],
    },
    {
      says: 'filters beside a state',
      view: {
        state: 'published',
        filters: { ...emptyGroup, rows: [{ kind: 'condition', path: ['rating'], operator: '$gt', values: ['4'] }] },
      },
      has: ['filters[$and][0][rating][$gt]=4', 'filters[$and][1][publishedAt][$notNull]=true'],
    },
  ]
  for (const { says, view, has, settings } of which)
    it(`can have ${says}`, () => {
      const parts = pageOf(view, [], settings)
      for (const part of has) assert.ok(parts.includes(part), parts.join(' '))
    })

  it('leave the order to the rank of a search, where there is one, and then count entries for pages', () => {
    const settings = { isRanked: true, type: { search: ['title'] } }
    const parts = pageOf({ search: 'a', place: { from: 50 } }, [], settings)
    assert.ok(!parts.some(part => part.startsWith('sort')))
    assert.ok(parts.includes('pagination[start]=50') && parts.includes('pagination[withCount]=false'))
    const sorted = pageOf({ search: 'a', sort: { name: 'rating', isDescending: false } }, [], settings)
    assert.ok(sorted.includes('pagination[after]='))
  })

  it('leave out conditions that are not complete, or on what is not readable', () => {
    const { requests } = listOf()
    const rows = [
      { kind: 'condition', path: ['rating'], operator: '$gt', values: ['many'] },
      { kind: 'condition', path: ['code'], operator: '$eq', values: ['x'] },
      { kind: 'condition', path: ['notes'], operator: '$eq', values: ['x'] },
      { kind: 'condition', path: ['title'], operator: '$gt', values: ['x'] },
      { kind: 'condition', path: ['owner', 'name', 'more'], operator: '$eq', values: ['x'] },
    ] as const
    assert.deepEqual(requests.fields.complete({ ...emptyGroup, rows }).rows, [])
    assert.equal(requests.fields.groupQuery({ ...emptyGroup, rows }), undefined)
  })

  it('count apart from the pages, and read ids after one another', () => {
    const { requests } = listOf({ maxLimit: null })
    const view = {
      ...startView,
      search: 'a',
      isWide: true,
      place: { from: 25, cursor: { key: 'after', text: 'x' } },
    } as const
    assert.deepEqual(shown(requests.total(view)), [
      ...['fields[0]=id', '_q=a', 'publicationState=preview', 'pagination[withCount]=true', 'pagination[limit]=1'],
    ])
    assert.deepEqual(shown(requests.beyond(view)), [
      ...['fields[0]=id', 'sort[0]=id', '_q=a', 'publicationState=preview'],
      ...['pagination[start]=100000', 'pagination[limit]=1', 'pagination[withCount]=false'],
    ])
    assert.deepEqual(shown(requests.ids(view, 7)), [
      ...['fields[0]=id', 'sort[0]=id:asc', '_q=a', 'publicationState=preview', 'filters[id][$gt]=7'],
      ...['pagination[limit]=1000', 'pagination[withCount]=false'],
    ])
  })

  it('are as plain as a list without pages of its own takes them', () => {
    const { requests, kinds, type } = listOf({ type: { isBare: true } })
    const view = { ...startView, place: { from: 25 } }
    assert.deepEqual(shown(requests.page(view, columnsOf(kinds, type, []))).slice(-2), ['start=25', 'limit=25'])
    assert.match(requests.total(view), /^\/console\/api\/pages\/count\?/)
  })
})

describe('the columns of a list', () => {
  const { kinds, type } = listOf()
  const names = (chosen?: readonly string[]) => columnsOf(kinds, type, chosen).map(({ name }) => name)

  it('always have the title, which leads to the entry', () => assert.deepEqual(names(['rating']), ['title', 'rating']))

  it('are what the layout says and the state, without what is gone or not readable', () => {
    assert.ok(usualColumns(type).includes(stateColumn))
    assert.deepEqual(names(['title', 'gone', 'code', 'title', stateColumn]), ['title', stateColumn])
  })
})

describe('the words for operators', () => {
  const words = (path: readonly string[]) => {
    const { requests } = listOf()
    const target = requests.fields.at(path)
    assert.ok(target)
    return operatorsFor(target, name => requests.fields.operator(target, name) !== undefined).map(({ text }) => text)
  }
  const cases: readonly { path: readonly string[]; gives: readonly string[] }[] = [
    { path: ['title'], gives: ['contains', 'is', 'isEmpty'] },
    { path: ['rating'], gives: ['is', 'isMoreThan', 'isBetween', 'isEmpty'] },
    { path: ['publishedAt'], gives: ['isAfter', 'isBetween', 'isEmpty'] },
    { path: ['owner'], gives: ['is', 'isOneOf', 'isEmpty'] },
    { path: ['owner', 'name'], gives: ['contains', 'is', 'isEmpty'] },
  ]
  for (const { path, gives } of cases)
    it(`fit to ${path.join(' › ')}, and are those of the server`, () => assert.deepEqual(words(path), gives))
})
