import { type Ask, type QueryNode, type Raw, where } from '../../core/index.js'
import type { Service } from './service.js'

export type Reading = {
  readonly publicationState: 'live' | 'preview' | undefined
}

/** Leaves out drafts wherever a live reader could meet them. */
export function hideDrafts(query: QueryNode, ask: Ask<Reading>, { strict, live }: Service): QueryNode {
  if (ask.params.publicationState === 'preview') return query
  const hides = strict ? !isToBeChanged(query, ask) : hidesLoosely(query, ask)
  return hides ? where(query, live(query.type), ask) : query
}

/**
 * The entry of a single type is found to be changed whatever its state: a request must not create a second one beside a
 * draft. One that is named by a value is deleted as well, as it is by its id.
 */
const isToBeChanged = ({ use }: QueryNode, { action, byValue }: Ask<Reading>): boolean =>
  use === 'root' && (action === 'update' || (action === 'delete' && byValue === true))

/**
 * As Strapi 4 does: lists and single types drop drafts from their entries and from what they populate, an entry that is
 * asked for by its id shows them, filters and sorts look at all. What a populate says of itself always counts.
 */
function hidesLoosely({ use }: QueryNode, { type, action, params, byValue }: Ask<Reading>): boolean {
  if (use === 'filter' || use === 'sort') return false
  if (use === 'root' && action === 'delete') return byValue !== true
  const isSingle = action === 'findOne' && type.kind === 'singleType'
  // Plugins list their own types without regard to what is published.
  const isList = type.routed && (action === 'find' || isSingle)
  return isList || (use === 'populate' && params.publicationState === 'live')
}

/** Strapi 4 does not read the parameter where an entry is named by its id; only populates may say it there. */
export function dropIgnored(raw: Raw, { type, action }: Ask, { strict }: Service): Raw {
  if (strict || type.kind === 'singleType' || action === 'find') return raw
  const { publicationState: _, ...rest } = raw
  return rest
}
