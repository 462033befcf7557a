import { dialectFlags } from '../dialect.js'
import { isSection, merge, type Section } from './merge.js'
import { readRows, type Surroundings } from './setting.js'
import { api } from './settings.js'
import type { ApiConfig } from './types.js'

export function readApi(value: unknown, overrides: unknown, around: Surroundings): ApiConfig {
  const said = (merge(value, overrides) ?? {}) as { readonly rest?: Section }
  const { rest, responses } = readRows(api, said, around)
  const { prefix, ...others } = rest
  const set = isSection(said.rest) ? said.rest : {}
  const flags = Object.fromEntries(dialectFlags.filter(name => name in set).map(name => [name, set[name]]))
  return { prefix, ...responses, rest: { ...others, flags } }
}
