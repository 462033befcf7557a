import { realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { installing } from '../../../core/plugin-kit.js'
import type { Failure } from '../types.js'

/** The reason for which the code of a project cannot be loaded or run: the file and the line, and what to do. */
export function failureOf(appDir: string, file: string, thrown: unknown): Failure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const place = ownPlace(appDir, error)
  const at = relativeTo(appDir, place?.file ?? file)
  const line = place?.line === undefined ? '' : `, line ${place.line}`
  const asked = relativeTo(appDir, file)
  const from = at === asked ? '' : ` (loaded by ${asked})`
  return { file: at, asked, says: `${at}${line}: ${reasonOf(appDir, error)}${from}` }
}

const relativeTo = (appDir: string, file: string): string => {
  const place = path.relative(real(appDir), real(file))
  return place.startsWith('..') ? file : place
}

function real(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

/** A line of a file. */
export interface Place {
  readonly file: string
  readonly line?: number
}

/** The first line of the project's own files in a stack. A mistake of the syntax stands before the stack. */
function ownPlace(appDir: string, error: Error): Place | undefined {
  const folders = [appDir, real(appDir)]
  const isOwn = (file: string) =>
    folders.some(folder => file.startsWith(folder + path.sep)) && !file.includes(`${path.sep}node_modules${path.sep}`)
  for (const line of (error.stack ?? '').split('\n')) {
    const [, text, number] =
      /(?:^|\(|at (?:async )?)((?:file:\/\/)?\/[^:()\n]+|[A-Za-z]:\\[^:()\n]+):(\d+)(?::\d+)?\)?$/.exec(line.trim()) ??
      []
    if (text === undefined) continue
    const file = text.startsWith('file://') ? fileURLToPath(text) : text
    if (isOwn(file)) return { file, line: Number(number) }
  }
  const [asking] = (error as { requireStack?: readonly string[] }).requireStack ?? []
  return asking !== undefined && isOwn(asking) ? { file: asking } : undefined
}

/** The file and the line of the project's own that an error comes from; the file as seen from the project. */
export function placeIn(appDir: string, error: Error): Place | undefined {
  const place = ownPlace(appDir, error)
  return place && { ...place, file: relativeTo(appDir, place.file) }
}

function reasonOf(appDir: string, error: Error): string {
  const first = error.message.split('\n', 1)[0] ?? ''
  const [, wanted] = /^Cannot find (?:module|package) '([^']+)'/.exec(first) ?? []
  if (wanted === undefined) return first === '' ? error.name : first
  const [name] = /^(?:@[^/]+\/[^/]+|[^@./\\:][^/:]*)(?=\/|$)/.exec(wanted) ?? []
  return name === undefined ? `there is no file ${wanted}` : missingPackage(appDir, name)
}

/** The sentence about a package that the code asks for. */
export const missingPackage = (appDir: string, name: string): string =>
  `the package "${name}" is not installed; ${installing(name, appDir)}`
