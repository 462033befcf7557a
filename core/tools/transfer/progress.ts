/** Told how far a long work is. */
export interface Progress {
  /** What is being done, and how much of it is; without a total it is not known how much there is. */
  at(what: string, done: number, total?: number): void
  /** Something that a person should know. */
  warn(sentence: string): void
}
