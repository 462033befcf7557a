import type { FieldNode } from 'graphql'
import type { ContentType, Link } from '../../../core/index.js'
import { argumentsOf, filtersOf, inputOf, type PageSettings, pageOf, sortOf } from './arguments.js'
import type { FieldPlace } from './binder.js'
import type { SelectionContext } from './fields.js'
import type { LinkQuery } from './needs.js'

export interface LinkQueryParts extends Pick<SelectionContext, 'variables'> {
  readonly pages: PageSettings
  /** Drafts of related entries are chosen by each relation, as in v4, and not by the root. */
  readonly statesPerRelation: boolean
  /** Types have drafts. */
  readonly hasDrafts: (type: ContentType) => boolean
}

/** The arguments of a relation, component, zone or file as parameters of REST. */
export function linkQuery({ field, nodes }: FieldPlace, link: Link, parts: LinkQueryParts): LinkQuery {
  const args = argumentsOf(field, nodes[0] as FieldNode, parts.variables)
  const takes = (name: string) => field.args.some(arg => arg.name === name)
  const page = takes('pagination') ? pageOf(args.pagination, parts.pages) : undefined
  const filters = takes('filters') ? filtersOf(args.filters, inputOf(field, 'filters')) : undefined
  const sort = sortOf(args.sort)
  return {
    ...(filters && { filters }),
    ...(sort && { sort }),
    ...(page && page.start > 0 && { start: page.start }),
    ...(page?.limit !== undefined && { limit: page.limit }),
    ...stateOf(link, args.publicationState, parts),
  }
}

function stateOf(link: Link, asked: unknown, { hasDrafts, statesPerRelation }: LinkQueryParts): LinkQuery {
  const [type] = link.targets === undefined ? [] : link.types()
  if (!type || link.embedded || !hasDrafts(type)) return {}
  // Drafts that are hidden at every depth are seen only by those who ask for them.
  if (!statesPerRelation && asked !== 'PREVIEW') return {}
  return { publicationState: asked === 'LIVE' ? 'live' : 'preview' }
}
