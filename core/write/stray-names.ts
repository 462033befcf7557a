import type { Issue } from '../errors.js'
import { nearest } from '../nearest.js'
import type { ContentType, Link } from '../schema/types.js'
import { isStray, type Json } from './attributes.js'
import { dotted, issue } from './issue.js'

/** As many are named in one response. */
const mostNamed = 20

/** What an object of a body has beside the attributes of its type, each with the attribute that was probably meant. */
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
  return stray.slice(0, mostNamed).map(name => {
    const at = [...path, name.slice(0, 100)]
    const meant = nearest(name.slice(0, 100), shown)
    const hint = meant === undefined ? `it has ${clip(shown)}` : `did you mean "${meant}"?`
    return issue(at, `${dotted(at)} is not an attribute of ${type.uid} that can be written; ${hint}`)
  })
}

const clip = (names: readonly string[]): string =>
  names.length > 30 ? `${names.slice(0, 30).join(', ')} and ${names.length - 30} more` : names.join(', ')
