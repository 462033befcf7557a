import type { FileHandle } from 'node:fs/promises'

/** Closes a file from which, or to which, all has gone through: a request that has to wait for it waits a whole turn of a busy server. */
export function closed(handle: FileHandle): void {
  handle.close().catch(() => undefined)
}
