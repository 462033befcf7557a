import type { Caller, ContentType, Link } from '../../core/index.js'
import { typeFor } from '../../core/plugin-kit.js'
import { type End, endsOf, idOf, isFixed, uidOf, visited } from './parts.js'
import type { Service } from './service.js'
import { readerOf } from './showing.js'
import type { Data } from './table.js'

/** The data of an update that restores a version, and the attributes left out of it. */
export interface Restorable {
  readonly data: Data
  /** Attributes that lead to entries which do not exist any more, as far as the caller may read them. */
  readonly lost: readonly string[]
  /** Attributes that the caller may read and not write: they stay as they are. */
  readonly left: readonly string[]
}

/** A version as the data of a write that the caller may ask for. */
export async function restorable(
  { type, data }: { readonly type: ContentType; readonly data: Data },
  action: 'create' | 'update',
  caller: Caller,
  { entries, types }: Service,
): Promise<Restorable> {
  const existing = new Map<string, ReadonlySet<number>>()
  for (const [uid, ids] of endsOf(type, data)) {
    if (!types.types.has(uid)) continue
    const found = await entries(uid).find({ where: { id: { $in: [...ids] } }, fields: ['id'], limit: ids.size })
    existing.set(uid, new Set(found.map(({ id }) => Number(id))))
  }
  const [lost, left] = [new Set<string>(), new Set<string>()]
  const names = caller.fields?.(action, type.uid)
  const hidden = new Set<string>()
  const mayRead = readerOf(caller)
  const whole = typeFor(type, caller)
  const takes = (part: ContentType, name: string, path: string) => {
    if (!mayRead(part, name)) hidden.add(path)
    if (isFixed(part, name)) return action === 'create'
    const isTaken = isWritable(part, name, caller) && (part !== whole || names === undefined || names.has(name))
    // Attributes added by plugins say how an entry is served, such as its publication: they are no part of its content.
    const isAdded = action === 'update' && part.added.includes(name)
    if (!isTaken && !isAdded) left.add(path)
    return isTaken && !isAdded
  }
  const relation = (link: Link, ends: readonly End[], path: string) => {
    const there = ends.filter(end => existing.get(uidOf(link, end))?.has(idOf(end)))
    if (there.length < ends.length) lost.add(path)
    return there
  }
  const restored = visited(whole, data, { takes, relation })
  const told = (paths: ReadonlySet<string>) => [...paths].filter(path => !isBelow(path, hidden))
  return { data: restored, lost: told(lost), left: told(left) }
}

/** True if a path is one of some others, or below one. */
const isBelow = (path: string, others: ReadonlySet<string>): boolean =>
  path.split('.').some((_, index, names) => others.has(names.slice(0, index + 1).join('.')))

function isWritable({ fields, links }: ContentType, name: string, { can }: Caller): boolean {
  const link = links.get(name)
  if (!link) return fields.get(name)?.writable === true
  return (
    link.writable &&
    (link.open === true || !link.targets || link.embedded || link.targets.some(uid => can('find', uid)))
  )
}
