import type { Field } from '../../schema/types.js'
import { folded, longestWord, type SearchTerm, wordsIn } from './terms.js'

/** The words that are marked in the texts of a page. */
export interface Marks {
  readonly fields: readonly Field[]
  /** Fields that are read for marking only; the response does not include them. */
  readonly unshown: readonly string[]
  readonly highlighter: Highlighter
}

/**
 * A text in parts: those at even places are as they are, and those at odd ones are words that were looked for. No part is markup,
 * so that a page which shows them cannot be made to run anything.
 */
export type Highlight = readonly string[]

/** Characters of a text that are looked at, which is as many as engines index. */
const longest = 100_000
/** Characters of a longer text that are shown, and those of them that its words may be apart. */
const shown = 240
const apart = 200
/** Characters in which the end of a word is looked for, so that none is cut. */
const near = 30

/** A word of a text that was looked for. */
interface Mark {
  readonly start: number
  readonly end: number
  readonly word: string
}

/** Finds words in texts as the indexes of all engines do: letter case and accents do not count. */
export class Highlighter {
  readonly #root: Step = { next: new Map(), length: 0, depth: 0 }
  readonly #beginnings = new Set<string>()
  readonly #lengths: readonly number[]

  /** Skips excluded words: no text that was found contains them. */
  constructor(terms: readonly SearchTerm[]) {
    for (const { words, isPrefix, isExcluded } of terms) {
      if (isExcluded) continue
      const bare = words.map(folded)
      if (isPrefix) this.#beginnings.add(bare[0] as string)
      else this.#add(bare)
    }
    this.#lengths = [...new Set([...this.#beginnings].map(({ length }) => length))]
    this.#link()
  }

  /** The text with the words that were looked for, in parts; undefined if it has none of them. */
  mark(text: string): Highlight | undefined {
    const looked = text.length > longest ? text.slice(0, longest) : text
    const marks = this.#marks(looked)
    if (marks.length === 0) return undefined
    if (text.length <= shown) return parts(text, { start: 0, end: text.length }, marks)
    return parts(text, around(looked, bestOf(marks)), marks)
  }

  /** Each word is looked at once, however many phrases it may be a part of. */
  #marks(text: string): Mark[] {
    const found: Mark[] = []
    /** The number of words in the longest term that ends at each word. */
    const lengths: number[] = []
    let step = this.#root
    for (const { 0: sent, index } of wordsIn(text)) {
      const word = sent.length > longestWord ? '' : folded(sent)
      while (step.back && !step.next.has(word)) step = step.back
      step = step.next.get(word) ?? this.#root
      found.push({ start: index, end: index + sent.length, word })
      lengths.push(step.length || Number(this.#begins(word)))
    }
    const marks: Mark[] = []
    for (let at = found.length - 1, length = 0; at >= 0; at -= 1) {
      length = Math.max(length - 1, lengths[at] as number)
      if (length > 0) marks.push(found[at] as Mark)
    }
    return marks.reverse()
  }

  #begins(word: string): boolean {
    return this.#lengths.some(length => word.length >= length && this.#beginnings.has(word.slice(0, length)))
  }

  #add(words: readonly string[]): void {
    let step = this.#root
    for (const word of words) {
      const next = step.next.get(word) ?? { next: new Map(), length: 0, depth: step.depth + 1 }
      step.next.set(word, next)
      step = next
    }
    step.length = step.depth
  }

  /** Links each step to the one that continues after a mismatch: the longest suffix that begins a phrase (Aho-Corasick). */
  #link(): void {
    const steps: Step[] = [this.#root]
    // The list grows while it is gone through.
    for (const step of steps)
      for (const [word, next] of step.next) {
        let back = step.back
        while (back && !back.next.has(word)) back = back.back
        next.back = back?.next.get(word) ?? this.#root
        if (next.length === 0) next.length = next.back.length
        steps.push(next)
      }
  }
}

/** The words of phrases so far. */
interface Step {
  readonly next: Map<string, Step>
  readonly depth: number
  back?: Step
  /** Words of the longest phrase that ends here. */
  length: number
}

interface Range {
  readonly start: number
  readonly end: number
}

/** The range with the most different words, and the first of several such. */
function bestOf(marks: readonly Mark[]): Range {
  const counts = new Map<string, number>()
  let best = { start: 0, end: 0, words: 0 }
  let from = 0
  for (const { word, end } of marks) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
    for (let first = marks[from] as Mark; end - first.start > apart && first.end < end; first = marks[from] as Mark) {
      const left = (counts.get(first.word) as number) - 1
      if (left === 0) counts.delete(first.word)
      else counts.set(first.word, left)
      from += 1
    }
    if (counts.size > best.words) best = { start: (marks[from] as Mark).start, end, words: counts.size }
  }
  return best
}

/** The part of a long text that is shown: the range, and as much text before it as behind it. */
function around(text: string, { start, end }: Range): Range {
  const room = Math.max(0, shown - (end - start))
  const from = Math.max(0, Math.min(start - Math.floor(room / 2), text.length - shown))
  const to = Math.min(text.length, Math.max(end, from + shown))
  return { start: from === 0 ? 0 : begin(text, from, start), end: to === text.length ? to : finish(text, to, end) }
}

/** The beginning of a word at or behind a place, if there is one near. */
function begin(text: string, from: number, limit: number): number {
  const space = text.slice(from, Math.min(limit, from + near)).search(/\s/)
  return space === -1 ? whole(text, from) : from + space + 1
}

/** The end of a word at or before a place, if there is one near. */
function finish(text: string, to: number, limit: number): number {
  for (let at = to; at >= Math.max(limit, to - near); at -= 1) if (/\s/.test(text.charAt(at))) return at
  return whole(text, to)
}

/** A place that does not stand within a character. */
const whole = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at)

const omission = '…'

function parts(text: string, { start, end }: Range, marks: readonly Mark[]): Highlight {
  const list: string[] = []
  let at = start
  for (const mark of marks) {
    if (mark.start < start || mark.end > end) continue
    list.push(text.slice(at, mark.start), text.slice(mark.start, mark.end))
    at = mark.end
  }
  list.push(text.slice(at, end))
  const last = list.length - 1
  if (start > 0) list[0] = `${omission} ${list[0]}`
  if (end < text.length) list[last] = `${list[last]} ${omission}`
  return list
}
