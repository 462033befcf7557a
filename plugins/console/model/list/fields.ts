import type { FieldInfo, LinkInfo, OperatorInfo } from '../../../pages/values/attributes.js'
import {
  atPath,
  type ConditionState,
  type FilterState,
  type GroupState,
  groupQuery,
} from '../../../pages/values/filters.js'
import { comparedWith } from '../../../pages/values/operands.js'
import type { Query } from '../../../pages/values/query-text.js'
import type { Kind, Kinds } from '../form/kinds.js'
import type { TypeMeta } from '../meta.js'

/** The left side of a condition: a field, or the entries behind a relation. */
export interface FilterField extends FieldInfo {
  /** The relation; absent for a field. */
  readonly target?: FilterTarget
}

/** A relation whose entries are compared, and the type of these. */
export interface FilterTarget {
  readonly type: TypeMeta
  readonly link: LinkInfo
  readonly holder: Kind
}

/** A name that may follow in the path of a condition. */
interface FilterStep {
  readonly name: string
  readonly label: string
}

/** A filter goes through two relations at most: the server bounds how many tables a query joins. */
const longest = 3

const idField: FieldInfo = {
  ...{ kind: 'field', name: 'id', type: 'id', family: 'order', readable: true, writable: false },
}
const unfiltered = ['password', 'json', 'array', 'blocks']

/** The names that conditions on a type may have. Fields that the editor may not read are not among them. */
export class FilterFields {
  readonly type: TypeMeta
  readonly #kinds: Kinds
  readonly #operators: readonly OperatorInfo[]

  constructor(kinds: Kinds, type: TypeMeta, operators: readonly OperatorInfo[]) {
    this.#kinds = kinds
    this.#operators = operators
    this.type = type
  }

  /** The names after a path; none where it ends at a field, or is as long as it may be. */
  steps(path: readonly string[]): readonly FilterStep[] {
    const kind = path.length < longest ? this.#kindAt(path) : undefined
    return kind ? [idField, ...fieldsOf(kind), ...this.#linksOf(kind)].map(one => stepOf(kind, one.name)) : []
  }

  /** The field at the end of a path; undefined where it leads to none. */
  at(path: readonly string[]): FilterField | undefined {
    const name = path.at(-1)
    const kind = name === undefined ? undefined : this.#kindAt(path.slice(0, -1))
    if (!kind || path.length > longest) return undefined
    if (name === 'id') return idField
    const field = fieldsOf(kind).find(one => one.name === name)
    if (field) return field
    const link = this.#linksOf(kind).find(one => one.name === name)
    const type = this.#kinds.type(link?.targets?.[0])
    return link && type ? { ...idField, name: link.name, target: { type, link, holder: kind } } : undefined
  }

  /** The label of each name of a path. */
  labels(path: readonly string[]): readonly string[] {
    return path.map((name, index) => {
      const kind = this.#kindAt(path.slice(0, index))
      return kind ? stepOf(kind, name).label : name
    })
  }

  /** The operators that a field may be compared with, as the server has them. */
  operator(field: FilterField, name: string): OperatorInfo | undefined {
    return this.#operators.find(
      one => one.name === name && (one.types?.includes(field.type) ?? one.families.includes(field.family)),
    )
  }

  /** The filter of a condition; undefined where it is not complete. */
  query({ path, operator, values }: ConditionState): Query | undefined {
    const field = this.at(path)
    const known = field && this.operator(field, operator)
    const operand = known && comparedWith(field, known, values)
    if (operand === undefined) return undefined
    return atPath(field?.target ? [...path, 'id'] : path, { [operator]: operand })
  }

  /** The group with complete conditions alone. */
  complete(group: GroupState): GroupState {
    const rows = group.rows.flatMap((row): FilterState[] => {
      if (row.kind === 'condition') return this.query(row) ? [row] : []
      const inner = this.complete(row)
      return inner.rows.length > 0 ? [inner] : []
    })
    return { ...group, rows }
  }

  groupQuery(group: GroupState): Query | undefined {
    return groupQuery(group, condition => this.query(condition))
  }

  /** The type or component that a path of links leads to. */
  #kindAt(path: readonly string[]): Kind | undefined {
    let kind: Kind | undefined = this.type
    for (const name of path) {
      const link: LinkInfo | undefined = kind && this.#linksOf(kind).find(one => one.name === name)
      kind = this.#kinds.of(link?.targets?.[0])
    }
    return kind
  }

  #linksOf({ attributes }: Kind): readonly LinkInfo[] {
    return attributes.filter((one): one is LinkInfo => {
      if (one.kind !== 'link' || !one.readable || !one.followed || one.type === 'media') return false
      return one.name !== 'localizations' && this.#kinds.of(one.targets?.[0]) !== undefined
    })
  }
}

const fieldsOf = ({ attributes }: Kind): readonly FieldInfo[] =>
  attributes.filter((one): one is FieldInfo => one.kind === 'field' && one.readable && !unfiltered.includes(one.type))

const stepOf = ({ layout }: Kind, name: string): FilterStep => ({ name, label: layout.fields[name]?.listLabel ?? name })
