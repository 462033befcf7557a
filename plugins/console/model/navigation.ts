import type { GroupMeta, TypeMeta } from './meta.js'

/** Types under one heading; without a name, those that are in no group. */
interface TypeGroup {
  readonly name?: string
  readonly types: readonly TypeMeta[]
}

/** The types by the groups of the settings, without groups of which none is shown. */
export function groupedTypes(groups: readonly GroupMeta[], types: readonly TypeMeta[]): readonly TypeGroup[] {
  const grouped = new Set(groups.flatMap(group => group.types))
  const named = groups.map(group => ({
    name: group.name,
    types: group.types.flatMap(uid => types.find(type => type.uid === uid) ?? []),
  }))
  const rest: TypeGroup = { types: types.filter(({ uid }) => !grouped.has(uid)) }
  return [...named, rest].filter(group => group.types.length > 0)
}
