import { type Issue, ValidationError } from '../errors.js'
import type { Entry } from '../query/ask.js'
import { always, type QueryNode } from '../query/tree.js'
import type { ContentType, Field, Link } from '../schema/types.js'
import { attributesOf, missing, tooFew, tooShort } from './attributes.js'
import { dotted, issue } from './issue.js'

/** Everything of an entry that has to be there before it is finished: its columns, hidden ones too, and its components. */
export function wholeNode(type: ContentType, depth = 0): QueryNode {
  const parts = depth < deepest ? [...type.links.values()].filter(({ embedded }) => embedded) : []
  return {
    type,
    use: depth === 0 ? 'root' : 'populate',
    depth,
    fields: [...type.fields.values()],
    where: always,
    order: [],
    children: parts.map(link => ({ link, nodes: link.types().map(part => wholeNode(part, depth + 1)) })),
  }
}

/** Components may hold each other in a circle; stored ones end somewhere. */
export const deepest = 8

/** Throws what a stored entry lacks, in the words in which a request that left it out would be refused. */
export function checkComplete(type: ContentType, entry: Entry): void {
  const issues = issuesOf(type, entry, [])
  if (issues.length > 0) throw ValidationError.of(issues)
}

function issuesOf(type: ContentType, entry: Entry, path: readonly string[]): Issue[] {
  return attributesOf(type).flatMap(checked => {
    const { name, field, link } = checked
    const at = [...path, name]
    const value = entry[name]
    const isAbsent = value === undefined || value === null || (link?.many && Array.isArray(value) && value.length === 0)
    const lacks = missing(checked, isAbsent ? undefined : value, at, true)
    if (lacks) return [lacks]
    if (isAbsent) return []
    return field ? issuesOfField(field, value, at) : issuesOfParts(link, value, at)
  })
}

function issuesOfField(field: Field, value: unknown, at: readonly string[]): Issue[] {
  const short = tooShort(field, value, finished)
  return short === undefined ? [] : [issue(at, `${dotted(at)} ${short}`)]
}

function issuesOfParts(link: Link, value: unknown, at: readonly string[]): Issue[] {
  if (!link.embedded) return []
  const parts = (link.many ? value : [value]) as Entry[]
  const few = link.many ? tooFew(link, parts.length, finished) : undefined
  const inside = parts.flatMap((part, index) => {
    const type = link.types().find(({ uid }) => uid === part.__component) ?? link.types()[0]
    return type ? issuesOf(type, part, link.many ? [...at, String(index)] : at) : []
  })
  return few === undefined ? inside : [issue(at, `${dotted(at)} ${few}`), ...inside]
}

const finished = { incomplete: false }
