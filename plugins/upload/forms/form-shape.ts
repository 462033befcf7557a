import type { ContentType, JsonSchema, ShapePlace } from '../../../core/index.js'
import { takesFiles } from './entry-body.js'

/** A form that writes an entry: its data, and files for its media attributes and those of its components. */
export function formShape({ type, action, data }: ShapePlace): JsonSchema | undefined {
  if (!type.routed || !takesFiles(type) || (action !== 'create' && action !== 'update')) return undefined
  const parts = filesOf(type, 'files')
  return {
    type: 'object',
    properties: { data, ...Object.fromEntries(parts) },
    required: ['data'],
    description:
      'Files of components in lists and zones have the place of the component in their names: files.slides.0.image',
  }
}

const file = { type: 'string', format: 'binary' }
const text = { type: ['string', 'null'], maxLength: 255 }
const share = { type: ['number', 'null'], minimum: 0, maximum: 1 }
const info = {
  type: 'object',
  properties: { name: text, alternativeText: text, caption: text, focalX: share, focalY: share },
}

/** Files for the library: their names and texts stand in `fileInfo`, which may be repeated for each. */
export const sentForm = {
  type: 'object',
  properties: {
    files: { type: 'array', items: file },
    fileInfo: info,
    ref: { type: 'string', description: 'the uid of the type of an entry that the files are for' },
    refId: { type: 'string', description: 'the id of the entry' },
    field: { type: 'string', description: 'its media attribute' },
    folder: { type: 'integer', description: 'the folder of the library that the files are for' },
  },
}

function filesOf(
  type: ContentType,
  above: string,
  seen: readonly ContentType[] = [],
): [name: string, schema: JsonSchema][] {
  return [...type.links.values()].flatMap((link): [string, JsonSchema][] => {
    const { name, attribute, writable, many, embedded, shape } = link
    const at = `${above}.${name}`
    if (writable && attribute.type === 'media') return [[at, many ? { type: 'array', items: file } : file]]
    const [part] = link.types()
    // Lists of components have as many places as they are long.
    const isOne = embedded && !many && shape === 'inline'
    return isOne && part && !seen.includes(part) ? filesOf(part, at, [...seen, type]) : []
  })
}
