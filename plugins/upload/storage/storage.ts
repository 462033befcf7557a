/** A finished file on its way into storage. */
export interface StoredFile {
  readonly path: string
  readonly mime: string
}

/** A place that keeps files under keys. */
export interface Storage {
  /** Readers need more than the address of a file. */
  readonly isPrivate?: boolean
  /** Keeps a file that may be moved away, in place of what the key held; gives its address. */
  put(key: string, file: StoredFile): Promise<string>
  /** What a key holds; undefined where it holds nothing. */
  get(key: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** What changes with the content of a key; undefined where it holds nothing. */
  version(key: string): Promise<string | undefined>
  /** A key that holds nothing is no error. */
  remove(key: string): Promise<void>
}
