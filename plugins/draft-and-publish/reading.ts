import { type Ask, ForbiddenError, type QueryNode, type Raw, where } from '../../core/index.js'
import type { Service } from './service.js'

export type ReadParams = {
  readonly publicationState: 'live' | 'preview' | undefined
}

/** The action on a type that shows its drafts, where not every caller who may find its entries may see them. */
export const preview = 'preview'

/** Leaves out drafts wherever a live reader could meet them. */
export function hideDrafts(query: QueryNode, ask: Ask<ReadParams>, service: Service): QueryNode {
  const { strict, live } = service
  if (ask.params.publicationState === 'preview' && seesDrafts(query, ask, service)) return query
  const hides = strict ? !isToBeChanged(query, ask) : hidesLoosely(query, ask)
  return hides ? where(query, live(query.type), ask) : query
}

/**
 * True if a preview shows the drafts of a type. A caller that explicitly asks for drafts without permission gets an error;
 * filters and sorts, and row rules, which no caller has asked for, go through live entries.
 */
function seesDrafts(
  { use, type: { uid } }: QueryNode,
  { can }: Ask<ReadParams>,
  { restrictPreview }: Service,
): boolean {
  if (!restrictPreview || can(preview, uid)) return true
  if (use === 'root' || (use === 'populate' && can('find', uid)))
    throw new ForbiddenError(
      `publicationState: The drafts of ${uid} are shown to callers with the permission "${preview}" on it; ask for what is live, or have the permission granted`,
      { parameter: 'publicationState' },
    )
  return false
}

/**
 * A write finds the entry of a single type in any state: a request must not create a second one beside a draft. An entry
 * named by a value is deleted as well, as it is by its id.
 */
const isToBeChanged = ({ use }: QueryNode, { action, byValue }: Ask<ReadParams>): boolean =>
  use === 'root' && (action === 'update' || (action === 'delete' && byValue === true))

/**
 * Hides drafts as Strapi 4 does: lists and single types drop drafts from their entries and from populated ones, an entry
 * by its id shows them, filters and sorts reach all. A populate's own `publicationState` always counts.
 */
function hidesLoosely({ use }: QueryNode, { type, action, params, byValue }: Ask<ReadParams>): boolean {
  if (use === 'filter' || use === 'sort') return false
  if (use === 'root' && action === 'delete') return byValue !== true
  const isSingle = action === 'findOne' && type.kind === 'singleType'
  // Plugins list their own types with drafts.
  const isList = type.routed && (action === 'find' || isSingle)
  return isList || (use === 'populate' && params.publicationState === 'live')
}

/** Strapi 4 does not read the parameter where an entry is named by its id; only populates may say it there. */
export function dropIgnored(raw: Raw, { type, action }: Ask, { strict }: Service): Raw {
  if (strict || type.kind === 'singleType' || action === 'find') return raw
  const { publicationState: _, ...rest } = raw
  return rest
}
