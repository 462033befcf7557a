import type { Bag, CodeType, Loose } from '../types.js'

type ModelOf = (uid: string) => CodeType | undefined

/** The form of responses, made of entries as services give them: `{ data: { id, attributes }, meta }`. */
export function transformResponse(value: Loose, meta: Loose, type: CodeType | undefined, modelOf: ModelOf): Loose {
  if (value === null || value === undefined) return value
  return { data: entryOf(value, type, modelOf), meta: meta ?? {} }
}

function entryOf(value: Loose, type: CodeType | undefined, modelOf: ModelOf): Loose {
  if (value === null || value === undefined) return value
  if (Array.isArray(value)) return value.map(one => entryOf(one, type, modelOf))
  if (typeof value !== 'object') throw new Error('Entry must be an object')
  const { id, ...properties } = value
  const attributes = attributesOf(properties, type, modelOf)
  return id === undefined ? { attributes } : { id, attributes }
}

function attributesOf(properties: Bag, type: CodeType | undefined, modelOf: ModelOf): Bag {
  const attributes: Bag = {}
  for (const [name, value] of Object.entries(properties)) {
    const attribute = type?.attributes[name]
    attributes[name] = attribute ? attributeOf(value, attribute, modelOf) : value
  }
  return attributes
}

/** Relations and files are entries of their own; components stay as they are, but for what stands in them. */
function attributeOf(value: Loose, attribute: Bag, modelOf: ModelOf): Loose {
  switch (attribute.type) {
    case 'relation':
      return { data: entryOf(value, modelOf(attribute.target), modelOf) }
    case 'media':
      return { data: entryOf(value, modelOf('plugin::upload.file'), modelOf) }
    case 'component':
      return componentOf(value, modelOf(attribute.component), modelOf)
    case 'dynamiczone':
      return Array.isArray(value) ? value.map(one => componentOf(one, modelOf(one?.__component), modelOf)) : value
    default:
      return value
  }
}

function componentOf(value: Loose, type: CodeType | undefined, modelOf: ModelOf): Loose {
  if (Array.isArray(value)) return value.map(one => componentOf(one, type, modelOf))
  return typeof value === 'object' && value !== null ? attributesOf(value, type, modelOf) : value
}
