import type { Dialect } from '../dialect.js'
import { type Issue, ValidationError } from '../errors.js'
import type { Entry } from '../query/ask.js'
import { always, type Child, isSparse, type QueryNode } from '../query/tree.js'
import type { ContentType, Field, Link } from '../schema/types.js'
import { attributesOf, isRequired, missing, tooFew, tooShort } from './attributes.js'
import { dotted, issue } from './issue.js'

/** The app, as far as it defines finished entries. */
export interface CompletionRules {
  readonly dialect: Dialect
  /** The types that a relation to any type may lead to. */
  readonly anyTarget: readonly ContentType[]
}

/** Everything of an entry that has to be there before it is finished: its columns, hidden ones too, its components, and one entry behind each link that has to lead to some. */
export function wholeNode(type: ContentType, app: CompletionRules, depth = 0): QueryNode {
  const parts = depth < deepest ? [...type.links.values()].filter(({ embedded }) => embedded) : []
  const required = [...type.links.values()].filter(link => !link.embedded && isRequired(link, app.dialect))
  return {
    ...bareNode(type, depth),
    fields: [...type.fields.values()],
    children: [
      ...parts.map(link =>
        childOf(
          link,
          link.types().map(part => wholeNode(part, app, depth + 1)),
        ),
      ),
      ...required.map(link => childOf(link, firstOf(link, app, depth + 1))),
    ],
  }
}

/** One entry is enough to know that there are some, where links are counted for each entry. */
function firstOf(
  { many, targets, types, polymorphic }: Link,
  { anyTarget }: CompletionRules,
  depth: number,
): QueryNode[] {
  const page = many && !polymorphic && targets !== undefined ? { page: { start: 0, limit: 1 } } : {}
  return (targets === undefined ? anyTarget : types()).map(target => ({ ...bareNode(target, depth), ...page }))
}

/** A query for rows of a type without any of their attributes. */
export const bareNode = (type: ContentType, depth: number): QueryNode => ({
  type,
  use: depth === 0 ? 'root' : 'populate',
  depth,
  fields: [],
  where: always,
  order: [],
  children: [],
})

/** The child that a link leads to, with all types that are possible there. */
export const childOf = (link: Link, nodes: readonly QueryNode[]): Child => ({
  ...{ link, nodes },
  ...(isSparse(link, nodes.length) && { isSparse: true }),
})

/** Components may hold each other in a circle; stored ones end somewhere. */
export const deepest = 8

/**
 * Throws a complaint about the values that a stored entry lacks, in the words in which a request without them would be refused.
 */
export function checkComplete(type: ContentType, entry: Entry, dialect: Dialect): void {
  const issues = issuesOf(type, entry, [], dialect)
  if (issues.length > 0) throw ValidationError.of(issues)
}

function issuesOf(type: ContentType, entry: Entry, path: readonly string[], dialect: Dialect): Issue[] {
  return attributesOf(type).flatMap(checked => {
    const { name, field, link } = checked
    const at = [...path, name]
    const value = entry[name]
    const isAbsent = value === undefined || value === null || (link?.many && Array.isArray(value) && value.length === 0)
    const mayBeEmpty = link && !link.embedded && link.many && !dialect.requiredLinks
    const lacks = mayBeEmpty ? undefined : missing(checked, isAbsent ? undefined : value, at, { isNew: true, dialect })
    if (lacks) return [lacks]
    if (isAbsent) return []
    return field ? issuesOfField(field, value, at) : issuesOfParts(link, value as Entry | Entry[], at, dialect)
  })
}

function issuesOfField(field: Field, value: unknown, at: readonly string[]): Issue[] {
  const short = tooShort(field, value, finished)
  return short === undefined ? [] : [issue(at, `${dotted(at)} ${short}`)]
}

function issuesOfParts(link: Link, value: Entry | Entry[], at: readonly string[], dialect: Dialect): Issue[] {
  if (!link.embedded) return []
  const parts = [value].flat()
  const few = link.many ? tooFew(link, parts.length, finished) : undefined
  const inside = parts.flatMap((part, index) => {
    const type = link.types().find(({ uid }) => uid === part.__component) ?? link.types()[0]
    return type ? issuesOf(type, part, link.many ? [...at, String(index)] : at, dialect) : []
  })
  return few === undefined ? inside : [issue(at, `${dotted(at)} ${few}`), ...inside]
}

const finished = { incomplete: false }
