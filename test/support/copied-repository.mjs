import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Copies what a clone would have, with changes that are not committed: no packages, and nothing built. */
export function copyRepository(to) {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const name of String(list).split('\0').filter(Boolean))
    if (fs.existsSync(path.join(root, name))) fs.cpSync(path.join(root, name), path.join(to, name))
}
