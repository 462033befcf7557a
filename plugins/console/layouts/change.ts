import { type Issue, ValidationError } from '../../../core/index.js'
import { nearest } from '../../../core/plugin-kit.js'
import type { AttributeInfo, Cell, FieldLayout, LayoutSettings } from '../model/meta.js'
import { columns, type LaidOutType, sizeOf, targetOf } from './defaults.js'
import { type LayoutChange, maxPageSize, nameIn } from './given.js'

/** The fields of each type that links lead to, to name entries by. */
type FieldsOf = (uid: string) => readonly string[]

/** The change that a body asks for; everything that is wrong with it is said at once. */
export function readChange(body: unknown, type: LaidOutType, fieldsOf: FieldsOf): LayoutChange {
  const { change, issues } = checkChange(body, type, fieldsOf)
  if (issues.length > 0) throw ValidationError.of(issues)
  return change
}

/** The same with all that is wrong, for callers that say it in other words. */
export function checkChange(body: unknown, type: LaidOutType, fieldsOf: FieldsOf) {
  const reader = new Reader(type, fieldsOf)
  return { change: reader.read(body), issues: reader.issues }
}

type Values = Readonly<Record<string, unknown>>
/** Completes "<name> ...". */
type Rule = (value: unknown) => string | undefined

const longest = 1000
const text: Rule = value =>
  typeof value === 'string' && value.length <= longest ? undefined : `must be a text of at most ${longest} characters`
const truth: Rule = value => (typeof value === 'boolean' ? undefined : 'must be true or false')
const within =
  (least: number, most: number): Rule =>
  value =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `must be a number from ${least} to ${most}`

class Reader {
  readonly issues: Issue[] = []
  readonly #fieldsOf: FieldsOf
  readonly #known: ReadonlyMap<string, AttributeInfo>
  readonly #uid: string

  constructor({ uid, attributes }: LaidOutType, fieldsOf: FieldsOf) {
    this.#uid = uid
    this.#fieldsOf = fieldsOf
    this.#known = new Map(attributes.map(attribute => [attribute.name, attribute]))
  }

  read(body: unknown): LayoutChange {
    const sent = this.#object(body, [])
    this.#only(sent, ['settings', 'list', 'edit', 'fields'], [])
    const { settings, list, edit, fields } = sent
    return {
      ...(settings !== undefined && { settings: this.#settings(settings) }),
      ...(list !== undefined && { list: this.#list(list) }),
      ...(edit !== undefined && { edit: this.#edit(edit) }),
      ...(fields !== undefined && { fields: this.#fields(fields) }),
    }
  }

  #settings(sent: unknown): Partial<LayoutSettings> {
    const fields = ['id', ...[...this.#known.values()].filter(({ kind }) => kind === 'field').map(({ name }) => name)]
    return this.#checked(sent, ['settings'], {
      ...{ bulkable: truth, filterable: truth, searchable: truth },
      pageSize: within(1, maxPageSize),
      mainField: this.#oneOf(fields),
      defaultSortBy: this.#oneOf(fields),
      defaultSortOrder: this.#oneOf(['ASC', 'DESC']),
    })
  }

  #list(sent: unknown): readonly string[] {
    const list = this.#listOf(sent, ['list'])
    const seen = new Set<string>()
    for (const [index, name] of list.entries()) this.#name(name, ['list', String(index)], seen, ['id'])
    return list as readonly string[]
  }

  #edit(sent: unknown): readonly (readonly Cell[])[] {
    const seen = new Set<string>()
    return this.#listOf(sent, ['edit']).map((row, index) => {
      const at = ['edit', String(index)]
      const cells = this.#listOf(row, at).flatMap((cell, place) => this.#cell(cell, [...at, String(place)], seen))
      const sum = cells.reduce((width, { size }) => width + size, 0)
      if (sum > columns) this.#wrong(at, `is ${sum} columns wide; a row has ${columns}`)
      return cells
    })
  }

  /** A name alone has the usual width. */
  #cell(sent: unknown, at: readonly string[], seen: Set<string>): Cell[] {
    if (typeof sent !== 'string') {
      const { size } = this.#checked<Cell>(sent, at, { name: text, size: within(1, columns) })
      const attribute = this.#name(nameIn(sent), [...at, 'name'], seen)
      return attribute ? [{ name: attribute.name, size: size ?? sizeOf(attribute) }] : []
    }
    const attribute = this.#name(sent, at, seen)
    return attribute ? [{ name: attribute.name, size: sizeOf(attribute) }] : []
  }

  #fields(sent: unknown): Readonly<Record<string, Partial<FieldLayout>>> {
    const fields = this.#object(sent, ['fields'])
    const read = Object.entries(fields).map(([name, of]) => {
      const at = ['fields', name]
      const attribute = this.#name(name, at, new Set(), ['id'])
      const target = attribute && targetOf(attribute)
      const rules: Record<string, Rule> = {
        ...{ label: text, description: text, placeholder: text, visible: truth, editable: truth },
        ...{ listLabel: text, searchable: truth, sortable: truth },
        ...(target !== undefined && { mainField: this.#oneOf(['id', ...this.#fieldsOf(target)]) }),
      }
      return [name, this.#checked<FieldLayout>(of, at, rules)] as const
    })
    return Object.fromEntries(read)
  }

  #checked<T>(sent: unknown, at: readonly string[], rules: Readonly<Record<string, Rule>>): Partial<T> {
    const values = this.#object(sent, at)
    this.#only(values, Object.keys(rules), at)
    for (const [name, rule] of Object.entries(rules)) {
      const wrong = Object.hasOwn(values, name) ? rule(values[name]) : undefined
      if (wrong !== undefined) this.#wrong([...at, name], wrong)
    }
    return values as Partial<T>
  }

  /** The attribute of a name, which is named once. */
  #name(sent: unknown, at: readonly string[], seen: Set<string>, others: readonly string[] = []) {
    const known = [...others, ...this.#known.keys()]
    if (typeof sent !== 'string' || !known.includes(sent)) {
      const meant = nearest(String(sent), known)
      const hint = meant === undefined ? '' : `; did you mean "${meant}"?`
      this.#wrong(at, `must be an attribute of ${this.#uid}${hint}`)
      return undefined
    }
    if (seen.has(sent)) this.#wrong(at, `names "${sent}" a second time`)
    seen.add(sent)
    return this.#known.get(sent)
  }

  #oneOf(names: readonly string[]): Rule {
    return value =>
      names.includes(value as string) ? undefined : `must be one of ${names.slice(0, 50).join(', ') || 'none'}`
  }

  #only(sent: Values, known: readonly string[], at: readonly string[]): void {
    for (const name of Object.keys(sent))
      if (!known.includes(name)) this.#wrong([...at, name], `is unknown here; there are ${known.join(', ')}`)
  }

  #object(value: unknown, at: readonly string[]): Values {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values
    this.#wrong(at, 'must be an object')
    return {}
  }

  #listOf(value: unknown, at: readonly string[]): readonly unknown[] {
    if (Array.isArray(value)) return value
    this.#wrong(at, 'must be a list')
    return []
  }

  #wrong(path: readonly string[], wrong: string): void {
    this.issues.push({ path, message: `${path.join('.') || 'the body'} ${wrong}`, name: 'ValidationError' })
  }
}
