import { isSection } from '../config/merge.js'
import { BootError } from '../errors.js'
import { arrangedAgain, type EnabledPlugin, type RawPlugin } from './arrange.js'
import type { FoundApp } from './parts.js'
import { starting } from './services.js'

/** The parts that a plugin has in any app: nothing of them follows from the one that it is in. */
const always: readonly string[] = ['name', 'describe', 'uses', 'config', 'standardIn', 'forApp']

/** Asks the plugins which parts they have in one app beside those that they have in any; nothing of it is opened. */
export async function withPartsForApp(
  plugins: readonly EnabledPlugin[],
  found: Omit<FoundApp, 'config'>,
): Promise<readonly EnabledPlugin[]> {
  if (plugins.every(({ spec }) => spec.forApp === undefined)) return plugins
  const more: EnabledPlugin[] = []
  for (const { spec, config } of plugins) {
    const log = found.log.child({ plugin: spec.name })
    const parts = await starting(spec, () => spec.forApp?.({ ...found, config, log }))
    more.push(parts === undefined ? { spec, config } : { spec: withParts(spec, parts), config })
  }
  return arrangedAgain(more)
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
