import type { FileHandle } from 'node:fs/promises'

/** Closes a file of which nothing is needed any more; whoever waited for that would wait for a whole turn of a busy server. */
export function closed(handle: FileHandle): void {
  handle.close().catch(() => undefined)
}
