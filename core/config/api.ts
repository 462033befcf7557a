import { dialectFlags } from '../dialect.js'
import { merge } from './merge.js'
import type { ApiConfig, DeepPartial, RestConfig, Section } from './types.js'
import type { ReadVariable } from './variables.js'

/** What `config/api` may say. */
interface ApiFile {
  readonly rest?: Omit<DeepPartial<RestConfig>, 'public'> &
    Section & { readonly prefix?: string; readonly public?: Public }
  readonly responses?: { readonly privateAttributes?: readonly string[] }
}

type Public = boolean | '*' | readonly string[] | Readonly<Record<string, true | '*' | readonly string[]>>

export function readApi(
  value: unknown,
  overrides: DeepPartial<ApiConfig> | undefined,
  variable: ReadVariable,
): ApiConfig {
  const { rest = {}, responses } = merge(value ?? {}, asFile(overrides ?? {})) as ApiFile
  const dialect = rest.dialect ?? variable('STELE_REST_DIALECT')
  return {
    prefix: pathOf(rest.prefix ?? '/api'),
    privateAttributes: responses?.privateAttributes ?? [],
    rest: {
      defaultLimit: rest.defaultLimit ?? 25,
      ...(rest.maxLimit !== undefined && { maxLimit: rest.maxLimit === -1 ? null : rest.maxLimit }),
      withCount: rest.withCount ?? true,
      public: openTo(rest.public ?? false),
      ...(rest.format !== undefined && { format: rest.format }),
      ...(dialect && { dialect }),
      flags: Object.fromEntries(dialectFlags.filter(name => name in rest).map(name => [name, rest[name]])),
      maxParameters: rest.maxParameters ?? 1000,
      keptAnswers: rest.keptAnswers ?? 16,
      limits: { statements: 100, joins: 50, conditions: 500, entries: 50_000, ...rest.limits } as RestConfig['limits'],
    },
  }
}

function asFile({ prefix, privateAttributes, rest: { flags, ...rest } = {} }: DeepPartial<ApiConfig>): Section {
  return { rest: { ...rest, ...flags, prefix }, responses: { privateAttributes } }
}

/** "api/", "/api" and "/api/" are the same path. */
function pathOf(prefix: string): string {
  const path = prefix.replace(/^\/+|\/+$/g, '')
  return path && `/${path}`
}

function openTo(said: Public): RestConfig['public'] {
  if (said === true || said === '*') return true
  if (said === false) return []
  if (Array.isArray(said)) return said
  return Object.fromEntries(Object.entries(said).map(([name, actions]) => [name, actions === '*' ? true : actions]))
}
