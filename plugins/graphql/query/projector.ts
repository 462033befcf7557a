import { type FieldNode, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { codes, locationsOf } from '../errors.js'

/** An error in the words of the response, without its place. */
export type ToldError = Pick<GraphQLFormattedError, 'message' | 'extensions'>

/** Something went wrong with a field of the response. */
export interface FieldFailure {
  readonly error: ToldError
  readonly path: readonly (string | number)[]
  readonly node: FieldNode
}

/** A place in the response that a function fills, once the rest is there; its source is the object that holds the field. */
export interface Seed {
  /** The number of the function among those of the root. */
  readonly own: number
  readonly path: readonly (string | number)[]
  readonly source: unknown
}

/** The place in the response that is being written, and the failures met on the way. */
export class Sink {
  readonly failures: FieldFailure[] = []
  readonly seeds: Seed[] = []
  readonly path: (string | number)[]

  constructor(...path: (string | number)[]) {
    this.path = path
  }

  fail(error: ToldError, node: FieldNode, key?: string | number): void {
    this.failures.push({ error, node, path: key === undefined ? [...this.path] : [...this.path, key] })
  }
}

/** The failures as errors of the response, and the places to be filled. */
export const sealOf = (sink: Sink) => ({ errors: errorsOf(sink), seeds: sink.seeds })

/** The failures as errors of the response. */
export const errorsOf = ({ failures }: Sink): GraphQLFormattedError[] =>
  failures.map(({ error, path, node }) => ({ ...error, path, locations: locationsOf(node) }))

const internal = (message: string): ToldError => ({ message, extensions: { code: codes.internal } })

/** The value of a field that may not be null, and is: what holds it is null in its place. */
export const failed = Symbol('failed')

/** Makes a value of the response of a part of an entry. */
export type Projector = (source: unknown, sink: Sink) => unknown

/** A field of the response, made of the object that holds it. */
export interface ProjectedField {
  readonly key: string
  readonly project: Projector
}

/** An object with these fields; null where nothing is there to make it of. */
export function projectObject(fields: readonly ProjectedField[]): Projector {
  // An alias may be the one name that is no plain property of an object.
  const isOdd = fields.some(({ key }) => key === '__proto__')
  return (source, sink) => {
    if (source === null || source === undefined) return null
    const made: Record<string, unknown> = isOdd ? Object.create(null) : {}
    for (const { key, project } of fields) {
      const value = project(source, sink)
      if (value === failed) return null
      made[key] = value
    }
    return made
  }
}

export function projectList(item: Projector): Projector {
  return (source, sink) => {
    if (!Array.isArray(source)) return null
    const { path } = sink
    const made: unknown[] = []
    for (let index = 0; index < source.length; index += 1) {
      path.push(index)
      const value = item(source[index], sink)
      path.pop()
      if (value === failed) return null
      made.push(value)
    }
    return made
  }
}

/** Puts the key of a field in front of the places of failures below it. */
export function under(key: string, project: Projector): Projector {
  return (source, sink) => {
    sink.path.push(key)
    const value = project(source, sink)
    sink.path.pop()
    return value
  }
}

/** A value that cannot be written is null, and told. */
export function guarded(project: Projector, node: FieldNode, key?: string): Projector {
  return (source, sink) => {
    try {
      return project(source, sink)
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      sink.fail(internal(error.message), node, key)
      return null
    }
  }
}

/** A place in a list that may not be null. */
export const nullFails =
  (project: Projector): Projector =>
  (source, sink) => {
    const value = project(source, sink)
    return value === null || value === undefined ? failed : value
  }

interface RequiredField {
  readonly node: FieldNode
  readonly key: string
  readonly name: string
}

/** A value that may not be null. The first place that is null is told, and none of those that are null for it. */
export function required(project: Projector, { node, key, name }: RequiredField): Projector {
  return (source, sink) => {
    const before = sink.failures.length
    const value = project(source, sink)
    if (value !== null && value !== undefined) return value
    if (sink.failures.length === before)
      sink.fail(internal(`Cannot return null for non-nullable field ${name}.`), node, key)
    return failed
  }
}
