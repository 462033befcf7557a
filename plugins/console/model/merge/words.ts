/** A part of two texts: in both, in the former one alone, or in the later one alone. */
interface TextPart {
  readonly text: string
  readonly side: 'both' | 'former' | 'later'
}

/** A comparison of more words than this is shown as one difference. */
const mostPairs = 4_000_000

/** The words in which two texts differ, spaces and signs between them included. */
export function differentWords(former: string, later: string): readonly TextPart[] {
  const [one, other] = [wordsOf(former), wordsOf(later)]
  let start = 0
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1
  let end = 0
  const left = Math.min(one.length, other.length) - start
  while (end < left && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1
  const middle = compared(one.slice(start, one.length - end), other.slice(start, other.length - end))
  const both = (words: readonly string[]): TextPart => ({ text: words.join(''), side: 'both' })
  return joined([both(one.slice(0, start)), ...middle, both(one.slice(one.length - end))])
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []

/** By the longest sequence that both have. */
function compared(one: readonly string[], other: readonly string[]): readonly TextPart[] {
  if (one.length * other.length > mostPairs)
    return [
      { text: one.join(''), side: 'former' },
      { text: other.join(''), side: 'later' },
    ]
  const width = other.length + 1
  // The length of what both have behind these two places.
  const lengths = new Uint32Array((one.length + 1) * width)
  const lengthAt = (at: number, to: number) => lengths[at * width + to] ?? 0
  for (let at = one.length - 1; at >= 0; at -= 1)
    for (let to = other.length - 1; to >= 0; to -= 1)
      lengths[at * width + to] =
        one[at] === other[to] ? lengthAt(at + 1, to + 1) + 1 : Math.max(lengthAt(at + 1, to), lengthAt(at, to + 1))
  const parts: TextPart[] = []
  let [at, to] = [0, 0]
  while (at < one.length || to < other.length) {
    const [former, later] = [one[at], other[to]]
    if (former !== undefined && former === later) {
      parts.push({ text: former, side: 'both' })
      at += 1
      to += 1
    } else if (later === undefined || (former !== undefined && lengthAt(at + 1, to) >= lengthAt(at, to + 1))) {
      parts.push({ text: former as string, side: 'former' })
      at += 1
    } else {
      parts.push({ text: later, side: 'later' })
      to += 1
    }
  }
  return parts
}

/** Neighbours become one part. A space between two differences belongs to them: alone it says nothing. */
function joined(parts: readonly TextPart[]): readonly TextPart[] {
  const result: TextPart[] = []
  const pending = { both: '', former: '', later: '' }
  const settle = (...sides: readonly TextPart['side'][]) => {
    for (const side of sides) {
      if (pending[side] !== '') result.push({ text: pending[side], side })
      pending[side] = ''
    }
  }
  for (const [index, { text, side }] of parts.entries()) {
    const isChanged = pending.former !== '' || pending.later !== ''
    const next = parts[index + 1]?.side ?? 'both'
    if (side !== 'both') settle('both')
    else if (text.trim() !== '' || !isChanged || next === 'both') settle('former', 'later')
    else {
      pending.former += text
      pending.later += text
      continue
    }
    pending[side] += text
  }
  settle('former', 'later', 'both')
  return result
}
