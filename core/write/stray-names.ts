import { type Issue, ValidationError } from '../errors.js'
import { nearest } from '../kit/nearest.js'
import type { Ask } from '../query/ask.js'
import { without } from '../query/caller.js'
import type { ContentType, Link } from '../schema/types.js'
import { isRecord, isStray, type Json, mayLink } from './attributes.js'
import { dotted, issue } from './issue.js'

/** As many are named in one response. */
const mostNamed = 20

/** The names in an object of a body that its type does not have, each with the attribute that was probably meant. */
export function strayNames(
  type: ContentType,
  data: Json,
  path: readonly string[],
  mayLink: (link: Link) => boolean,
): Issue[] {
  const shown = [
    ...[...type.fields.values()].filter(({ readable, writable }) => readable && writable),
    ...[...type.links.values()].filter(link => link.readable && link.writable && mayLink(link)),
  ].map(({ name }) => name)
  const stray = Object.keys(data).filter(name => isStray(type, name, mayLink))
  return complaints(type, stray, path, shown)
}

function complaints({ uid }: ContentType, stray: readonly string[], path: readonly string[], shown: readonly string[]) {
  return stray.slice(0, mostNamed).map(name => {
    const at = [...path, name.slice(0, 100)]
    const meant = nearest(name.slice(0, 100), shown)
    const hint = meant === undefined ? `it has ${clip(shown)}` : `did you mean "${meant}"?`
    return issue(at, `${dotted(at)} is not an attribute of ${uid} that can be written; ${hint}`)
  })
}

/** The body of a write without the names that its caller may not use, as if the type had no such attributes. */
export function nameable(data: Json, ask: Ask): Json {
  const { type, mayName = () => true, dialect } = ask
  const stray = Object.keys(data).filter(name => name !== 'id' && !mayName(name))
  if (stray.length === 0) return data
  if (!dialect.strictBodies) return without(data, stray)
  const fields = [...type.fields.values()].filter(({ writable }) => writable)
  const links = [...type.links.values()].filter(link => link.writable && mayLink(link, ask))
  const names = [...fields, ...links].map(({ name }) => name).filter(mayName)
  throw ValidationError.of(complaints(type, stray, [], names))
}

const clip = (names: readonly string[]): string =>
  names.length > 30 ? `${names.slice(0, 30).join(', ')} and ${names.length - 30} more` : names.join(', ')

/** With terse errors, relations are looked for in refused values: the first zone that cannot be entered is told, too. */
export function echoes(type: ContentType, data: Json): Issue[] {
  const zones = [...type.links.values()].filter(({ shape }) => shape === 'zone')
  const said = zones.map(zone => strayItem(zone, data[zone.name])).find(message => message !== undefined)
  return said === undefined ? [] : [issue([], said)]
}

function strayItem(zone: Link, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  for (const item of [value].flat() as ({ readonly __component?: unknown } | null)[]) {
    if (Array.isArray(value) && !isRecord(item)) return 'Invalid relations'
    if (item?.__component === undefined)
      return 'Cannot build relations store from dynamiczone, component identifier is undefined'
    if (!zone.types().some(({ uid }) => uid === item.__component)) return 'Invalid relations'
  }
  return undefined
}
