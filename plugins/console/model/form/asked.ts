import type { Form } from './form.js'
import type { Item, ItemList } from './item.js'
import { isRecord, type Values } from './plain.js'
import { type Query, relatedPage } from './query.js'
import { entryOf, flat, relatedAt } from './read.js'
import type { Relation } from './relation.js'

/** A further question about the relations of a form: the query for its entry, and what is to be done with the response. */
export interface Question {
  readonly query: Query
  readonly take: (response: unknown) => void
}

/** Asks how many entries there are behind the relations that are not loaded as a whole; undefined if there are none. */
export function countsOf(form: Form): Question | undefined {
  // One of the dialects counts no relations that are stored as polymorphic ones, and would list all their entries.
  const isCounted = ({ attribute }: Relation) => attribute.relation?.startsWith('morph') !== true
  const isAsked = (one: Relation) => one.read.peek().more && one.stored.peek() === undefined && isCounted(one)
  return questionOf(form, relation => (isAsked(relation) ? { count: true } : undefined), takeCount)
}

function takeCount(relation: Relation, value: unknown): void {
  const { data } = Object(value) as { data?: unknown }
  const count = isRecord(data) ? flat(data).count : Object(value).count
  if (typeof count === 'number') relation.stored.value = count
}

/** Asks for the next entries of a relation. */
export function moreOf(form: Form, relation: Relation): Question | undefined {
  const { head, more } = relation.read.peek()
  if (!more) return undefined
  const fields = ['id', ...Object.keys(head[0]?.values ?? {})]
  const page = { fields, start: head.length, limit: relatedPage + 1 }
  return questionOf(
    form,
    one => (one === relation ? page : undefined),
    (one, value) => {
      const entries = relatedAt(one.attribute, value)
      if (one === relation) relation.load(entries.slice(0, relatedPage), entries.length > relatedPage)
    },
  )
}

type Params = Readonly<Record<string, unknown>>

function questionOf(
  form: Form,
  ask: (relation: Relation) => Params | undefined,
  take: (relation: Relation, value: unknown) => void,
): Question | undefined {
  const populate = populateOf(form.root, ask)
  if (!populate) return undefined
  const state = form.kinds.hasDrafts ? { publicationState: 'preview' } : {}
  return {
    query: { fields: ['id'], populate, ...state },
    take: response => give(form.root, entryOf(response) ?? {}, (one, value) => ask(one) && take(one, value)),
  }
}

/** The way to the relations that are asked about, through the stored items of lists. */
function populateOf(item: Item, ask: (relation: Relation) => Params | undefined): Params | undefined {
  const populate: Record<string, unknown> = {}
  for (const [name, node] of item.nodes) {
    const asked = node.kind === 'links' ? ask(node) : node.kind === 'items' ? listPopulate(node, ask) : undefined
    if (asked) populate[name] = asked
  }
  return Object.keys(populate).length > 0 ? populate : undefined
}

function listPopulate(list: ItemList, ask: (relation: Relation) => Params | undefined): Params | undefined {
  const byType = new Map<string, Record<string, unknown>>()
  for (const item of list.items.peek()) {
    const populate = list.isStored(item) ? populateOf(item, ask) : undefined
    if (populate) byType.set(item.uid, merged(byType.get(item.uid), populate))
  }
  if (byType.size === 0) return undefined
  const inner = [...byType].map(([uid, populate]) => [uid, { fields: ['id'], populate }] as const)
  return list.attribute.shape === 'zone' ? { on: Object.fromEntries(inner) } : inner[0]?.[1]
}

/** Items of one type may ask about different relations, on the same way. */
function merged(
  one: Readonly<Record<string, unknown>> = {},
  other: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const both: Record<string, unknown> = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const known = both[name]
    both[name] = isRecord(known) && isRecord(value) ? merged(known, value) : value
  }
  return both
}

function give(item: Item, values: Values, take: (relation: Relation, value: unknown) => void): void {
  for (const [name, node] of item.nodes) {
    const value = values[name]
    if (value === undefined) continue
    if (node.kind === 'links') take(node, value)
    else if (node.kind === 'items')
      for (const part of [value].flat().filter(isRecord)) {
        const inner = node.items.peek().find(one => one.id === part.id && one.uid === (part.__component ?? one.uid))
        if (inner) give(inner, part, take)
      }
  }
}
