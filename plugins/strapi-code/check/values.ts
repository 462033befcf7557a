import { reasons } from '../not-carried.js'
import type { Scope } from './scope.js'
import type { Node } from './syntax.js'

/** The members of a part of Strapi that code may read. */
export interface Shape {
  readonly members?: Readonly<Record<string, Shape>>
  /** It may have any other member. */
  readonly open?: true
  /** Members and what calls give that depend on names. */
  readonly named?: (name: string, known: Known) => Value
  readonly call?: (given: readonly Value[], known: Known) => Value
}

/** The facts that are known of the project before anything of it runs. */
export interface Known {
  hasType(uid: string): boolean
  service(uid: string): Value
  controller(uid: string): Value
  plugin(name: string): Value
  /** True where the code sets a member of a part by itself. */
  sets(path: string): boolean
  /** The export of a file of the project; undefined for packages. */
  exported(from: string, request: string): Value
}

/** The facts that are known of a value before it is there; undefined where there are none. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly isWhole: boolean }
  | { readonly kind: 'object'; readonly node: Node; readonly scope: Scope }
  | { readonly kind: 'function'; readonly node: Node; readonly scope: Scope }
  /** An object of the code with the members that the server gives it. */
  | Own
  /** A part of Strapi that is here. */
  | { readonly kind: 'part'; readonly path: string; readonly shape: Shape }
  /** One that is not, with the reason. */
  | { readonly kind: 'absent'; readonly path: string; readonly why: string }
  /** One that Strapi does not have either, as far as is known, with the sentence of what is missing. */
  | { readonly kind: 'missing'; readonly path: string; readonly says: string }
  /** A call that throws. */
  | { readonly kind: 'refused'; readonly says: string }
  /** A part that takes every call, and does nothing. */
  | { readonly kind: 'unheard'; readonly says: string }
  | undefined

export interface Own {
  readonly kind: 'own'
  readonly path: string
  readonly object: Node
  readonly scope: Scope
  /** The members of the core controller or service. */
  readonly core: Shape
}

export const part = (path: string, shape: Shape): Value => ({ kind: 'part', path, shape })

export const missing = (
  path: string,
  says = `${path} is not there: neither this server nor the project has it`,
): Value => ({
  kind: 'missing',
  path,
  says,
})

/** A member of a part of Strapi. */
export function memberOfPart(path: string, shape: Shape, name: string, known: Known): Value {
  const below = /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
  const why = reasons[below]
  if (known.sets(below)) return undefined
  if (why !== undefined) return { kind: 'absent', path: below, why }
  if (shape.named) return shape.named(name, known)
  const member = shape.members && Object.hasOwn(shape.members, name) ? shape.members[name] : undefined
  if (member) return part(below, member)
  return shape.open || isOfAll(name) ? undefined : missing(below)
}

/** Every object and function of JavaScript has these. */
const isOfAll = (name: string): boolean => name in Function.prototype || name === 'then' || name === 'default'

export const textOf = (value: Value): string | undefined => (value?.kind === 'text' ? value.text : undefined)
