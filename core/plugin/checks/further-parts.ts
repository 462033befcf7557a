import { foremost, sentenceOf, validatorOf, type Words } from '../../ajv.js'
import { BootError } from '../../errors.js'
import type { AnyPlugin } from '../plugin.js'

/** Parts of plugins that core hands on to the plugins that read them, each with the JSON schema of its value. */
export type FurtherParts = ReadonlyMap<string, object>

/** The parts that plugins read of others, disabled ones included: what they would read is no mistake. */
export const furtherParts = (plugins: readonly AnyPlugin[]): FurtherParts =>
  new Map(plugins.flatMap(plugin => Object.entries<object>(Object(Object(plugin).words).parts ?? {})))

/** Refuses values that the readers of the parts could not use. */
export function checkFurther(spec: AnyPlugin, further: FurtherParts): void {
  const problems = Object.entries(furtherOf(spec, further)).flatMap(([part, value]) => {
    const validate = validatorOf(further.get(part) as object)
    return validate(value) ? [] : foremost(validate.errors).map(error => sentenceOf(error, wordsFor(spec.name, part)))
  })
  if (problems.length > 0) throw new BootError(problems.join('\n'))
}

/** The parts of a plugin that others read. */
export const furtherOf = (spec: AnyPlugin, further: FurtherParts): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(spec).filter(([part, value]) => further.has(part) && value !== undefined))

const wordsFor = (plugin: string, part: string): Words => ({
  place: path => `plugin ${plugin}: ${[part, ...path].join('.')}`,
  unknown: 'is no part of it',
  name: path => [part, ...path].join('.'),
  others: known => `there are ${known.join(', ')}`,
  wrong: (place, { message, params: { allowedValues } }) =>
    allowedValues ? `${place} must be one of ${allowedValues.join(', ')}` : `${place} ${message}`,
})
