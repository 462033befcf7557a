import type { Issue } from '../errors.js'
import type { ContentType, Link } from '../schema/types.js'
import { isRecord, type Json } from './attributes.js'
import { issue } from './issue.js'

/** With terse errors, relations are looked for in what was refused already: the first zone that cannot be entered is told, too. */
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
