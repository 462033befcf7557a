import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { filtersIn, filterText } from '../../../../../plugins/console/model/list/filter-text.js'
import {
  firstPage,
  type ListView,
  listStates,
  startView,
  viewIn,
  viewText,
  withView,
} from '../../../../../plugins/console/model/list/view.js'
import {
  type ConditionState,
  emptyGroup,
  type FilterState,
  type GroupState,
} from '../../../../../plugins/pages/values/filters.js'

/** Objects as the page has them. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record<T>(model, { noNullPrototype: true })

const condition = (path: string, operator: string, ...values: string[]): ConditionState => ({
  ...{ kind: 'condition', path: path.split('.'), operator, values },
})
const all = (...rows: FilterState[]): GroupState => ({ ...emptyGroup, rows })
const any = (...rows: FilterState[]): GroupState => ({ ...emptyGroup, join: '$or', rows })

const views: readonly { says: string; view: Partial<ListView>; text: string }[] = [
  { says: 'nothing of a list as it is opened', view: {}, text: '' },
  {
    says: 'the language, the state, the sort and the size',
    view: { locale: 'de', state: 'draft', sort: { name: 'updatedAt', isDescending: true }, size: 50 },
    text: 'locale=de&state=draft&sort=-updatedAt&size=50',
  },
  { says: 'a search', view: { search: 'bread & butter' }, text: 'q=bread%20%26%20butter' },
  { says: 'a search anywhere', view: { search: 'bread', isWide: true }, text: 'q=bread&in=all' },
  {
    says: 'conditions as people can read them',
    view: { filters: all(condition('author', '$eq', '2'), condition('rating', '$gte', '4')) },
    text: 'filters=author:eq:2,rating:gte:4',
  },
  {
    says: 'groups of conditions',
    view: {
      filters: all(
        condition('author.name', '$containsi', 'a,b:(c).d'),
        any(condition('kind', '$in', 'news', 'review'), { ...all(condition('summary', '$null')), not: true }),
      ),
    },
    text: 'filters=author.name:containsi:a%2Cb%3A%28c%29%2Ed,any(kind:in:news:review,notall(summary:null))',
  },
  {
    says: 'one group of alternatives',
    view: { filters: any(condition('id', '$eq', '1')) },
    text: 'filters=any(id:eq:1)',
  },
  {
    says: 'the page beside an entry',
    view: { place: { from: 25, cursor: { key: 'after', text: 'WyJx-_' } } },
    text: 'after=WyJx-_&from=25',
  },
]

describe('the address of a list', () => {
  for (const { says, view, text } of views)
    it(`has ${says}`, () => {
      const whole = { ...startView, ...view }
      assert.equal(viewText(whole), text)
      assert.deepEqual(viewIn(text), whole)
      assert.deepEqual(viewIn(`?${text}`), whole)
    })

  it('is read as it was written, whatever was typed', () => {
    const text = fc.string({ unit: 'binary' })
    const name = fc.string({ unit: 'binary', minLength: 1 })
    const one = record({
      kind: fc.constant('condition' as const),
      path: fc.array(name, { minLength: 1, maxLength: 3 }),
      operator: fc.constantFrom('$eq', '$containsi', '$null'),
      values: fc.array(text, { maxLength: 3 }),
    })
    const { group } = fc.letrec<{ group: GroupState; row: FilterState }>(tie => ({
      group: record({
        kind: fc.constant('group' as const),
        join: fc.constantFrom('$and' as const, '$or' as const),
        not: fc.boolean(),
        rows: fc.array(tie('row'), { minLength: 1, maxLength: 3 }),
      }),
      row: fc.oneof({ maxDepth: 2, withCrossShrink: true }, one, tie('group')),
    }))
    fc.assert(
      fc.property(
        record({
          state: fc.constantFrom(...listStates),
          locale: name,
          search: text,
          filters: group.filter(({ rows }) => rows.length > 1 || rows[0]?.kind === 'condition'),
          sort: record({ name: name.filter(one => !one.startsWith('-')), isDescending: fc.boolean() }),
          size: fc.integer({ min: 1, max: 1000 }),
          place: record({
            from: fc.nat(1_000_000),
            cursor: record({ key: fc.constantFrom('after' as const, 'before' as const), text: name }),
          }),
        }),
        view => assert.deepEqual(viewIn(viewText(view)), view),
      ),
    )
  })

  const broken: readonly { says: string; text: string; gives: Partial<ListView> }[] = [
    { says: 'unknown states', text: 'state=lost', gives: {} },
    { says: 'sizes that are none', text: 'size=0&from=-3', gives: {} },
    { says: 'text that is no encoding', text: 'q=%E0%A4&locale=%', gives: {} },
    {
      says: 'conditions that cannot be read',
      text: 'filters=a,:eq:1,b:e-q:1,c:eq:%E0,d:eq:1',
      gives: { filters: all(condition('d', '$eq', '1')) },
    },
    { says: 'groups with other names', text: 'filters=some(a:eq:1)', gives: {} },
    {
      says: 'brackets that were lost',
      text: 'filters=any(a:eq:1',
      gives: { filters: any(condition('a', '$eq', '1')) },
    },
    { says: 'endless brackets', text: `filters=${'any('.repeat(5000)}a:eq:1`, gives: {} },
  ]
  for (const { says, text, gives } of broken)
    it(`is read without ${says}`, () => assert.deepEqual(viewIn(text), { ...startView, ...gives }))

  it('begins with the first page when the list is another one', () => {
    const place = { from: 25, cursor: { key: 'after', text: 'x' } } as const
    assert.deepEqual(withView({ ...startView, place }, { search: 'a' }).place, firstPage)
    assert.deepEqual(withView(startView, { place }).place, place)
  })

  it('has filters that are equal where their texts are', () =>
    assert.deepEqual(filtersIn(filterText(any(condition('a', '$eq', '')))), any(condition('a', '$eq', ''))))
})
