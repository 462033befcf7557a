import { isSame } from '../form/plain.js'
import type { FieldLayout, Layout, LayoutSettings } from '../meta.js'

/** The parts of a layout that differ from those that are stored, as `PUT /console/layouts/<uid>` takes them. */
export interface LayoutChange {
  readonly settings?: Partial<LayoutSettings>
  readonly list?: Layout['list']
  readonly edit?: Layout['edit']
  readonly fields?: Readonly<Record<string, Partial<FieldLayout>>>
}

/** The change from one layout to another; undefined where there is none. */
export function layoutChange(before: Layout, now: Layout): LayoutChange | undefined {
  const settings = differing(before.settings, now.settings)
  const fields = Object.entries(now.fields).flatMap(([name, field]) => {
    const changed = differing(before.fields[name] ?? {}, field)
    return changed ? [[name, changed] as const] : []
  })
  const change = {
    ...(settings && { settings }),
    ...(!isSame(before.list, now.list) && { list: now.list }),
    ...(!isSame(before.edit, now.edit) && { edit: now.edit }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
  }
  return Object.keys(change).length > 0 ? change : undefined
}

function differing<T extends object>(before: Partial<T>, now: T): Partial<T> | undefined {
  const changed = Object.entries(now).filter(([name, value]) => !isSame(before[name as keyof T], value))
  return changed.length > 0 ? (Object.fromEntries(changed) as Partial<T>) : undefined
}

/** A list with one of its names at another place. */
export const movedName = (names: readonly string[], from: number, to: number): readonly string[] => {
  const moved = names[from]
  return moved === undefined ? names : names.toSpliced(from, 1).toSpliced(to, 0, moved)
}
