import type { SchemaAttribute, SchemaType } from '../schema.js'
import { originOf } from './attributes.js'
import { attributesOf, type Drawing, type DrawnType, objectIn } from './drawing.js'

/** The types of the app as they are drawn, in the form in which the server tells of those that run. */
export function shownTypes(drawing: Drawing): readonly SchemaType[] {
  const { types, components } = drawing.app
  const running = [...types, ...components]
  const drawn = new Map(drawing.types.map(type => [type.running?.file ?? type.path, type]))
  const known = running.flatMap(type => {
    if (type.file === null) return [type]
    const one = drawn.get(type.file)
    return one ? [shown(one)] : []
  })
  return [...known, ...drawing.types.filter(type => type.running === undefined).map(shown)]
}

function shown(type: DrawnType): SchemaType {
  const { uid, kind, name, singular, plural, table, path: file, text, running, schema } = type
  const own = attributesOf(schema).map(
    ([one, { type: of, ...options }]): SchemaAttribute => ({
      ...{ name: one, type: typeof of === 'string' ? of : '', options, added: false },
    }),
  )
  const added = (running?.attributes ?? []).filter(
    one => one.added && !own.some(({ name: other }) => other === one.name),
  )
  return {
    ...{ uid, kind, name, singular, plural, table, file, text },
    settings: running?.settings ?? {},
    attributes: schema ? [...own, ...added] : (running?.attributes ?? []),
  }
}

/** The difference of an attribute from the stored one. */
export type AttributeState = 'new' | 'renamed' | 'changed' | 'same'

export function stateOf(type: DrawnType, name: string): { readonly is: AttributeState; readonly origin?: string } {
  const origin = originOf(type, name)
  if (origin === undefined) return { is: 'new' }
  if (origin !== name) return { is: 'renamed', origin }
  const of = (schema: DrawnType['schema']) => JSON.stringify(objectIn(schema, 'attributes')[name])
  return { is: of(type.schema) === of(type.stored) ? 'same' : 'changed' }
}
