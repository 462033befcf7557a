import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temp folder and, for a test run as root, the account that owns it: database servers refuse to be root. */
export interface Workplace {
  readonly folder: string
  readonly account: { readonly uid?: number; readonly gid?: number }
}

const inMemory = '/dev/shm'
/** Bytes that all files of a run fit in. */
const enough = 2 ** 32

/**
 * The folder for temporary files of tests: in memory if there is room. Each flush to a disk takes milliseconds, and
 * creating a database of a thousand files there some ten times as long.
 */
export function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize >= enough ? inMemory : tmpdir()
  } catch {
    return tmpdir()
  }
}

export function makeWorkplace(engine: string, account: string, parent = quickFolder()): Workplace {
  const folder = mkdtempSync(join(parent, `stele-${engine}-`))
  if (process.getuid?.() !== 0) return { folder, account: {} }
  const ids = accountOf(account)
  if (ids === undefined) throw new Error(`tests run as root need an account "${account}" or "nobody" for ${engine}`)
  chownSync(folder, ids.uid, ids.gid)
  return { folder, account: ids }
}

/** The account that a server runs as in tests that root runs. */
export const accountOf = (name: string): { uid: number; gid: number } | undefined => idsOf(name) ?? idsOf('nobody')

function idsOf(account: string): { uid: number; gid: number } | undefined {
  const ask = (flag: string) => Number(execFileSync('id', [flag, account], { stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: ask('-u'), gid: ask('-g') }
  } catch {
    return undefined
  }
}
