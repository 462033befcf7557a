import type { SchemaObject } from 'ajv'
import { sentenceOf, type Validator, validatorOf, type Words } from '../ajv.js'
import { merge } from '../config/merge.js'
import type { BoundHooks } from '../content/hooks/hooks.js'
import { type DialectName, dialects } from '../dialect.js'
import { BootError } from '../errors.js'
import type { TypeOutline } from '../schema/types.js'
import { checkFurther, type FurtherParts, furtherParts } from './checks/further-parts.js'
import { checkKind } from './checks/kinds.js'
import { parts, rows } from './checks/part-table.js'
import { appliesTo, usesOf } from './declared.js'
import type { EnabledPlugin, RawPlugin } from './enabled.js'
import type { OfferedPlugin } from './plugin.js'

export type { EnabledPlugin, RawPlugin } from './enabled.js'

/** Orders plugins by their needs and checks their settings; two that claim the same name stop the boot. */
export function arrangePlugins(
  wanted: readonly Pick<OfferedPlugin, 'plugin' | 'config' | 'file'>[],
  dialect: DialectName,
  further: FurtherParts = furtherParts(wanted.map(({ plugin }) => plugin)),
): EnabledPlugin[] {
  const byName = new Map<string, EnabledPlugin>()
  for (const { plugin, config, file } of wanted) {
    const spec = plugin as RawPlugin
    if (byName.has(spec.name)) throw new BootError(`two plugins are called "${spec.name}"`)
    checkKinds(spec, further)
    const settings = checkSettings(spec, { ...usualSettings(spec, dialect), ...config })
    const enabled = { spec, config: settings, ...(file !== undefined && { file }) }
    for (const [, { check }] of rows) check?.(enabled)
    byName.set(spec.name, enabled)
  }
  const ordered: EnabledPlugin[] = []
  const visiting = new Set<string>()
  const visit = (entry: EnabledPlugin): void => {
    if (ordered.includes(entry)) return
    if (visiting.has(entry.spec.name))
      throw new BootError(`plugins need each other in a circle: ${[...visiting].join(', ')}`)
    visiting.add(entry.spec.name)
    const { needs, uses } = usesOf(entry.spec)
    for (const name of needs)
      if (!byName.has(name))
        throw new BootError(
          `plugin ${entry.spec.name} needs the plugin ${name}, which is disabled; enable it in config/plugins`,
        )
    for (const name of [...needs, ...uses]) {
      const used = byName.get(name)
      if (used) visit(used)
    }
    visiting.delete(entry.spec.name)
    ordered.push(entry)
  }
  for (const entry of byName.values()) visit(entry)
  checkClaims(ordered)
  return ordered
}

/** Plugins whose order and settings are known, with more parts: these are checked like all others. */
export function arrangedAgain(plugins: readonly EnabledPlugin[], further: FurtherParts): readonly EnabledPlugin[] {
  for (const enabled of plugins) {
    checkKinds(enabled.spec, further)
    for (const [, { check }] of rows) check?.(enabled)
  }
  checkClaims(plugins)
  return plugins
}

function checkKinds(spec: RawPlugin, further: FurtherParts): void {
  for (const part of Object.keys(spec)) mustBePart(spec.name, part, further)
  checkFurther(spec, further)
  for (const [part, { kinds }] of rows) checkKind(spec.name, part, spec[part], kinds)
}

export function checkSettings(
  spec: RawPlugin,
  config: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  // Settings may hold functions; only plain values are copied, as defaults are put into them.
  const settings = merge({}, config) as Record<string, unknown>
  const validate = validatorOf(settingsSchemaOf(spec))
  if (isValid(spec, validate, settings)) return Object.freeze(settings)
  const words = settingWords(spec.name)
  throw new BootError(validate.errors.map(error => sentenceOf(error, words)).join('\n'))
}

/** The schema of a plugin's settings; their defaults are those of `spec`. */
export function settingsSchemaOf({ config }: Pick<RawPlugin, 'config'>): SchemaObject {
  const properties = Object.entries(config?.properties ?? {}).map(([name, schema]) => {
    const byDialect = defaultsOf(schema)
    return [name, byDialect ? { ...(schema as object), default: byDialect.spec } : schema]
  })
  return { type: 'object', additionalProperties: false, ...config, properties: Object.fromEntries(properties) }
}

/** The values of settings whose default is another one in a dialect than in `spec`. */
export const usualSettings = ({ config }: Pick<RawPlugin, 'config'>, dialect: DialectName): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(config?.properties ?? {}).flatMap(([name, schema]) => {
      const byDialect = dialect === 'spec' ? undefined : defaultsOf(schema)
      return byDialect ? [[name, byDialect[dialect]]] : []
    }),
  )

const dialectNames = Object.keys(dialects)

/** A default that names both dialects: `default: { spec: true, ... }`. */
function defaultsOf(schema: unknown): Readonly<Record<DialectName, unknown>> | undefined {
  const { default: given } = Object(schema) as { readonly default?: unknown }
  const names = Object.keys(Object(given))
  const isOfDialects = names.length === dialectNames.length && dialectNames.every(name => names.includes(name))
  return isOfDialects ? (given as Readonly<Record<DialectName, unknown>>) : undefined
}

function isValid({ name }: RawPlugin, validate: Validator<unknown>, settings: object): boolean {
  try {
    return validate(settings)
  } catch (cause) {
    throw new BootError(`plugin ${name}: its "config" is not a JSON schema: ${(cause as Error).message}`, { cause })
  }
}

function settingWords(plugin: string): Words {
  return {
    place: path => `config/plugins: ${[plugin, 'config', ...path].join('.')}`,
    unknown: 'is not a setting of the plugin',
    name: path => [plugin, 'config', ...path].join('.'),
    others: known => (known.length > 0 ? `there are ${known.join(', ')}` : 'it has none'),
    wrong: (place, { message, params: { allowedValues } }) =>
      allowedValues
        ? `${place} must be one of ${allowedValues.map((value: unknown) => JSON.stringify(value)).join(', ')}`
        : `${place} ${message}`,
  }
}

/** Two plugins may not declare the same parameter, field type, format, content type, command or route. */
function checkClaims(plugins: readonly EnabledPlugin[]): void {
  const owners = new Map<string, string>()
  for (const plugin of plugins)
    for (const claim of rows.flatMap(([, { claims }]) => claims?.(plugin) ?? [])) {
      const { name } = plugin.spec
      const former = owners.get(claim)
      if (former !== undefined) throw new BootError(`the plugins ${former} and ${name} both declare the ${claim}`)
      owners.set(claim, name)
    }
}

function mustBePart(plugin: string, part: string, further: FurtherParts): void {
  if (Object.hasOwn(parts, part) || further.has(part)) return
  const known = [...Object.keys(parts), ...further.keys()]
  throw new BootError(`plugin ${plugin}: "${part}" is no part of a plugin; there are ${known.join(', ')}`)
}

/** The hooks of the plugins that apply to a type, bound to their services. */
export function hooksFor(
  type: TypeOutline,
  plugins: readonly EnabledPlugin[],
  services: ReadonlyMap<string, unknown>,
): BoundHooks[] {
  return plugins.flatMap(({ spec, config }) =>
    spec.hooks && appliesTo(spec, config, type)
      ? [{ plugin: spec.name, hooks: spec.hooks as BoundHooks['hooks'], service: services.get(spec.name) }]
      : [],
  )
}
