import type { KindWords, SchemaWords, WordSchemas } from '../schema.js'
import { addAttribute, otherSideOf, renameAttribute, setAttribute } from './attributes.js'
import { attributeOf, type Drawing } from './drawing.js'
import { type DrawnRelation, relate, relationIn } from './relate.js'
import type { Json, JsonObject } from './text.js'

/** The control of an option, by the JSON schema of its values. */
export type Control =
  | { readonly is: 'switch'; readonly usual: boolean }
  | { readonly is: 'choice'; readonly values: readonly Json[] }
  | { readonly is: 'several'; readonly values: readonly string[] }
  | { readonly is: 'number' | 'text' | 'lines' | 'json' | 'component' | 'components' | 'source' }

/** Options that hold where nothing is said of them. */
const usuallyTrue = ['configurable', 'writable', 'visible', 'searchable', 'useJoinTable']

export function controlOf(word: string, schema: object): Control {
  const {
    type,
    enum: values,
    items,
  } = schema as { type?: unknown; enum?: Json[]; items?: { enum?: string[]; type?: unknown } }
  if (word === 'component') return { is: 'component' }
  if (word === 'components') return { is: 'components' }
  if (word === 'targetField') return { is: 'source' }
  if (values) return { is: 'choice', values }
  if (type === 'boolean') return { is: 'switch', usual: usuallyTrue.includes(word) }
  if (type === 'integer' || type === 'number') return { is: 'number' }
  if (type === 'array' && items?.enum) return { is: 'several', values: items.enum }
  if (type === 'array' && items?.type === 'string') return { is: 'lines' }
  if (type === 'string' || (Array.isArray(type) && type.includes('string'))) return { is: 'text' }
  return { is: 'json' }
}

/** The control of a default, by the values of the attribute; undefined for one that can have none. */
export function controlOfDefault({ as, secret, name }: KindWords, attribute: JsonObject): Control | undefined {
  if (as === undefined || secret) return undefined
  if (name === 'enumeration') return { is: 'choice', values: Array.isArray(attribute.enum) ? attribute.enum : [] }
  if (as === 'boolean') return { is: 'choice', values: [true, false] }
  if (as === 'integer' || as === 'float' || as === 'decimal') return { is: 'number' }
  return { is: as === 'json' ? 'json' : 'text' }
}

/** Options in the form of an attribute: those that are usual for its type, and those that are rarely needed. */
export interface FormWords {
  readonly usual: WordSchemas
  readonly rare: WordSchemas
}

/** Ends of a relation: they are drawn together. */
const ends = ['relation', 'target', 'inversedBy', 'mappedBy', 'morphBy']
const usual = ['required', 'unique', 'private', 'default']
const ofTexts = ['collation', 'searchable']

export function wordsOfKind({ attribute }: SchemaWords, { name, as, options }: KindWords): FormWords {
  const { renamedFrom: _, ...common } = attribute
  const isText = as === 'text' || as === 'longtext'
  const fits = (word: string) => {
    if (word === 'unique' || word === 'default' || word === 'index' || word === 'column') return as !== undefined
    if (word === 'moments') return as === 'datetime'
    return !ofTexts.includes(word) || isText
  }
  const entries = Object.entries(common).filter(([word]) => fits(word) && !Object.hasOwn(options, word))
  const own = Object.entries(options).filter(([word]) => name !== 'relation' || !ends.includes(word))
  return {
    usual: Object.fromEntries([...own, ...entries.filter(([word]) => usual.includes(word))]),
    rare: Object.fromEntries(entries.filter(([word]) => !usual.includes(word))),
  }
}

/** An attribute of another type: what both types know stays, and so do keys of others. */
export function withKind({ kinds }: SchemaWords, attribute: JsonObject, kind: string): JsonObject {
  const of = (name: Json | undefined): readonly string[] =>
    Object.keys(kinds.find(one => one.name === name)?.options ?? {})
  const [before, after] = [of(attribute.type), of(kind)]
  const kept = Object.entries(attribute).filter(([word]) => !before.includes(word) || after.includes(word))
  const { default: _, ...rest } = Object.fromEntries(kept)
  return { ...rest, type: kind }
}

/** The options without which a type of attributes is none, that one lacks. */
export function lacking({ kinds }: SchemaWords, attribute: JsonObject): readonly string[] {
  const options = kinds.find(({ name }) => name === attribute.type)?.options ?? {}
  return ['enum', 'component', 'components'].filter(word => {
    const value = attribute[word]
    return (
      Object.hasOwn(options, word) &&
      (value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    )
  })
}

/** An attribute as a form has it. */
export interface DrawnAttribute {
  readonly name: string
  readonly attribute: JsonObject
  /** Of a relation: its ends. */
  readonly relation?: DrawnRelation
}

/** Draws what a form has: a new attribute, or another name, type and options of one that there is. */
export function drawAttribute(
  drawing: Drawing,
  uid: string,
  current: string | undefined,
  { name, attribute, relation }: DrawnAttribute,
): Drawing {
  const named = current === undefined ? drawing : renameAttribute(drawing, uid, current, name)
  const { renamedFrom } = attributeOf(named.type(uid), name) ?? {}
  const { renamedFrom: _, ...options } = attribute
  const whole = renamedFrom === undefined ? options : { ...attribute, renamedFrom }
  if (relation) return relate(named, { uid, name }, whole, relation)
  const former = attributeOf(named.type(uid), name)
  if (!former) return addAttribute(named, uid, name, whole)
  const apart = otherSideOf(named, uid, name)
    ? relate(named, { uid, name }, former, { ...relationIn(former), other: '' })
    : named
  return setAttribute(apart, uid, name, whole)
}
