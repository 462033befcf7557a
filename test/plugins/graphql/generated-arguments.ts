import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
} from 'graphql'
import { type Argument, type Draws, EnumMember } from './generated-values.js'

/** Values that are stored for an attribute of a type or component. */
export type Samples = (type: string, attribute: string) => readonly unknown[]

type Field = GraphQLField<unknown, unknown>

/** Draws the arguments of fields: filters about values that are stored, orders that leave nothing open, pages. */
export class ArgumentDraws {
  readonly #draws: Draws
  readonly #samples: Samples

  constructor(draws: Draws, samples: Samples) {
    this.#draws = draws
    this.#samples = samples
  }

  of(field: Field, percent: number): Record<string, Argument> {
    const chosen = field.args.filter(() => this.#draws.chance(percent))
    return Object.fromEntries(
      chosen.map(({ name, type }) => [name, this.#argument(name, getNamedType(type), ordered(field))]),
    )
  }

  #argument(name: string, type: GraphQLNamedType, attributes: readonly string[]): Argument {
    const draws = this.#draws
    if (name === 'filters') return this.#filters(type as GraphQLInputObjectType, 2)
    if (name === 'pagination') return this.#page()
    if (name === 'sort') return this.#sort(attributes)
    if (name === 'publicationState') return new EnumMember(draws.one(['LIVE', 'PREVIEW']))
    if (name === 'status') return new EnumMember(draws.one(['PUBLISHED', 'DRAFT']))
    if (name === 'locale') return draws.one(['en', 'fr', 'de'])
    return draws.one<Argument>([1, '2', 3, 301, 450, '9999', 'x'])
  }

  #page(): Argument {
    const draws = this.#draws
    if (draws.chance(35)) return { page: draws.below(3), pageSize: draws.below(6) }
    if (draws.chance(5)) return draws.one<Argument>([null, { page: 2 }, { page: 1, limit: 2 }])
    return {
      ...(draws.chance(60) && { start: draws.below(4) - 1 }),
      ...(draws.chance(80) && { limit: draws.below(9) - 1 }),
    }
  }

  #sort(attributes: readonly string[]): Argument {
    const draws = this.#draws
    const words = draws.some(attributes, draws.below(3)).map(name => `${name}${draws.one(['', ':asc', ':desc'])}`)
    const all = [...words, draws.one(['id', 'id:desc'])]
    if (draws.chance(3)) return draws.one<Argument>([null, '', [], 'nothing:asc'])
    return draws.chance(20) ? all.join(', ') : all.length === 1 && draws.chance(50) ? (all[0] as string) : all
  }

  #filters(type: GraphQLInputObjectType, depth: number): Argument {
    const draws = this.#draws
    const fields = Object.values(type.getFields()).filter(
      ({ name }) => !/^(and|or|not|extra|formats|provider_metadata|folder)$/.test(name),
    )
    const isUsual = ({ name }: { name: string }) =>
      draws.chance(5) || !/^(secret|internal_note|password|.*Token)$/.test(name)
    const about = draws.some(fields.filter(isUsual), draws.chance(5) ? 0 : 1 + draws.below(2))
    const made: Record<string, Argument> = {}
    for (const { name, type: of } of about) {
      const below = getNamedType(of) as GraphQLInputObjectType
      const holder = type.name.replace(/FiltersInput$/, '')
      if (/^(ID|Boolean|String|Int|Long|Float|Date|Time|DateTime|JSON)FilterInput$/.test(below.name))
        made[name] = this.#scalar(holder, name, below)
      else if (depth > 0) made[name] = draws.chance(4) ? null : this.#filters(below, depth - 1)
    }
    if (depth > 1 && draws.chance(25))
      made[draws.one(['and', 'or'])] = [this.#filters(type, depth - 1), this.#filters(type, depth - 1)]
    if (depth > 1 && draws.chance(15)) made.not = this.#filters(type, depth - 1)
    return made
  }

  #scalar(holder: string, name: string, type: GraphQLInputObjectType): Argument {
    const draws = this.#draws
    if (draws.chance(4))
      return draws.one<Argument>([null, {}, { eq: null }, { ne: null }, { null: null }, { in: [] }, { notIn: [] }])
    if (draws.chance(8)) return { [draws.one(['null', 'notNull'])]: draws.chance(70) }
    const value = () => this.#stored(holder, name, type.name)
    if (draws.chance(10)) return { not: { [this.#operator(type.name)]: value() } }
    if (draws.chance(12)) return { in: [value(), value(), value()] }
    if (draws.chance(6)) return { notIn: [value(), value()] }
    if (draws.chance(6)) return { between: [value(), value()].sort(byValue) }
    const operator = this.#operator(type.name)
    const text = type.name === 'StringFilterInput' && /with|contains/i.test(operator)
    return { [operator]: text ? this.#part(String(value())) : value(), ...(draws.chance(10) && { ne: value() }) }
  }

  #operator(type: string): string {
    if (type === 'BooleanFilterInput') return this.#draws.one(['eq', 'ne'])
    if (type === 'IDFilterInput') return this.#draws.one(['eq', 'ne', 'gt', 'gte', 'lt', 'lte'])
    if (type !== 'StringFilterInput') return this.#draws.one(['eq', 'ne', 'gt', 'gte', 'lt', 'lte'])
    return this.#draws.one([
      ...['eq', 'ne', 'eqi', 'nei', 'gt', 'lte', 'startsWith', 'endsWith'],
      ...['contains', 'containsi', 'notContains', 'notContainsi'],
    ])
  }

  #stored(holder: string, name: string, type: string): Argument {
    const samples = this.#samples(holder, name)
    const value = samples.length > 0 ? this.#draws.one(samples) : undefined
    if (type === 'IDFilterInput')
      return this.#draws.chance(50) ? 1 + this.#draws.below(60) : String(1 + this.#draws.below(60))
    if (type === 'LongFilterInput') return longOf(value)
    return (value ?? nothingOf[type] ?? 'a') as Argument
  }

  #part(text: string): string {
    const from = this.#draws.below(Math.max(1, text.length - 2))
    return text.slice(from, from + 1 + this.#draws.below(4)) || 'a'
  }
}

const longOf = (value: unknown): Argument => {
  const number = Number(value ?? 1)
  return Number.isSafeInteger(number) ? number : String(value)
}

const nothingOf: Readonly<Record<string, Argument>> = {
  BooleanFilterInput: true,
  IntFilterInput: 3,
  FloatFilterInput: 1.5,
  DateFilterInput: '2023-05-05',
  TimeFilterInput: '08:15:00.000',
  DateTimeFilterInput: '2023-05-05T10:00:00.000Z',
}

const byValue = (a: Argument, b: Argument): number => {
  const [x, y] = [Number(a), Number(b)]
  if (Number.isFinite(x) && Number.isFinite(y)) return x - y
  return String(a) < String(b) ? -1 : 1
}

/** The attributes that a list may be sorted by: those of which filters know, and ids alone for components. */
function ordered(field: Field): string[] {
  const filters = getNamedType(field.args.find(({ name }) => name === 'filters')?.type)
  if (!isInputObjectType(filters) || filters.name.startsWith('Component')) return []
  return Object.values(filters.getFields()).flatMap(({ name, type }) => {
    const of = getNamedType(type)
    if (isEnumType(of) || !of.name.endsWith('FilterInput') || of.name === 'JSONFilterInput') return []
    return /^(id|documentId|secret|internal_note|password|.*Token)$/.test(name) ? [] : [name]
  })
}
