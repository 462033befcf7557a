import type { Cell } from './cell.js'
import type { Form } from './form.js'
import type { Item, ItemList, Node } from './item.js'
import type { Kinds } from './kinds.js'
import type { Relation } from './relation.js'
import { isEmpty, tooShort, type ValueProblem } from './typed.js'

/** A problem with its place in the form. */
export interface Problem extends ValueProblem {
  /** Names of attributes, and keys of the items between them. */
  readonly path: readonly string[]
  readonly node: Node
}

/**
 * The purpose of a check. A draft may lack what is required; what is saved of a finished entry may not, and an entry that is
 * published is checked as a whole.
 */
export type Purpose = 'draft' | 'finished' | 'publish'

/** The problems that the server would find, before it is asked. */
export function problemsOf({ root, kinds, isNew }: Form, purpose: Purpose): readonly Problem[] {
  return itemProblems(root, { kinds, purpose, isNew: isNew.peek(), path: [] })
}

interface Place {
  readonly kinds: Kinds
  readonly purpose: Purpose
  readonly isNew: boolean
  readonly path: readonly string[]
}

function itemProblems(item: Item, place: Place): Problem[] {
  return [...item.nodes].flatMap(([name, node]) => nodeProblems(node, { ...place, path: [...place.path, name] }))
}

function nodeProblems(node: Node, place: Place): Problem[] {
  const { isNew, purpose, path } = place
  // The server looks at what is sent, and at the whole entry before it is published.
  const isChecked = purpose === 'publish' || (node.canWrite && (isNew || node.changes.peek() > 0))
  if (!isChecked) return []
  const found =
    node.kind === 'cell'
      ? cellProblem(node, place)
      : node.kind === 'links'
        ? linkProblem(node, place)
        : listProblem(node, place)
  const inside = node.kind === 'items' ? innerProblems(node, place) : []
  return [...(found ? [{ ...found, path, node }] : []), ...inside]
}

const required: ValueProblem = { code: 'required' }

function cellProblem(cell: Cell, { kinds, isNew, purpose, path }: Place): ValueProblem | undefined {
  const { attribute } = cell
  const typed = cell.value.peek()
  if (purpose !== 'draft' && isEmpty(typed)) {
    const isMade = attribute.madeFrom !== undefined && kinds.dialect.madeUids && isNew && path.length === 1
    const isStored = attribute.type === 'password' && !isNew
    return attribute.required && !isMade && !isStored ? required : undefined
  }
  // The server is asked again about values that it refused before.
  const isSent = isNew || cell.changes.peek() > 0
  const problem = isSent ? cell.parsed.peek().problem : undefined
  return problem ?? (purpose === 'draft' ? undefined : tooShort(attribute, typed))
}

function linkProblem({ attribute, value, entries }: Relation, { purpose }: Place): ValueProblem | undefined {
  const isNone = entries.peek().length === 0 && !value.peek().more
  return attribute.required && isNone && purpose !== 'draft' ? required : undefined
}

function listProblem({ attribute, items }: ItemList, { purpose }: Place): ValueProblem | undefined {
  const { length } = items.peek()
  const { many, min, max } = attribute
  if (many && max !== undefined && length > Number(max)) return { code: 'tooMany', params: { max } }
  if (purpose === 'draft') return undefined
  if (length === 0) return attribute.required ? required : undefined
  return many && min !== undefined && length < Number(min) ? { code: 'tooFew', params: { min } } : undefined
}

const innerProblems = (list: ItemList, place: Place): Problem[] =>
  list.items.peek().flatMap(item =>
    itemProblems(item, {
      ...place,
      isNew: place.isNew || !list.isStored(item),
      path: [...place.path, item.key],
    }),
  )
