import assert from 'node:assert/strict'
import { buildSchema, type FieldNode, type OperationDefinitionNode, parse } from 'graphql'
import { describe, it } from 'vitest'
import type { AnyRoot } from '../../../plugins/graphql/query/bound.js'
import { Selections } from '../../../plugins/graphql/query/selections.js'

const schema = buildSchema('type Query { list(first: Int, tail: Int): Item } type Item { id(of: Int): Int }')
const field = schema.getQueryType()?.getFields().list

/** The arguments of the root for each set of variables, and how often the selection was bound. */
function bound(text: string, sets: readonly Readonly<Record<string, unknown>>[], owns: readonly unknown[] = []) {
  const node = parse(text)
  const operation = node.definitions[0] as OperationDefinitionNode
  const document = { node, operations: [operation], fragments: {}, id: 1, size: 1 }
  const selections = new Selections()
  let times = 0
  const root = { key: 'list', field, node: operation.selectionSet.selections[0] as FieldNode, owns }
  const args = sets.map(variables => {
    const [made] = selections.with({ document, operation, variables, given: variables }, 'public', () => {
      times += 1
      return [{ ...root, args: { first: variables.n } } as unknown as AnyRoot]
    })
    return (made as unknown as { readonly args: { readonly first: number } }).args.first
  })
  return { args, times }
}

describe('what an operation selects', () => {
  it('is bound once, if its variables are arguments of roots', () => {
    const { args, times } = bound('query ($n: Int) { list(first: $n) { id } }', [{ n: 1 }, { n: 2 }, { n: 3 }])
    assert.deepEqual([args, times], [[1, 2, 3], 1])
  })

  it('is bound for each value of a variable below a root', () => {
    const query = 'query ($n: Int, $m: Int) { list(first: $n) { id(of: $m) } }'
    const sets = [{ n: 1, m: 1 }, { n: 2, m: 1 }, { n: 3, m: 2 }, { n: 4 }]
    assert.deepEqual(bound(query, sets), { args: [1, 2, 3, 4], times: 3 })
  })

  it('is bound for each value of a variable in a directive', () => {
    const query = 'query ($n: Int, $b: Boolean!) { list(first: $n) @include(if: $b) { id } }'
    const { times } = bound(query, [
      { n: 1, b: true },
      { n: 2, b: false },
      { n: 3, b: true },
    ])
    assert.equal(times, 2)
  })

  it('is bound each time where a function below a root is told the variables', () => {
    const { times } = bound('query ($n: Int) { list(first: $n) { id } }', [{ n: 1 }, { n: 2 }], [{}])
    assert.equal(times, 2)
  })
})
