import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temp folder and, for a test run as root, the account that owns it: database servers refuse to be root. */
export interface Workplace {
  readonly folder: string
  readonly account: { readonly uid?: number; readonly gid?: number }
}

export function makeWorkplace(engine: string, account: string, parent = tmpdir()): Workplace {
  const folder = mkdtempSync(join(parent, `stele-${engine}-`))
  if (process.getuid?.() !== 0) return { folder, account: {} }
  const ids = idsOf(account) ?? idsOf('nobody')
  if (ids === undefined) throw new Error(`tests run as root need an account "${account}" or "nobody" for ${engine}`)
  chownSync(folder, ids.uid, ids.gid)
  return { folder, account: ids }
}

function idsOf(account: string): { uid: number; gid: number } | undefined {
  const ask = (flag: string) => Number(execFileSync('id', [flag, account], { stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: ask('-u'), gid: ask('-g') }
  } catch {
    return undefined
  }
}
