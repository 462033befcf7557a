/** The keys of a language, made when it is first needed. */
const made = new Map<string, SortKeys>()

export function sortKeysOf(tag: string): SortKeys {
  const keys = made.get(tag) ?? new SortKeys(tag)
  made.set(tag, keys)
  return keys
}

/** A unit's place among letters, among the accents of one letter, and among the kinds of one letter with one accent. */
interface Weights {
  readonly letter: string
  readonly accent: string
  readonly kind: string
}

/**
 * Makes keys of texts that are in the order of a language when they are compared as bytes: SQLite knows no languages, and
 * JavaScript can only compare. The weight of each letter is found out once, by sorting the alphabets.
 *
 * Threads run this class from its text: it uses nothing from outside itself.
 */
export class SortKeys {
  // Nothing is static: threads run the text of this class, and the compiler names static members outside of it.
  /** Characters of a text that count: its key fits into a cursor. */
  readonly #longest = 150
  readonly #latin = [...'abcdefghijklmnopqrstuvwxyz']
  readonly #byLetter: (one: string, other: string) => number
  readonly #byAccent: (one: string, other: string) => number
  readonly #byKind: (one: string, other: string) => number
  readonly #known = new Map<string, readonly Weights[]>()
  /** Letters with which a unit of several begins. */
  readonly #starts: ReadonlySet<string>

  constructor(tag: string) {
    const compareBy = (sensitivity: Intl.CollatorOptions['sensitivity']) =>
      new Intl.Collator(tag, { sensitivity }).compare
    this.#byLetter = compareBy('base')
    this.#byAccent = compareBy('accent')
    this.#byKind = compareBy('variant')
    const compound = this.#compound()
    this.#starts = new Set(compound.map(unit => unit.charAt(0)))
    const units = [...compound, ...this.#letters(/^(ja|ko|zh)\b/.test(tag))].sort(this.#byKind)
    this.#weigh(units)
    for (const unit of units) if (unit.length === 1 && unit > '\x7f') this.#expand(unit)
  }

  of(text: string): string {
    const read = text.slice(0, this.#longest).normalize('NFC')
    let [letters, accents, kinds] = ['', '', '']
    for (let at = 0; at < read.length; ) {
      const unit = this.#unitAt(read, at)
      for (const weights of this.#known.get(unit) ?? this.#unknown(unit)) {
        letters += weights.letter
        accents += weights.accent
        kinds += weights.kind
      }
      at += unit.length
    }
    return `${letters} ${accents} ${kinds}`
  }

  /** Code points in order are bytes of UTF-8 in order; those before separate the parts of a key. */
  #sign(place: number): string {
    return String.fromCodePoint(place + (place < 0xd7de ? 0x22 : 0x822))
  }

  /** Two or three letters that count as one of their own, such as the Czech ch. */
  #compound(): string[] {
    const pairs = this.#latin.flatMap(start => this.#joinedTo(start))
    return [...pairs, ...pairs.flatMap(pair => this.#joinedTo(pair))].flatMap(unit => {
      const written = [unit, unit.charAt(0).toUpperCase() + unit.slice(1), unit.toUpperCase()]
      return written.filter(one => this.#byLetter(one, unit) === 0)
    })
  }

  /** Their place is behind all that begins with the first of them, or before that. */
  #joinedTo(start: string): string[] {
    return this.#latin
      .map(end => start + end)
      .filter(unit => this.#byLetter(unit, `${start}ʒʒ`) > 0 || this.#byLetter(unit, start) < 0)
  }

  /** The alphabets that are sorted: other characters follow by their code points. */
  *#letters(isEastern: boolean): Generator<string> {
    const ranges = [
      ...['\u0020-\u024f', '\u0370-\u0587', '\u05d0-\u05ea', '\u0620-\u06d3', '\u0900-\u097f', '\u0e01-\u0e4e'],
      ...['\u10a0-\u10ff', '\u1e00-\u1fff', '\u2000-\u206f', '\u20a0-\u20bf', '\u3041-\u30ff'],
      ...(isEastern ? ['\u4e00-\u9fff'] : []),
    ]
    for (const range of ranges)
      for (let code = range.charCodeAt(0); code <= range.charCodeAt(2); code += 1) {
        const unit = String.fromCharCode(code)
        const isLetter = unit.normalize('NFC') === unit && /[^\p{M}\p{C}]/u.test(unit)
        if (isLetter && this.#byLetter(unit, '') !== 0) yield unit
      }
  }

  #weigh(units: readonly string[]): void {
    let [letter, accent, kind] = [0, 0, 0]
    let former = ''
    for (const unit of units) {
      if (this.#byLetter(former, unit) !== 0) [letter, accent, kind] = [letter + 1, 0, 0]
      else if (this.#byAccent(former, unit) !== 0) [accent, kind] = [accent + 1, 0]
      else if (this.#byKind(former, unit) !== 0) kind += 1
      this.#known.set(unit, [{ letter: this.#sign(letter), accent: this.#sign(accent), kind: this.#sign(kind) }])
      former = unit
    }
  }

  /** One letter that counts as two, such as the German ß. */
  #expand(unit: string): void {
    const first = this.#latin.findLast(one => this.#byLetter(one, unit) < 0)
    const second = first && this.#latin.find(one => this.#byLetter(first + one, unit) === 0)
    const [[one], [other]] = [this.#known.get(first ?? '') ?? [], this.#known.get(second ?? '') ?? []]
    if (!one || !other) return
    const isAccent = this.#byAccent(unit, `${first}${second}`) !== 0
    const kind = this.#sign(unit === unit.toLowerCase() ? 1 : 2)
    this.#known.set(unit, [{ letter: one.letter, accent: this.#sign(isAccent ? 60 : 0), kind }, other])
  }

  /** Letters of no alphabet follow all others; an accent that belongs to no letter is one all the same. */
  #unknown(unit: string): readonly Weights[] {
    const isLetter = this.#byLetter(unit, '') !== 0
    const code = unit.codePointAt(0) as number
    const letter = isLetter ? String.fromCodePoint(code > 0xffff ? code : 0xf0000 + code) : ''
    if (!isLetter && !/\p{M}/u.test(unit)) return []
    return [{ letter, accent: this.#sign(isLetter ? 0 : 200), kind: isLetter ? this.#sign(0) : '' }]
  }

  /** The longest unit that begins here. */
  #unitAt(text: string, at: number): string {
    if (this.#starts.has(text.charAt(at)))
      for (const length of [3, 2]) if (this.#known.has(text.slice(at, at + length))) return text.slice(at, at + length)
    return String.fromCodePoint(text.codePointAt(at) as number)
  }
}
