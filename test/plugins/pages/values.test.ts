import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { OperatorInfo } from '../../../plugins/pages/values/attributes.js'
import {
  atPath,
  type ConditionState,
  emptyGroup,
  type FilterState,
  type GroupState,
  groupQuery,
} from '../../../plugins/pages/values/filters.js'
import { comparedWith } from '../../../plugins/pages/values/operands.js'
import { withQuery } from '../../../plugins/pages/values/query-text.js'

const on = (path: string, value = '1'): ConditionState => ({
  ...{ kind: 'condition', path: path.split('.'), operator: '$eq', values: [value] },
})
const group = (join: GroupState['join'], rows: readonly FilterState[], not = false): GroupState => ({
  ...{ kind: 'group', join, not, rows },
})
const equals = ({ path, values: [value] }: ConditionState) => (value ? atPath(path, { $eq: value }) : undefined)

describe('the query of a filter builder', () => {
  const cases: { says: string; of: GroupState; gives: unknown }[] = [
    { says: 'is nothing while nothing is complete', of: group('$and', [on('a', ''), emptyGroup]), gives: undefined },
    { says: 'leaves out what is not complete', of: group('$or', [on('a', ''), on('b')]), gives: { b: { $eq: '1' } } },
    { says: 'follows the names of a path', of: group('$and', [on('a.b')]), gives: { a: { b: { $eq: '1' } } } },
    {
      says: 'merges conditions on different attributes',
      of: group('$and', [on('a'), on('b')]),
      gives: { a: { $eq: '1' }, b: { $eq: '1' } },
    },
    {
      says: 'keeps conditions on one attribute apart',
      of: group('$and', [on('a'), on('a', '2')]),
      gives: { $and: [{ a: { $eq: '1' } }, { a: { $eq: '2' } }] },
    },
    {
      says: 'has groups within groups, some of which must not hold',
      of: group('$or', [on('a'), group('$and', [on('b'), on('c')], true)]),
      gives: { $or: [{ a: { $eq: '1' } }, { $not: { b: { $eq: '1' }, c: { $eq: '1' } } }] },
    },
  ]
  for (const { says, of, gives } of cases) it(says, () => assert.deepEqual(groupQuery(of, equals), gives))
})

describe('the operand of a condition', () => {
  const number = { type: 'integer', family: 'order' } as const
  const operator = (takes: OperatorInfo['takes'], families: OperatorInfo['families'] = ['order', 'text']) => ({
    takes,
    families,
  })
  const cases: {
    says: string
    operator: Pick<OperatorInfo, 'takes' | 'families'>
    values: string[]
    gives: unknown
  }[] = [
    { says: 'is a value of the type of its field', operator: operator('one'), values: ['7'], gives: 7 },
    { says: 'is nothing while the text is not one', operator: operator('one'), values: ['seven'], gives: undefined },
    { says: 'is a text where parts are compared', operator: operator('one', ['text']), values: ['7'], gives: '7' },
    { says: 'is a pair', operator: operator('two'), values: ['1', '2'], gives: [1, 2] },
    { says: 'is no half of a pair', operator: operator('two'), values: ['1', ''], gives: undefined },
    { says: 'is a list of what is valid', operator: operator('list'), values: ['1', '', 'x'], gives: [1] },
    { says: 'is true unless it says otherwise', operator: operator('flag'), values: [''], gives: true },
    { says: 'is false where it says so', operator: operator('flag'), values: ['false'], gives: false },
  ]
  for (const { says, operator, values, gives } of cases)
    it(says, () => assert.deepEqual(comparedWith(number, operator, values), gives))
})

describe('an address with a query', () => {
  it('has brackets, and encodes only what a URL cannot hold', () => {
    const query = { fields: ['title', 'id'], filters: { 'a b': { $eq: 'x&y, 1:2' } } }
    assert.equal(
      withQuery('/api/books', query),
      '/api/books?fields[0]=title&fields[1]=id&filters[a%20b][$eq]=x%26y,%201:2',
    )
  })
  it('is the path alone without one', () => assert.equal(withQuery('/api/books', {}), '/api/books'))
})
