import type { DialectName } from '../dialect.js'
import { BootError } from '../errors.js'
import type { EngineName } from './engines.js'
import { type Form, objectOf, type Schema } from './forms.js'
import { isSection } from './merge.js'
import { type Environment, variableOf } from './variable.js'

/**
 * The server whose shape an app folder has: this server's own, or that of another server, which is opened in place and called after
 * the dialect of its clients.
 */
export type Project = 'stele' | Exclude<DialectName, 'spec'>

/** The surroundings of a setting when it is read: the variables, and everything that defaults may depend on. */
export interface Surroundings {
  readonly variables: Environment
  /** NODE_ENV, or "development". */
  readonly environment: string
  readonly project: Project
  /** The engine, for settings of the database. */
  readonly client?: EngineName
  /** The file of an SQLite database. */
  readonly filename?: string
}

/** A default that is not the same for every app; `shown` is how the page writes it. */
export interface DependentDefault<V> {
  readonly shown: string
  of(around: Surroundings): V
}

/** One setting: the form of its value, its default, and the environment variable that may set it. */
export class Setting<V> {
  readonly form: Form<V>
  readonly usual: V | DependentDefault<V>
  readonly variable: string | undefined

  constructor(form: Form<V>, usual: V | DependentDefault<V>, variable?: string) {
    this.form = form
    this.usual = usual
    this.variable = variable
  }

  /** The value that the server uses: that of a file or a caller, or else the variable, or else the default. */
  read(said: unknown, around: Surroundings): V {
    if (said !== undefined) return this.form.read ? this.form.read(said) : (said as V)
    return this.fromVariable(around.variables) ?? (isDepending(this.usual) ? this.usual.of(around) : this.usual)
  }

  /** The value of its variable, undefined if that is not set or empty. */
  fromVariable(variables: Environment): V | undefined {
    const { variable, form } = this
    const text = variable === undefined ? undefined : variableOf(variables, variable)
    if (text === undefined || text === '') return undefined
    const value = form.fromText?.(text)
    if (value !== undefined) return value
    const arrived = form.isSecret ? 'cannot be read' : `is ${JSON.stringify(text)}`
    const { accepts = form.schema.description } = form
    throw new BootError(`The environment variable ${variable} ${arrived}; expected ${accepts}`)
  }
}

/** A setting with a default. */
export const setting = <V>(form: Form<V>, usual: NoInfer<V | DependentDefault<V>>, variable?: string): Setting<V> =>
  new Setting<V>(form, usual, variable)

/** A setting that may be absent; `shown` is its default on the page. */
export const optional = <V>(form: Form<V>, variable?: string, shown?: string): Setting<V | undefined> =>
  new Setting<V | undefined>(form, shown === undefined ? undefined : { shown, of: () => undefined }, variable)

/** The settings of a file, or of an object in it: one row each. */
export interface Rows {
  readonly [name: string]: Setting<unknown> | Rows
}

type ValueOf<Row> = Row extends Setting<infer V> ? V : ValuesOf<Row>
/** The name of a row that may be absent, or else never. */
type Absent<Row, Name> = Row extends Setting<infer V> ? (undefined extends V ? Name : never) : never

/** The values of such rows; a row without a default may be absent. Editors lead from a value to its row. */
export type ValuesOf<Group> = {
  readonly [Name in keyof Group as Exclude<Name, Absent<Group[Name], Name>>]: ValueOf<Group[Name]>
} & { readonly [Name in keyof Group as Absent<Group[Name], Name>]?: ValueOf<Group[Name]> }

/** The schema of such rows in a file. */
export function schemaOfRows(rows: Rows): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      row instanceof Setting ? row.form.schema : objectOf(schemaOfRows(row)),
    ]),
  )
}

/** Reads the settings in a file, row by row; keys without a row are left out. */
export function readRows<Group extends Rows>(rows: Group, said: unknown, around: Surroundings): ValuesOf<Group> {
  const section = isSection(said) ? said : {}
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      row instanceof Setting ? row.read(section[name], around) : readRows(row, section[name], around),
    ]),
  ) as ValuesOf<Group>
}

/** True if a default is not the same for every app. */
export function isDepending<V>(usual: V | DependentDefault<V>): usual is DependentDefault<V> {
  return isSection(usual) && typeof usual.of === 'function'
}
