import { type Caller, mayDo } from '../query/ask.js'
import { Views } from '../query/caller.js'
import type { ContentType, Link } from '../schema/types.js'

/**
 * Tells the attributes of a type, or of a component, that a caller may read; of relations, those that lead to types that it may
 * find. A caller that may neither find nor findOne entries of the type reads none. Of components in `typeFor` it is told which parts.
 */
export function readableBy(type: ContentType, caller: Caller): (name: string) => boolean {
  const action = actionOn(type, caller)
  if (type.kind !== 'component' && action === 'find' && !mayDo(caller, action, type.uid)) return () => false
  const { fields, links } = typeFor(type, caller)
  return name => {
    const link = links.get(name)
    return link ? link.readable && isFound(link, caller) : fields.get(name)?.readable === true
  }
}

/** A type as a caller may read it: its links lead to components and types as the caller may read these there. */
export function typeFor(type: ContentType, caller: Caller): ContentType {
  if (type.whole || !caller.fields) return type
  const { fields, more } = caller
  return Views.of({ fields, more }).behind(type, actionOn(type, caller))
}

const actionOn = ({ uid }: ContentType, caller: Caller): string => (mayDo(caller, 'findOne', uid) ? 'findOne' : 'find')

const isFound = ({ open, embedded, targets }: Link, caller: Caller): boolean =>
  open === true || embedded === true || !targets || targets.some(uid => mayDo(caller, 'find', uid))
