import type { Definition } from './types.js'

/** A relation that is not served, because the server does not run the type behind it. */
export interface ForeignTarget {
  readonly uid: string
  readonly source: string
  readonly attribute: string
  readonly target: string
  /** The attribute at the other end, where the type itself is there and only that is missing. */
  readonly missing?: string
}

/** Types of the app are declared by its schema files, so that a wrong name of one is a mistake. */
export const isOfApp = (uid: string): boolean => uid.startsWith('api::') || !uid.includes('::')

/** Facts about types beside their definitions. */
interface KnownTypes {
  /** A type that is not there is missing for a better known reason. */
  readonly isKnown: (uid: string) => boolean
  /** A plugin of this server adds the attribute to the type. */
  readonly isAdded: (definition: Definition, attribute: string) => boolean
}

/** Relations of a project of another server to types of that server's plugins. */
export function foreignTargets(definitions: readonly Definition[], { isKnown, isAdded }: KnownTypes): ForeignTarget[] {
  const types = new Map(definitions.map(definition => [definition.uid, definition]))
  return definitions.flatMap(({ uid, source, schema }) =>
    Object.entries(attributesOf(schema)).flatMap(([attribute, { type, target, mappedBy }]): ForeignTarget[] => {
      if (type !== 'relation' || typeof target !== 'string' || isOfApp(target) || isKnown(target)) return []
      const there = types.get(target)
      if (!there) return [{ uid, source, attribute, target }]
      if (mappedBy === undefined || Object.hasOwn(attributesOf(there.schema), mappedBy)) return []
      if (isAdded(there, mappedBy)) return []
      return [{ uid, source, attribute, target, missing: mappedBy }]
    }),
  )
}

type Attributes = Readonly<Record<string, { type?: unknown; target?: unknown; mappedBy?: string }>>

const attributesOf = (schema: Definition['schema']): Attributes => schema.attributes as Attributes

/** One line for all of them: a project has few such plugins and many attributes that lead to them. */
export function foreignTargetsSentence(all: readonly ForeignTarget[]): string {
  const byType = new Map<string, string[]>()
  for (const { uid, attribute } of all) byType.set(uid, [...(byType.get(uid) ?? []), attribute])
  const places = [...byType].map(([uid, names]) => `${names.join(', ')} of ${uid}`)
  const targets = [...new Set(all.map(nameOf))].join(', ')
  const [what, whose] =
    all.length === 1 ? ['1 attribute is', 'its target'] : [`${all.length} attributes are`, 'their targets']
  return `${what} not served, because the server does not run the plugins of ${whose}: ${places.join(', ')} (${targets}); the links stay in the database unchanged`
}

/** The same of one of them, without its place. */
export const foreignTargetSentence = (one: ForeignTarget): string =>
  `attribute "${one.attribute}" is not served: its target ${nameOf(one)} belongs to a plugin that the server does not run`

const nameOf = ({ target, missing }: ForeignTarget): string => (missing === undefined ? target : `${target}.${missing}`)
