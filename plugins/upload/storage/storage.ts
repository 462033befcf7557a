/** A finished file on its way into storage. */
export interface StoredFile {
  readonly path: string
  readonly mime: string
}

/** A place that keeps files under keys. */
export interface Storage {
  /** Readers need more than the address of a file. */
  readonly isPrivate?: boolean
  /** Stores a file that may be moved away, in place of the key's former content; returns its address. */
  put(key: string, file: StoredFile): Promise<string>
  /** The content of a key; undefined if there is none. */
  get(key: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** A version that changes with the content of a key; undefined if there is none. */
  version(key: string): Promise<string | undefined>
  /** A key that holds nothing is no error. */
  remove(key: string): Promise<void>
}
