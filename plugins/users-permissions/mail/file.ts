import { appendFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Post } from './index.js'

/** Writes a line of JSON for each mail, for tests and for looking at them. Only the owner may read the file: it holds codes. */
export function mailFile(name: string, appDir: string): Post {
  const place = path.resolve(appDir, name)
  return {
    async deliver(letter) {
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
      await appendFile(place, `${JSON.stringify(letter)}\n`, { mode: 0o600 })
    },
  }
}
