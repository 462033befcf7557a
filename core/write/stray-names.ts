import { type Issue, ValidationError } from '../errors.js'
import { nearest } from '../kit/nearest.js'
import type { Ask } from '../query/ask.js'
import { without } from '../query/caller.js'
import type { Named } from '../query/named.js'
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
  const { type, mayName = () => true, namedParts, dialect } = ask
  const stray = Object.keys(data).filter(name => name !== 'id' && !mayName(name))
  if (stray.length === 0 && !namedParts) return data
  const issues: Issue[] = []
  if (stray.length > 0) {
    const fields = [...type.fields.values()].filter(({ writable }) => writable)
    const links = [...type.links.values()].filter(link => link.writable && mayLink(link, ask))
    issues.push(...complaints(type, stray, [], [...fields, ...links].map(({ name }) => name).filter(mayName)))
  }
  const named = namedParts
    ? nameableParts(type, without(data, stray), { named: namedParts, issues, path: [] })
    : without(data, stray)
  if (issues.length > 0 && dialect.strictBodies) throw ValidationError.of(issues)
  return named
}

/** The attributes that may be named of an object in a body, and the complaints about others. */
interface NamedPlace {
  readonly named: Named
  readonly issues: Issue[]
  readonly path: readonly string[]
}

/** The same for the components in it of which parts may be named. */
function nameableParts(type: ContentType, data: Json, { named, issues, path }: NamedPlace): Json {
  const left: Record<string, unknown> = without(data, [])
  for (const [name, parts] of named) {
    const link = type.links.get(name)
    if (parts === true || !link || !Object.hasOwn(data, name)) continue
    const part = (item: unknown, at: readonly string[]): unknown => {
      const target = link.types().find(({ uid }) => link.shape !== 'zone' || uid === Object(item).__component)
      if (!isRecord(item) || !target) return item
      const stray = Object.keys(item).filter(key => key !== 'id' && key !== '__component' && !parts.has(key))
      issues.push(...complaints(target, stray, at, [...parts.keys()]))
      return nameableParts(target, without(item, stray), { named: parts, issues, path: at })
    }
    const value = data[name]
    const at = [...path, name]
    left[name] = Array.isArray(value) ? value.map((item, index) => part(item, [...at, String(index)])) : part(value, at)
  }
  return left
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
