/** Notes by which the processes that serve an app together tell each other how they are doing. */
export interface Board {
  /** The number of this process, from 1. */
  readonly number: number
  /** Replaces the note of this process; values of JSON. Nothing waits for it. */
  post(note: unknown): void
  /** The latest note of every process, by its number; also of one that has ended, until its successor posts. */
  read(): Promise<ReadonlyMap<number, unknown>>
}

/** The boards of all plugins: each sees its own notes. */
export type Boards = (plugin: string) => Board

/** The board of a plugin in a process that serves alone. */
export function ownBoard(): Board {
  const notes = new Map<number, unknown>()
  return { number: 1, post: note => void notes.set(1, note), read: async () => notes }
}
