/** A response, as a generated client gives it. */
export interface Outcome {
  readonly status: number
  readonly body: unknown
}

/** The calls of every client; `plain.mjs` sends the same with fetch. */
export interface Calls {
  /** Filters through three relations, with fields, an order and a page. */
  filtered(): Promise<Outcome>
  /** Relations and the components of a zone, each with parameters of its own. */
  populated(): Promise<Outcome>
  created(): Promise<Outcome>
  uploaded(): Promise<Outcome>
  /** A body that is wrong. */
  refused(): Promise<Outcome>
  forbidden(): Promise<Outcome>
  missing(): Promise<Outcome>
}

/** A text as a file. */
export const note = (): File => new File(['some text'], 'note.txt', { type: 'text/plain' })
