import { strict as assert } from 'node:assert'
import { effect } from '@preact/signals-core'
import { describe, it } from 'vitest'
import type { Item } from '../../../../plugins/console/model/form/item.js'
import { field, formOf, pureKinds, relation, zone } from './pure.js'

/** Counts how often computations ask an object for its content. */
class Reads {
  count = 0

  watch(object: object, name: string): void {
    const content = Reflect.get(object, name)
    Object.defineProperty(object, name, {
      get: () => {
        this.count += 1
        return content
      },
    })
  }

  /** Fields are asked for what is typed, components for their fields, lists for their items. */
  watchAll(item: Item): void {
    for (const node of item.nodes.values()) {
      if (node.kind === 'items') for (const inner of node.items.value) this.watchAll(inner)
      this.watch(node, node.kind === 'items' ? 'items' : 'value')
    }
    this.watch(item, 'nodes')
  }
}

/** What is computed for each key that is typed into a field in one of so many components, with a page that shows all of them. */
function typed(components: number): number[] {
  const part = [field('title', 'string', { maxLength: 20 }), field('text', 'text'), relation('tags', 'manyToMany')]
  const kinds = pureKinds([field('name', 'string'), zone('zone', ['shared.part'])], { 'shared.part': part })
  const items = Array.from({ length: components }, (_, id) => {
    return { __component: 'shared.part', id: id + 1, title: `part ${id}`, text: 'x', tags: { data: [] } }
  })
  const form = formOf(kinds, { name: 'a', zone: items })
  const parts = form.root.list('zone')?.items.value ?? []
  const cell = parts[Math.floor(components / 2)]?.cell('title')
  assert.ok(cell)
  const { value } = cell
  for (const { nodes } of parts)
    for (const node of nodes.values())
      effect(() => void [node.kind === 'cell' && node.problem.value, node.changes.value])
  effect(() => void form.changes.value)
  const reads = new Reads()
  reads.watchAll(form.root)
  return ['p', 'pa', 'par'].map(text => {
    reads.count = 0
    value.value = text
    return reads.count
  })
}

describe('a key', () => {
  it('computes its own field again, and as much in 200 components as in two', () => {
    const [few, many] = [typed(2), typed(200)]
    assert.deepEqual(many, few)
    const [first = 0, second = 0, third = 0] = many
    // The first change of a field counts in its component, list and form as well.
    assert.ok(first > second && first <= 12, String(many))
    assert.ok(second > 0 && second <= 6 && second === third, String(many))
  })
})
