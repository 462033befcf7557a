import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FileChange } from '../../../boot/start.js'
import type { ActionTaken, SchemaWrite } from '../../../plugin/parts.js'

/** The steps of a write: each is recorded before it is done. */
export type WriteStep = 'begun' | 'files' | 'apply' | 'serve' | 'undo'

/** The record of the last write of schema files, with the former texts of these. */
export interface WriteRecord extends SchemaWrite {
  /** The step that a write is at while it runs. */
  readonly step?: WriteStep
  readonly former: readonly FileChange[]
  readonly by: ActionTaken['caller']
  /** A failed write is known to those who keep a record. */
  readonly isTold?: true
}

const placeOf = (appDir: string): string => path.join(appDir, '.tmp/schema-write.json')

export function readWrite(appDir: string): SchemaWrite | undefined {
  const { former: _, step: _step, by: _by, isTold: _told, ...write } = recordIn(appDir) ?? { former: undefined }
  return 'at' in write ? write : undefined
}

export function recordWrite(appDir: string, record: WriteRecord): void {
  const place = placeOf(appDir)
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(`${place}.part`, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(`${place}.part`, place)
}

/** A write that a process has left without an end, as it was killed. */
export function unendedWrite(appDir: string): WriteRecord | undefined {
  const record = recordIn(appDir)
  return record?.state === 'running' ? record : undefined
}

/** A failed write of which no record knows yet. */
export function untoldFailure(appDir: string): WriteRecord | undefined {
  const record = recordIn(appDir)
  return record?.state === 'failed' && !record.isTold ? record : undefined
}

function recordIn(appDir: string): WriteRecord | undefined {
  try {
    return JSON.parse(readFileSync(placeOf(appDir), 'utf8')) as WriteRecord
  } catch {
    return undefined
  }
}
