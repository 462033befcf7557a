import type { AttributeKind } from './field-types.js'
import { Refusal } from './link-types.js'
import { snakeCase } from './names.js'
import type { AttributeBase, LinkSpec, TypeOutline } from './types.js'

/** The facts about the types of another server. */
export interface ServableFacts {
  readonly kinds: ReadonlyMap<string, AttributeKind>
  /** The attributes that plugins add to a type, by its uid. */
  readonly added: (uid: string) => readonly string[]
  /** The link of an attribute; throws a sentence where there can be none. */
  readonly link: (outline: TypeOutline, name: string, all: Outlines) => LinkSpec
}

type Outlines = ReadonlyMap<string, TypeOutline>

interface UnservableAttribute {
  readonly uid: string
  readonly name: string
  readonly reason: string
}

/**
 * The types of another server without the attributes that cannot be served: the type behind them is missing, or a later one has
 * their column or table, as it has in the other server. One that is left out may have been the other side of one more.
 */
export function servable(described: Outlines, setting: ServableFacts, notes: string[]): Outlines {
  let all = described
  for (;;) {
    const left = [...unservableColumns(all, setting), ...unservableLinks(all, setting)]
    if (left.length === 0) return all
    for (const { uid, name, reason } of left)
      notes.push(`${all.get(uid)?.source}: attribute "${name}" is not served: ${reason}`)
    all = new Map([...all].map(([uid, outline]) => [uid, without(outline, left)]))
  }
}

function without(outline: TypeOutline, left: readonly UnservableAttribute[]): TypeOutline {
  const names = left.filter(({ uid }) => uid === outline.uid).map(({ name }) => name)
  if (names.length === 0) return outline
  const kept = Object.entries(outline.attributes).filter(([name]) => !names.includes(name))
  return { ...outline, attributes: Object.fromEntries(kept), unserved: [...outline.unserved, ...names] }
}

const stamps = ['createdAt', 'updatedAt']

/** Attributes of which the column is that of a later one, or of the server itself. */
function unservableColumns(all: Outlines, { kinds, added }: ServableFacts): UnservableAttribute[] {
  return [...all.values()].flatMap(({ uid, kind, attributes }) => {
    const ofPlugins = added(uid)
    const own = Object.keys(attributes).filter(name => !ofPlugins.includes(name))
    const fixed = ['id', ...(kind === 'component' ? [] : stamps)]
    const columns = new Map([...fixed, ...ofPlugins].map(name => [columnOf(name, attributes[name]), name]))
    return own.toReversed().flatMap(name => {
      const attribute = attributes[name] as AttributeBase
      if (kinds.get(attribute.type)?.kind !== 'value') return []
      const column = columnOf(name, attribute)
      const taken = columns.get(column)
      columns.set(column, name)
      return taken === undefined ? [] : [{ uid, name, reason: `"${taken}" has its column "${column}"` }]
    })
  })
}

const columnOf = (name: string, attribute: AttributeBase | undefined): string =>
  attribute?.column?.name ?? snakeCase(name)

/** Attributes that lead nowhere, or of which the links would be kept in a table that another one has. */
function unservableLinks(all: Outlines, { kinds, link }: ServableFacts): UnservableAttribute[] {
  const left: UnservableAttribute[] = []
  const tables = new Map([...all.values()].map(({ uid, table }) => [table, `the type ${uid}`]))
  for (const outline of [...all.values()].toReversed())
    for (const [name, { type }] of Object.entries(outline.attributes).toReversed()) {
      if (kinds.get(type)?.kind !== 'link') continue
      const { uid } = outline
      const spec = attempt(() => link(outline, name, all))
      if (spec === undefined) continue
      if (typeof spec === 'string') left.push({ uid, name, reason: spec })
      else if (spec.storage.via === 'table' && spec.owning && !spec.embedded) {
        const { table } = spec.storage
        const former = tables.get(table)
        tables.set(table, `"${name}" of ${uid}`)
        if (former !== undefined) left.push({ uid, name, reason: `its table "${table}" is that of ${former}` })
      }
    }
  return left
}

/** The link, or the reason why it cannot be one; undefined if laying it out is to refuse it. */
function attempt(work: () => LinkSpec): LinkSpec | string | undefined {
  try {
    return work()
  } catch (reason) {
    if (typeof reason === 'string') return reason
    if (reason instanceof Refusal) return undefined
    throw reason
  }
}
