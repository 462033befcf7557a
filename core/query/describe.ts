import type { Dialect } from '../dialect.js'
import type { AttributeKind, OperatorFamily, ValueType } from '../schema/field-types.js'
import type { JsonSchema } from '../schema/json-schema.js'
import type { Link } from '../schema/types.js'
import type { Action } from './ask.js'
import { type Operator, operators } from './filters.js'
import { nodeParams } from './node.js'

/** A parameter of core's own as it is described to others. */
export interface CoreParam {
  readonly name: string
  readonly describe: string
  readonly nested: boolean
  /** The actions on which it has an effect; all of them otherwise. */
  readonly actions?: readonly Action[]
  readonly schema: JsonSchema
}

/** The parameters of core, for descriptions of the API. */
export const coreParams = (): CoreParam[] => [
  ...Object.entries(nodeParams).map(([name, { describe, nested }]) => ({
    ...{ name, describe, nested },
    ...(shapes[name] as Pick<CoreParam, 'actions' | 'schema'>),
  })),
  pagination,
]

const text = { type: 'string' }
const list = (items: JsonSchema) => ({ type: 'array', items })
const object = { type: 'object' }

/** The JSON schema of each parameter, and the actions on which it has an effect. */
const shapes: Readonly<Record<string, Pick<CoreParam, 'actions' | 'schema'>>> = {
  fields: { schema: { anyOf: [text, list(text)] } },
  sort: { actions: ['find'], schema: { anyOf: [text, list({ anyOf: [text, object] }), object] } },
  filters: { actions: ['find'], schema: object },
  _q: { actions: ['find'], schema: { type: 'string', maxLength: 1000 } },
  highlight: { actions: ['find'], schema: { anyOf: [text, list(text)] } },
  populate: { schema: { anyOf: [text, list(text), object] } },
}

const pagination: CoreParam = {
  name: 'pagination',
  describe:
    'which page: pagination[page] with pagination[pageSize], pagination[start] with pagination[limit], or pagination[after] or pagination[before] with pagination[limit]',
  nested: false,
  actions: ['find'],
  schema: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, default: 1 },
      pageSize: { type: 'integer', minimum: 1 },
      start: { type: 'integer', minimum: 0, default: 0 },
      limit: { type: 'integer', minimum: -1, description: '-1 for as many as there may be' },
      after: { type: 'string', description: 'meta.pagination.next of another page; empty for the first page' },
      before: { type: 'string', description: 'meta.pagination.previous of another page; empty for the last page' },
      withCount: { type: 'boolean', description: 'whether the response says how many there are in all' },
    },
    additionalProperties: false,
  },
}

/** Operators around conditions: anywhere, on an attribute as well. */
const logical = {
  $and: { takes: 'groups', describe: 'all of a list of conditions hold' },
  $or: { takes: 'groups', describe: 'one of a list of conditions holds' },
  $not: { takes: 'group', describe: 'the condition does not hold' },
} as const

/** An operator as it is described to others. */
export interface OperatorOutline {
  readonly name: string
  readonly describe: string
  /** Its operand: a value, a list of values, two values, true or false, a condition, or a list of conditions. */
  readonly takes: Operator['takes'] | 'group' | 'groups'
  /** The families of attributes (`field.type.operators`) on which it makes sense. */
  readonly families: readonly OperatorFamily[]
  /** The attribute types of plugins that have it, where no family does; `sort[<attribute>][<name>]` takes it, too. */
  readonly types?: readonly string[]
  /** The JSON schema of its operand, where that is not a value of the attribute. */
  readonly schema?: JsonSchema
}

/** All operators, for descriptions of the API and for builders of filters. */
export const operatorOutlines = (kinds: readonly AttributeKind[]): OperatorOutline[] => [
  ...Object.entries(operators).map(([name, operator]) => ({
    ...{ name, describe: operator.describe, takes: operator.takes },
    families: familiesOf(operator),
  })),
  ...kinds.flatMap(kind => (kind.kind === 'value' ? measuresOf(kind) : [])),
  ...Object.entries(logical).map(([name, operator]) => ({ name, ...operator, families: families('equality') })),
]

const measuresOf = ({ name: type, measures = {} }: ValueType): OperatorOutline[] =>
  Object.entries(measures).map(([name, { describe, schema = text }]) => ({
    ...{ name, describe, takes: 'one', families: [], types: [type], schema },
  }))

function familiesOf({ comparison, pattern }: Operator): readonly OperatorFamily[] {
  if (pattern) return families('text')
  return families(['lt', 'lte', 'gt', 'gte', 'between'].includes(comparison) ? 'order' : 'equality')
}

/** A family has the operators of those before it. */
const families = (least: OperatorFamily): readonly OperatorFamily[] => familyOrder.slice(familyOrder.indexOf(least))
const familyOrder: readonly OperatorFamily[] = ['equality', 'order', 'text']

/** True if filters and sort may go through a link at all; the permission of the caller is another question. */
export const isFilterable = (link: Link, { filterPolymorphic }: Pick<Dialect, 'filterPolymorphic'>): boolean =>
  link.readable &&
  link.shape !== 'zone' &&
  link.targets?.length === 1 &&
  (filterPolymorphic || link.polymorphic !== true)
