import type { Loose } from '../types.js'
import { isPlain } from './where.js'

/** One entry that a link is to lead to. */
export interface Target {
  readonly id: number
  /** Of a link to any type. */
  readonly type?: string
  /** Constants of the row of the link. */
  readonly pivot?: Readonly<Record<string, unknown>>
  readonly position?: Position
}

export interface Position {
  readonly before?: Loose
  readonly after?: Loose
  readonly start?: boolean
  readonly end?: boolean
}

/** A change that a write makes to a link. */
export type Change =
  | { readonly kind: 'set'; readonly targets: readonly Target[] }
  | { readonly kind: 'partial'; readonly connect: readonly Target[]; readonly disconnect: readonly Target[] }

/** `1`, `[1, { id: 2 }]`, `null`, `{ connect, disconnect }`, `{ set }` */
export function readChange(value: Loose): Change {
  if (isPlain(value) && ('set' in value || 'connect' in value || 'disconnect' in value)) {
    const { set, connect, disconnect } = value
    if (set !== undefined && set !== null) return { kind: 'set', targets: targetsOf(set) }
    if (set === null) return { kind: 'set', targets: [] }
    return { kind: 'partial', connect: targetsOf(connect), disconnect: targetsOf(disconnect) }
  }
  return { kind: 'set', targets: targetsOf(value) }
}

/** An object without an id leads nowhere. */
function targetsOf(value: Loose): Target[] {
  if (value === undefined || value === null) return []
  return [value].flat().flatMap((one: Loose): Target[] => {
    const isObject = typeof one === 'object' && one !== null
    const raw = isObject ? one.id : one
    if (raw === undefined || raw === null) return []
    const id = Number(raw)
    if (!Number.isFinite(id)) throw new Error(`Invalid relation: ${JSON.stringify(one)} is not an id`)
    if (!isObject) return [{ id }]
    const { __type, __component, __pivot, position } = one
    const pivot = { ...(isPlain(__pivot) ? __pivot : {}) }
    const type = __type ?? __component ?? pivot.component_type
    return [
      {
        id,
        ...(typeof type === 'string' && { type }),
        ...(Object.keys(pivot).length > 0 && { pivot }),
        ...(isPlain(position) && { position }),
      },
    ]
  })
}

/** The list after a change, in its order: each entry stands in it once. */
export function listAfter(current: readonly Target[], change: Change): readonly Target[] {
  if (change.kind === 'set') return unique(change.targets)
  const isGone = (target: Target) => change.disconnect.some(other => isSame(other, target))
  const list = current.filter(target => !isGone(target))
  for (const target of change.connect) {
    // A link that is there already is connected again, in its new place.
    const known = list.findIndex(other => isSame(other, target))
    if (known >= 0) list.splice(known, 1)
    list.splice(placeOf(list, target.position), 0, target)
  }
  return list
}

function placeOf(list: readonly Target[], position: Position | undefined): number {
  if (position?.start) return 0
  const named = position?.before ?? position?.after
  const at = named === undefined ? -1 : list.findIndex(({ id }) => id === Number(named?.id ?? named))
  if (at < 0) return list.length
  return position?.before === undefined ? at + 1 : at
}

export const isSame = (one: Target, other: Target): boolean =>
  one.id === other.id && (one.type === undefined || other.type === undefined || one.type === other.type)

function unique(targets: readonly Target[]): readonly Target[] {
  const list: Target[] = []
  for (const target of targets) if (!list.some(other => isSame(other, target))) list.push(target)
  return list
}
