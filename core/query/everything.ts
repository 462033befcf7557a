import type { ContentType } from '../schema/types.js'

const known = new WeakMap<ContentType, ContentType>()

/** A type as code sees it that reads everything: what is hidden from requests can be read there, at every level. */
export function withEverything(type: ContentType): ContentType {
  const made = known.get(type)
  if (made) return made
  const fields = new Map([...type.fields].map(([name, field]) => [name, { ...field, readable: true }]))
  const links = new Map(
    [...type.links].map(([name, { only: _, ...link }]) => [
      name,
      { ...link, readable: true, types: () => link.types().map(withEverything) },
    ]),
  )
  const entryMeta = type.entryMeta.map(one => ({ ...one, link: links.get(one.link.name) ?? one.link }))
  const view: ContentType = { ...type, whole: type, fields, links, entryMeta }
  known.set(type, view)
  return view
}
