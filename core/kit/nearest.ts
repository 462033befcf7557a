/** The known name that a misspelt one most likely meant, if any is close enough. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map(candidate => ({ candidate, steps: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.steps - b.steps)
  return best && best.steps <= Math.max(1, Math.floor(name.length / 3)) ? best.candidate : undefined
}

/** The number of letters to add, drop, change or swap with the next to make one word of the other. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const change = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(Math.min(change, at(i - 1, j) + 1, at(i, j - 1) + 1, swapped ? at(i - 2, j - 2) + 1 : change))
    }
  }
  return at(a.length, b.length)
}
