import type { Query } from './query-text.js'

/** The state of a filter builder: conditions, and groups of them. */
export interface GroupState {
  readonly kind: 'group'
  readonly join: '$and' | '$or'
  readonly not: boolean
  readonly rows: readonly FilterState[]
}

export type FilterState = GroupState | ConditionState

export interface ConditionState {
  readonly kind: 'condition'
  /** Names of links, and of the field at their end. */
  readonly path: readonly string[]
  readonly operator: string
  /** As typed; two for an operator that takes two, any number for one that takes a list. */
  readonly values: readonly string[]
}

export const emptyGroup: GroupState = { kind: 'group', join: '$and', not: false, rows: [] }

/** The filters of a group; undefined where nothing in it is complete. */
export function groupQuery(
  group: GroupState,
  conditionQuery: (condition: ConditionState) => Query | undefined,
): Query | undefined {
  const parts = group.rows.flatMap((row): Query[] => {
    const part = row.kind === 'group' ? groupQuery(row, conditionQuery) : conditionQuery(row)
    return part ? [part] : []
  })
  if (parts.length === 0) return undefined
  const joined =
    parts.length === 1
      ? (parts[0] as Query)
      : group.join === '$or'
        ? { $or: parts }
        : (merged(parts) ?? { $and: parts })
  return group.not ? { $not: joined } : joined
}

/** Merges conditions on different attributes into one object; conditions that share a name stay apart. */
function merged(parts: readonly Query[]): Query | undefined {
  const names = parts.flatMap(part => Object.keys(part))
  return new Set(names).size === names.length ? Object.assign({}, ...parts) : undefined
}

/** The condition on what stands at the end of a path. */
export const atPath = (path: readonly string[], condition: Query): Query =>
  path.reduceRight<Query>((inner, name) => ({ [name]: inner }), condition)
