import { type Caller, mayDo } from '../query/ask.js'
import { Views } from '../query/caller.js'
import type { ContentType, Link } from '../schema/types.js'

/**
 * Tells the attributes of a type, or of a component, that a caller may read; of relations, those that lead to types that it may
 * find. A caller that may neither find nor findOne entries of the type reads none.
 */
export function readableBy(type: ContentType, caller: Caller): (name: string) => boolean {
  const action = mayDo(caller, 'findOne', type.uid) ? 'findOne' : 'find'
  if (type.kind !== 'component' && action === 'find' && !mayDo(caller, action, type.uid)) return () => false
  const { fields, links } = caller.fields ? Views.of(caller.fields).behind(type, action) : type
  return name => {
    const link = links.get(name)
    return link ? link.readable && isFound(link, caller) : fields.get(name)?.readable === true
  }
}

const isFound = ({ open, embedded, targets }: Link, caller: Caller): boolean =>
  open === true || embedded === true || !targets || targets.some(uid => mayDo(caller, 'find', uid))
