import type { TypeInfo } from '../metadata.js'
import { nameIn, type Writing } from './writing.js'

/** The argument that sorts: as in REST, but for the name of the id. */
export function sortArgument(writing: Writing, type: TypeInfo, name: string, sort: unknown): string {
  const terms = [sort].flat().map(term => {
    const [path = '', direction] = String(term).split(':')
    return [wayOf(writing, type, path.split('.')).join('.'), direction].join(':')
  })
  return `${name}: ${JSON.stringify(terms)}`
}

function wayOf(writing: Writing, type: TypeInfo, [name = '', ...rest]: readonly string[]): string[] {
  const { model, graphql, missing } = writing
  const [, target] = model.followed(type).find(([link]) => link.name === name) ?? []
  if (target && rest.length > 0) return [name, ...wayOf(writing, target, rest)]
  const { entity, id = 'id' } = graphql.types[type.uid] ?? {}
  const own = entity?.id ?? id
  if (name === 'id') return [own]
  if (name === own) missing.add(`GraphQL sorts by the id in place of ${nameIn(type, name)}.`)
  return [name]
}
