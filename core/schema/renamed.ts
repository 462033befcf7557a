import type { ContentType, Definition } from './types.js'

/** Names that types and attributes had before, as the schema files say. */
export interface FormerNames {
  uid(uid: string): string | undefined
  attribute(uid: string, attribute: string): string | undefined
}

export function formerNames({ types }: { readonly types: ReadonlyMap<string, ContentType> }): FormerNames {
  return {
    uid: uid => types.get(uid)?.renamedFrom,
    attribute: (uid, name) => formerAttribute(types.get(uid), name),
  }
}

function formerAttribute(type: ContentType | undefined, name: string): string | undefined {
  const attribute = type?.fields.get(name)?.attribute ?? type?.links.get(name)?.attribute
  return typeof attribute?.renamedFrom === 'string' ? attribute.renamedFrom : undefined
}

/** The uid that a type had: `renamedFrom` names it as it is, or by its singular name. */
export function formerUid({ uid, schema }: Definition): string | undefined {
  const { renamedFrom } = schema as { renamedFrom?: string }
  if (renamedFrom === undefined || renamedFrom.includes('::') || !uid.includes('::')) return renamedFrom
  return `api::${renamedFrom}.${renamedFrom}`
}

/** A former name is one that nothing has now, and that one thing only had. */
export function wrongRenames(definitions: readonly Definition[]): string[] {
  const problems = ofNames(
    definitions.map(definition => ({
      place: definition.source,
      name: definition.uid,
      former: formerUid(definition),
      what: 'type',
    })),
  )
  for (const { source, schema } of definitions) {
    const attributes = Object.entries(schema.attributes as Record<string, { renamedFrom?: string }>)
    problems.push(
      ...ofNames(
        attributes.map(([name, { renamedFrom }]) => ({
          place: `${source}: attribute "${name}"`,
          name,
          former: renamedFrom,
          what: 'attribute',
        })),
      ),
    )
  }
  return problems
}

interface RenameClaim {
  readonly place: string
  readonly name: string
  readonly former: string | undefined
  readonly what: string
}

function ofNames(all: readonly RenameClaim[]): string[] {
  const heirs = new Map<string, string>()
  return all.flatMap(({ place, former, what }) => {
    if (former === undefined) return []
    if (all.some(({ name }) => name === former))
      return [
        `${place}: renamedFrom names "${former}", and there still is ${what === 'type' ? 'a' : 'an'} ${what} of this name`,
      ]
    const other = heirs.get(former)
    heirs.set(former, place)
    return other === undefined ? [] : [`${place}: renamedFrom names "${former}", and so does ${other}`]
  })
}
