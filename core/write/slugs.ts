import { createHash } from 'node:crypto'
import { type Engine, Overtaken, type Session } from '../engines/engine.js'
import { ValidationError } from '../errors.js'
import { lockAll } from '../layout/marks.js'
import type { ContentType, Field } from '../schema/types.js'
import { WrongValue } from '../schema/values.js'
import type { Match } from './asked-rows.js'
import type { Json } from './attributes.js'
import type { CheckedInput, InputOptions } from './input.js'
import { areTaken, uniqueField, wrongAt } from './issue.js'
import type { Statements } from './statements.js'
import { withinOf, worldOf } from './stored-checks.js'

/** Attempts at a create whose value was taken: an index may refuse a value that no look at the rows can find. */
const attempts = 10
/** Values that one statement looks for. */
const atOnce = 16

/** Makes the values of attributes that are named after another one, such that no other entry has them. */
export class Slugs {
  readonly #engine: Engine
  readonly #statements: Statements
  readonly #tries = new WeakMap<CheckedInput, number>()

  constructor(engine: Engine, statements: Statements) {
    this.#engine = engine
    this.#statements = statements
  }

  /** Stores an input with the values that are made for it. Creates that make the same value come one after the other. */
  async storing<T>(session: Session, input: CheckedInput, store: (whole: CheckedInput) => Promise<T>): Promise<T> {
    const whole = await this.#filled(session, input)
    try {
      return await store(whole)
    } catch (cause) {
      const tries = (this.#tries.get(input) ?? 0) + 1
      this.#tries.set(input, tries)
      // Another create came to the same value by another way; the next attempt sees it.
      if (tries < attempts && this.#isTaken(cause, input)) throw new Overtaken('a made value was taken', { cause })
      throw cause
    }
  }

  /** A value for each attribute that is made, if the input has the text for it; no entry has it at this moment. */
  async propose(session: Session, input: CheckedInput): Promise<Record<string, string>> {
    const { type, values, made = new Map<Field, string>() } = input
    const world = worldOf(this.#engine, type, values)
    const proposed: Record<string, string> = {}
    for (const field of type.fields.values()) {
      const sent = values.get(field)
      const text = made.get(field)
      if (field.madeFrom === undefined || (text === undefined && typeof sent !== 'string')) continue
      const base = text === undefined ? (sent as string) : await this.#slugOf(text, field, type)
      proposed[field.name] = await this.#free(session, { type, field, base, within: withinOf(field, world) })
    }
    return proposed
  }

  async #filled(session: Session, { made = new Map(), ...input }: CheckedInput): Promise<CheckedInput> {
    const { type } = input
    const world = worldOf(this.#engine, type, input.values)
    const wanted: WantedValue[] = []
    for (const [field, text] of made) {
      const base = await this.#slugOf(text, field, type)
      wanted.push({ type, field, base, within: withinOf(field, world) })
    }
    await lockAll(this.#engine, session, wanted.map(lockOf))
    const values = new Map(input.values)
    for (const one of wanted) values.set(one.field, this.#checked(await this.#free(session, one), one.field))
    return { ...input, values }
  }

  async #slugOf(text: string, { attribute }: Field, { singularName }: ContentType): Promise<string> {
    const { default: slugify } = await import('@sindresorhus/slugify')
    const options = (attribute.options ?? {}) as object
    return slugify(text.slice(0, longestSource), options) || slugify(singularName, options)
  }

  /** The attribute may have rules that a made value does not meet. */
  #checked(value: string, field: Field): unknown {
    try {
      return field.type.write(value, field, this.#engine.facts.limits)
    } catch (reason) {
      if (reason instanceof WrongValue) throw ValidationError.of([wrongAt([field.name], reason)])
      throw reason
    }
  }

  /** The value itself, or with the first number that is free; behind many numbers, one that is. */
  async #free(session: Session, wanted: WantedValue): Promise<string> {
    const first = Array.from({ length: atOnce }, (_, index) => index)
    const found = await this.#freeOf(session, wanted, first)
    if (found.free !== undefined) return this.#numbered(wanted, found.free)
    const powers = Array.from({ length: 26 }, (_, index) => 2 ** (index + 5))
    const far = await this.#freeOf(session, wanted, powers)
    let [low, high] = [far.before ?? atOnce - 1, far.free ?? 2 ** 31]
    while (high - low > 1) {
      const step = Math.ceil((high - low) / (atOnce + 1))
      const between = Array.from({ length: atOnce }, (_, index) => low + step * (index + 1)).filter(n => n < high)
      const near = await this.#freeOf(session, wanted, between)
      if (near.before !== undefined) low = near.before
      if (near.free !== undefined) high = near.free
    }
    return this.#numbered(wanted, high)
  }

  /** The first of some numbers that is free, and the one before it. */
  async #freeOf(session: Session, wanted: WantedValue, numbers: readonly number[]) {
    const { type, field, within } = wanted
    const values = numbers.map(number => this.#numbered(wanted, number))
    const match: Match = { ...within, [field.column]: values }
    const rows = await this.#statements.select(session, { table: type.table, columns: [field.column], match })
    const taken = new Set(rows.map(([value]) => String(value).toLowerCase()))
    const at = values.findIndex(value => !taken.has(value.toLowerCase()))
    return { free: numbers[at], before: at < 0 ? numbers.at(-1) : numbers[at - 1] }
  }

  #numbered({ field: { attribute }, base }: WantedValue, number: number): string {
    const { maxLength = Infinity } = attribute as { maxLength?: number }
    const end = number === 0 ? '' : `-${number}`
    const room = Math.min(maxLength, this.#engine.facts.limits.shortText) - end.length
    return (base.length > room ? withoutEnd(base.slice(0, room)) : base) + end
  }

  /** True if the only fault is that another entry has a made value. */
  #isTaken(error: unknown, { type, made }: CheckedInput): boolean {
    const names = [...(made?.keys() ?? [])].map(({ name }) => name)
    if (error instanceof ValidationError) return areTaken(error, names)
    const failure = this.#engine.classify(error)
    const field = failure?.kind === 'unique' ? uniqueField(type, failure.column) : undefined
    return field !== undefined && names.includes(field.name)
  }
}

/** A value that is wanted for an attribute, and the columns in which another row must be the same to count. */
interface WantedValue {
  readonly type: ContentType
  readonly field: Field
  readonly base: string
  readonly within: Match
}

/** Longer texts make no longer values. */
const longestSource = 1000

/** Values share a fixed number of locks, so that no row is left for each of them. */
function lockOf({ type: { table }, field: { column }, base, within }: WantedValue): string {
  const key = JSON.stringify([table, column, Object.entries(within), base])
  return `made/${createHash('sha1').update(key).digest().readUInt8(0)}`
}

/** A text that was cut off does not end with a separator. */
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && '-_.~'.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Attributes whose values are made when the entry is stored, each with the text that they are made from. */
export interface MadeValues {
  made?: Map<Field, string>
}

/** An attribute that an object of a body does not give. */
interface MissingAttribute {
  readonly type: ContentType
  readonly field: Field
  readonly data: Json
}

/** Takes note of an attribute whose value follows from the text of another one; false where it does not. */
export function noteMade(
  found: MadeValues,
  { type: { kind, fields }, field, data }: MissingAttribute,
  { makes, set }: Pick<InputOptions, 'makes' | 'set'>,
): boolean {
  const source = makes && kind !== 'component' ? fields.get(field.madeFrom ?? '') : undefined
  if (!source) return false
  const { name, attribute } = source
  const text = Object.hasOwn(set, name) ? set[name] : Object.hasOwn(data, name) ? data[name] : attribute.default
  if (typeof text !== 'string' || text.trim() === '') return false
  found.made ??= new Map()
  found.made.set(field, text)
  return true
}
