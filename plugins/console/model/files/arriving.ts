import { type Related, refOf } from '../form/plain.js'

/** A file that is on its way into a list, or has come to it. */
export interface Arriving {
  readonly key: string
  /** Files that were chosen together keep their order. */
  readonly batch: number
  /** The file, once it is there. */
  readonly file: Related | undefined
}

/** A row of a list of files; one that arrives keeps its key and its place. */
interface ArrivingRow<A extends Arriving> {
  readonly key: string
  readonly file?: Related
  readonly arriving?: A
}

/** The files of a list, with those that are on their way among those that were chosen together with them. */
export function rowsWith<A extends Arriving>(
  files: readonly Related[],
  arriving: readonly A[],
): readonly ArrivingRow<A>[] {
  const rows: ArrivingRow<A>[] = files.map(file => {
    const one = arriving.find(({ file: arrived }) => arrived && refOf(arrived) === refOf(file))
    return one ? { key: one.key, file, arriving: one } : { key: refOf(file), file }
  })
  const placeOf = (one: A | undefined) => (one ? rows.findIndex(({ key }) => key === one.key) : -1)
  for (const [at, one] of arriving.entries()) {
    if (one.file) continue
    const isBefore = (other: A) => other.batch === one.batch && placeOf(other) >= 0
    const before = placeOf(arriving.slice(0, at).findLast(isBefore))
    const after = placeOf(arriving.slice(at + 1).find(other => placeOf(other) >= 0))
    const place = before >= 0 ? before + 1 : after >= 0 ? after : rows.length
    rows.splice(place, 0, { key: one.key, arriving: one })
  }
  return rows
}

/** The place in the list of files that one takes when it arrives. */
export function arrivalOf<A extends Arriving>(rows: readonly ArrivingRow<A>[], key: string): number {
  const at = rows.findIndex(row => row.key === key)
  return rows.slice(0, at < 0 ? undefined : at).filter(({ file }) => file).length
}
