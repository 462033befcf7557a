import type { Query } from '../../pages/values/query-text.js'
import { writable } from './data.js'
import type { LinkInfo, Model, TypeInfo } from './metadata.js'

/** The query for the form of a type: links with the names of their entries, components with their own attributes. */
export function formQuery(model: Model, type: TypeInfo, depth = 0): Query {
  const links = writable(model, type).filter((one): one is LinkInfo => one.kind === 'link' && one.readable)
  const populate = Object.fromEntries(links.map(link => [link.name, linkQuery(model, link, depth)]))
  return links.length > 0 ? { populate } : {}
}

function linkQuery(model: Model, link: LinkInfo, depth: number): unknown {
  // A component may hold itself, through others.
  if (!link.embedded || depth > 3) return true
  if (model.isPlain(link)) {
    const inner = formQuery(model, model.targets(link)[0] as TypeInfo, depth + 1)
    return Object.keys(inner).length > 0 ? inner : true
  }
  const on = model.targets(link).map(type => {
    const inner = formQuery(model, type, depth + 1)
    return [type.uid, Object.keys(inner).length > 0 ? inner : true] as const
  })
  return { on: Object.fromEntries(on) }
}
