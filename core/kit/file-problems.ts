/** Reads values that a file declares, and collects everything that is wrong with them: a sentence each, with its place. */
export class FileProblems {
  readonly #file: string
  readonly #found: string[] = []

  constructor(file: string) {
    this.#file = file
  }

  get found(): readonly string[] {
    return this.#found
  }

  add(at: string, reason: string): void {
    const sentence = `${this.#file}: ${at} ${reason}`
    if (!this.#found.includes(sentence)) this.#found.push(sentence)
  }

  /** An object; an empty one where the value is none. */
  object(value: unknown, at: string, accepted: string): Readonly<Record<string, unknown>> {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
    this.add(at, `is ${Array.isArray(value) ? 'a list' : JSON.stringify(value)}; expected ${accepted}`)
    return {}
  }

  /** A text, or nothing. */
  text(value: unknown, at: string): string | undefined {
    if (value === undefined || typeof value === 'string') return value
    this.add(at, 'is text')
    return undefined
  }
}
