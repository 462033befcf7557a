import { BootError } from '../../errors.js'
import { operators } from '../../query/filters.js'
import type { Measure } from '../../schema/kinds.js'
import { representations } from '../../schema/representation.js'
import type { EnabledPlugin } from '../enabled.js'
import { nameOf } from './kinds.js'

const families: readonly unknown[] = ['text', 'order', 'equality']

/** Refuses attribute types that no column or link could be made of. */
export function checkFieldTypes({ spec: { name, fieldTypes = [] } }: EnabledPlugin): void {
  for (const kind of fieldTypes) {
    const problem = kindProblem(kind as Partial<UncheckedType> | undefined)
    if (problem !== undefined)
      throw new BootError(`plugin ${name}: the attribute type ${nameOf(kind?.name)} has ${problem}`)
  }
}

function kindProblem({
  name,
  kind,
  as,
  operators: family,
  write,
  operand,
  link,
  measures,
}: Partial<UncheckedType> = {}): string | undefined {
  if (typeof name !== 'string' || name === '') return `${nameOf(name)} for "name"; expected its name`
  if (kind === 'link') return typeof link === 'function' ? undefined : `${nameOf(link)} for "link"; expected a function`
  if (kind !== 'value') return `${nameOf(kind)} for "kind"; expected "value" or "link"`
  if (!Object.hasOwn(representations, String(as)))
    return `${nameOf(as)} for "as"; expected one of ${Object.keys(representations).join(', ')}`
  if (!families.includes(family)) return `${nameOf(family)} for "operators"; expected one of ${families.join(', ')}`
  if (typeof write !== 'function') return `${nameOf(write)} for "write"; expected a function`
  if (typeof operand !== 'function') return `${nameOf(operand)} for "operand"; expected a function`
  return measuresProblem(measures)
}

function measuresProblem(measures: unknown = {}): string | undefined {
  for (const [name, measure] of Object.entries(measures as Readonly<Record<string, Partial<Measure>>>)) {
    if (!/^\$[a-z]\w*$/i.test(name)) return `the measure "${name}"; expected a name that begins with a dollar sign`
    if (Object.hasOwn(operators, name) || ['$and', '$or', '$not', '$none'].includes(name))
      return `the measure "${name}", which is an operator of every attribute; expected another name`
    for (const part of ['read', 'number', 'atMost'] as const)
      if (typeof measure?.[part] !== 'function')
        return `${nameOf(measure?.[part])} for "${part}" of its measure "${name}"; expected a function`
  }
  return undefined
}

/** An attribute type as JavaScript lets it be written. */
type UncheckedType = Readonly<
  Record<'name' | 'kind' | 'as' | 'operators' | 'write' | 'operand' | 'link' | 'measures', unknown>
>
