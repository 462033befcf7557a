import { merge, type Section } from './merge.js'
import type { PluginSwitch } from './types.js'

/** `name: true | false | { enabled, resolve, config }`; an object that does not say is enabled. */
export function readPlugins(value: unknown, overrides: unknown): Readonly<Record<string, PluginSwitch>> {
  const over = Object.entries((overrides ?? {}) as Record<string, boolean | Section>)
  const switched = over.map(([name, said]) => [name, typeof said === 'boolean' ? { enabled: said } : said])
  return switches(merge(switches(value), Object.fromEntries(switched)))
}

function switches(value: unknown): Readonly<Record<string, PluginSwitch>> {
  const entries = Object.entries((value ?? {}) as Record<string, boolean | Section>)
  return Object.fromEntries(entries.map(([name, said]) => [name, switchOf(said)]))
}

function switchOf(said: boolean | Section): PluginSwitch {
  if (typeof said === 'boolean') return { enabled: said, config: {} }
  return { enabled: true, config: {}, ...said }
}
