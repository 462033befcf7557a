import { type ContentType, type Filters, late, now } from '../../../core/index.js'
import { conditionOf } from '../../../core/plugin-kit.js'
import type { UserCaller } from '../callers.js'

const prefix = '$caller.'

/**
 * A row rule as it is written in `config/permissions`: filters in which `$caller.<field>` stands for the value of the
 * caller's account, and `$now` for the time of the request. Throws a sentence about the first error.
 */
export function readRule(written: Filters, type: ContentType, account: ContentType): Filters {
  const rule = withVariables(written, account) as Filters
  try {
    conditionOf(type, rule)
  } catch (error) {
    throw (error as Error).message
  }
  return rule
}

/** The value with variables for the caller and the time in place of their names. */
export function withVariables(value: unknown, account: ContentType): unknown {
  if (value === '$now') return now()
  if (typeof value === 'string' && value.startsWith('$caller')) return variable(value, account)
  if (Array.isArray(value)) return value.map(item => withVariables(item, account))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withVariables(inner, account)]))
}

function variable(written: string, account: ContentType): unknown {
  const name = written.slice(prefix.length)
  const names = ['id', ...[...account.fields.values()].filter(({ readable }) => readable).map(field => field.name)]
  if (!written.startsWith(prefix) || !names.includes(name))
    throw `"${written}" is not a variable; there are ${names.map(known => prefix + known).join(', ')}`
  // A visitor has no account: null equals nothing, so that such a rule lets nothing through.
  return late<UserCaller>(({ user }) => user?.[name] ?? null)
}
