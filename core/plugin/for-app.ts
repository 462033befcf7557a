import { isSection } from '../config/merge.js'
import { BootError } from '../errors.js'
import { arrangedAgain, type EnabledPlugin, type RawPlugin } from './arrange.js'
import { type FurtherParts, furtherOf } from './checks/further-parts.js'
import type { FoundApp, ReadDefinitions } from './parts.js'
import { starting } from './services.js'

/** The parts that a plugin has in any app: nothing of them follows from the one that it is in. */
const always: readonly string[] = ['name', 'describe', 'uses', 'config', 'standardIn', 'forApp']

/** The plugins of an app with all their parts, and how the schemas of its types are to be read. */
interface ForApp {
  readonly plugins: readonly EnabledPlugin[]
  readonly read: ReadDefinitions
}

/** Asks the plugins which parts they have in one app beside those that they have in any; nothing of it is opened. */
export async function withPartsForApp(
  plugins: readonly EnabledPlugin[],
  found: Omit<FoundApp, 'config' | 'plugins'>,
  further: FurtherParts,
): Promise<ForApp> {
  let { definitions } = found
  if (plugins.every(({ spec }) => spec.forApp === undefined)) return { plugins, read: files => files }
  const readers: ReadDefinitions[] = []
  const more: EnabledPlugin[] = []
  const declared = plugins.map(({ spec, file }) => ({
    name: spec.name,
    parts: furtherOf(spec, further),
    ...(file !== undefined && { file }),
  }))
  for (const enabled of plugins) {
    const { spec, config } = enabled
    const log = found.log.child({ plugin: spec.name })
    const given = await starting(spec, () => spec.forApp?.({ ...found, definitions, config, log, plugins: declared }))
    const { definitions: read, ...parts }: { readonly definitions?: ReadDefinitions } = isSection(given) ? given : {}
    if (read !== undefined && typeof read !== 'function')
      throw new BootError(`plugin ${spec.name}: definitions of forApp is no function from schema files to schema files`)
    if (read) readers.push(read)
    definitions = read?.(definitions) ?? definitions
    more.push(given === undefined ? enabled : { ...enabled, spec: withParts(spec, isSection(given) ? parts : given) })
  }
  return { plugins: arrangedAgain(more, further), read: files => readers.reduce((all, read) => read(all), files) }
}

function withParts(spec: RawPlugin, parts: unknown): RawPlugin {
  if (!isSection(parts)) throw new BootError(`plugin ${spec.name}: forApp gives no object; expected one of parts`)
  const own = Object.keys(parts).find(part => always.includes(part))
  if (own !== undefined)
    throw new BootError(`plugin ${spec.name}: forApp gives "${own}", which a plugin has in any app or in none`)
  return joined(spec, parts, [], spec.name) as unknown as RawPlugin
}

/** Two values of a part as one: lists are joined, objects are put together, and of anything else there can be only one. */
function joined(one: unknown, other: unknown, path: readonly string[], plugin: string): unknown {
  if (other === undefined) return one
  if (one === undefined) return other
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other]
  if (!isSection(one) || !isSection(other))
    throw new BootError(`plugin ${plugin}: forApp gives ${path.join('.')}, which the plugin has already`)
  const both = Object.entries(other).map(([key, value]) => [
    key,
    joined(Object.hasOwn(one, key) ? one[key] : undefined, value, [...path, key], plugin),
  ])
  return { ...one, ...Object.fromEntries(both) }
}
