import type { SchemaType } from '../schema.js'
import { originOf } from './attributes.js'
import { attributesOf, type Drawing, type DrawnType, formerUid } from './drawing.js'
import { tableOnceNamed, typeFile, typeTable, typeUid } from './places.js'

/** The reason for which a name cannot be given; its text is `schema.problem.<reason>`. */
export type NameProblem = 'missing' | 'form' | 'reserved' | 'taken' | 'former' | 'table'

/** The reason for which an attribute cannot have a name; `current` is the one that it has in the drawing. */
export function attributeProblem(
  drawing: Drawing,
  type: DrawnType,
  name: string,
  current?: string,
): NameProblem | undefined {
  const { reserved, names } = drawing.app.words
  if (name === '') return 'missing'
  if (name === current) return undefined
  if (!new RegExp(names.attribute).test(name)) return 'form'
  if (type.kind !== 'component' && reserved.includes(name)) return 'reserved'
  const others = attributesOf(type.schema).filter(([one]) => one !== current)
  const added = type.running?.attributes.filter(one => one.added).map(one => one.name) ?? []
  const taken = [...others.map(([one]) => one), ...added]
  if (taken.some(one => one.toLowerCase() === name.toLowerCase())) return 'taken'
  return others.some(([one]) => originOf(type, one) === name) ? 'former' : undefined
}

/** The reason for which a type or a component cannot have a name. */
export function typeProblem(drawing: Drawing, name: string): NameProblem | undefined {
  if (name === '') return 'missing'
  return new RegExp(drawing.app.words.names.type).test(name) ? undefined : 'form'
}

/** The reason for which a type cannot have its names, `own` being the one that gets others: each has an address and a table of its own. */
export function typeNamesProblem(
  drawing: Drawing,
  { kind, singular, plural }: { readonly kind: DrawnType['kind']; readonly singular: string; readonly plural: string },
  own?: DrawnType,
): { readonly at: 'singular' | 'plural'; readonly reason: NameProblem } | undefined {
  for (const [at, name] of [
    ['singular', singular],
    ['plural', plural],
  ] as const) {
    const reason = name === own?.[at] ? undefined : typeProblem(drawing, name)
    if (reason) return { at, reason }
  }
  const all = othersThan(own, drawing)
  const others = all.filter(one => one.kind !== 'component')
  const isUidKept = own !== undefined && own.singular === singular
  const path = typeFile(drawing, singular)
  if (!isUidKept && others.some(one => one.uid === typeUid(singular) || pathOf(one) === path))
    return { at: 'singular', reason: 'taken' }
  const addressOf = (one: { kind: string; singular: string; plural: string }) =>
    one.kind === 'singleType' ? one.singular : one.plural
  const address = addressOf({ kind, singular, plural })
  if (others.some(one => one.uid.startsWith('api::') && addressOf(one) === address))
    return { at: kind === 'singleType' ? 'singular' : 'plural', reason: 'taken' }
  const usual = typeTable(plural)
  const table = own ? tableOnceNamed(own, typeTable(own.plural), usual) : usual
  return all.some(one => one.table === table) ? { at: 'plural', reason: 'table' } : undefined
}

export function componentNamesProblem(
  drawing: Drawing,
  { category, name }: { readonly category: string; readonly name: string },
  own?: DrawnType,
): { readonly at: 'category' | 'name'; readonly reason: NameProblem } | undefined {
  const uid = `${category}.${name}`
  if (uid === own?.uid) return undefined
  for (const [at, one] of [
    ['category', category],
    ['name', name],
  ] as const) {
    const reason = typeProblem(drawing, one)
    if (reason) return { at, reason }
  }
  const others = drawing.types.filter(one => one !== own)
  const isTaken = (one: string | undefined) => one?.toLowerCase() === uid.toLowerCase()
  return others.some(one => isTaken(one.uid) || isTaken(formerUid(one))) ? { at: 'name', reason: 'taken' } : undefined
}

type Named = DrawnType | SchemaType

const pathOf = (one: Named): string | null => ('path' in one ? one.path : one.file)

/** Types as they are drawn and as they run: a name is free once a write has let it go. */
function othersThan(own: DrawnType | undefined, drawing: Drawing): readonly Named[] {
  const { app, types } = drawing
  const uids = [own?.uid, own?.running?.uid]
  return [...types, ...app.types, ...app.components].filter(({ uid }) => !uids.includes(uid))
}
