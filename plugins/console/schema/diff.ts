import type { DiffLine } from '../model/schema.js'

/** Lines around a change that show where it is. */
const around = 3
/** Pairs of lines that are compared at most: beyond it, all of a part is shown as taken out and put in. */
const mostPairs = 4_000_000

/** The changed places of a text, each with a few lines around it. */
export function diffOf(before: string, after: string): readonly (readonly DiffLine[])[] {
  const lines = compared(linesOf(before), linesOf(after))
  const shown = new Set<number>()
  for (const [index, { sign }] of lines.entries())
    if (sign !== ' ') for (let at = index - around; at <= index + around; at += 1) shown.add(at)
  const places: DiffLine[][] = []
  for (const [index, line] of lines.entries()) {
    if (!shown.has(index)) continue
    if (index === 0 || !shown.has(index - 1) || places.length === 0) places.push([])
    places.at(-1)?.push(line)
  }
  return places
}

/** A file without a line at all has none, and the last line ends as the others do. */
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/))

function compared(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1
  const old = before.slice(start, before.length - end)
  const fresh = after.slice(start, after.length - end)
  return [
    ...before.slice(0, start).map(same),
    ...(old.length * fresh.length > mostPairs ? [...old.map(out), ...fresh.map(put)] : middle(old, fresh)),
    ...before.slice(before.length - end).map(same),
  ]
}

const same = (text: string): DiffLine => ({ sign: ' ', text })
const out = (text: string): DiffLine => ({ sign: '-', text })
const put = (text: string): DiffLine => ({ sign: '+', text })

/** The longest lists of lines that both have, by the lengths of those of their ends. */
function middle(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  const width = fresh.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = fresh.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        old[i] === fresh[j]
          ? Number(lengths[(i + 1) * width + j + 1]) + 1
          : Math.max(Number(lengths[(i + 1) * width + j]), Number(lengths[i * width + j + 1]))
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < fresh.length) {
    const [left, right] = [old[i], fresh[j]]
    if (left !== undefined && left === right) {
      lines.push(same(left))
      ;[i, j] = [i + 1, j + 1]
    } else if (
      left !== undefined &&
      (right === undefined || Number(lengths[(i + 1) * width + j]) >= Number(lengths[i * width + j + 1]))
    ) {
      lines.push(out(left))
      i += 1
    } else {
      lines.push(put(right ?? ''))
      j += 1
    }
  }
  return lines
}
