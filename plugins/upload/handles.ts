import type { FileHandle } from 'node:fs/promises'

/** Closes a file of which nothing is needed any more; waiting for that would take a whole event-loop turn of a busy server. */
export function closed(handle: FileHandle): void {
  handle.close().catch(() => undefined)
}
