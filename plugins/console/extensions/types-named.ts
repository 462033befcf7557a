import type { Registry } from '../../../core/index.js'

type Types = Pick<Registry, 'types'>

/** The uid of a type by its name or its uid. */
export function typeNamed({ types }: Types, name: string): string | undefined {
  return (types.get(name) ?? [...types.values()].find(type => type.routed && type.singularName === name))?.uid
}

/** The uids of those that exist. */
export const typesNamed = (types: Types, names: readonly string[]): readonly string[] =>
  names.flatMap(name => typeNamed(types, name) ?? [])
