import { createHash } from 'node:crypto'
import { BootError, ConflictError, type Host, type Issue, ValidationError } from '../../../core/index.js'
import { changeGroups, type FileDiff, type Plan, type PlanChange, type PlanRequest } from '../model/schema.js'
import { type Candidate, candidateIn } from './candidate.js'
import { diffOf } from './diff.js'
import { type FileTexts, filesOf } from './files.js'

/** A plan with the texts that it was made of. */
export interface PlannedFiles {
  readonly plan: Plan
  readonly files: FileTexts
  /** The candidate, and the files that another server needs beside it. */
  readonly candidate: Candidate
}

/** The plan of other schema files, as `stele plan` shows it, and how they differ from those of the app. Nothing is written. */
export async function planOf(
  host: Pick<Host, 'app' | 'schemas'>,
  { files: given, removals = false }: PlanRequest,
): Promise<PlannedFiles> {
  const files = filesOf(host)
  const schemas = candidateIn(given, files)
  const sources = new Set(host.schemas.read(schemas).map(({ source }) => source))
  for (const [path, text] of schemas)
    if (text !== null && !sources.has(path))
      throw ValidationError.of([issueOf(`${path}: no schema file of this app is read there`, [path])])
  const planned = await host.schemas.plan(schemas)
  const candidate = new Map([...schemas, ...host.schemas.beside(schemas)])
  const changes = planned.changes.map(change => ({ ...change, isMade: isMade(change, removals) }))
  const plan = {
    ...planned,
    warnings: [...planned.warnings, ...foreignWarnings(host, changes)],
    seal: sealOf(files, candidate, changes),
    loses: changes.reduce((sum, { loses, isMade }) => sum + (isMade ? loses : 0), 0),
    files: [...candidate].map(([path, text]) => fileDiff(path, text, files)),
    changes,
  }
  return { plan, files, candidate }
}

function foreignWarnings({ app }: Pick<Host, 'app'>, changes: readonly PlanChange[]): readonly string[] {
  if (app.project === 'stele' || !changes.some(({ group }) => group === 'renames')) return []
  return [
    'Strapi has no renames: on another database of this project it makes empty columns and tables of the new names',
  ]
}

/** A write makes it: tables and columns that another server left in its database stay. */
const isMade = ({ group }: Pick<PlanChange, 'group'>, removals: boolean): boolean =>
  changeGroups.some(known => known === group) && (group !== 'removals' || removals)

/** The seal of a plan: another one where a file, the candidate or a change is another. */
function sealOf(files: FileTexts, candidate: Candidate, changes: readonly PlanChange[]): string {
  const [stored, others] = [files.texts, candidate].map(texts =>
    [...texts].sort(([one], [other]) => (one < other ? -1 : 1)),
  )
  return createHash('sha256')
    .update(JSON.stringify([stored, others, changes]))
    .digest('base64url')
}

/** Files that a start would refuse are the mistake of the request that names them, or of the app: it can be read here. */
export async function refused<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof BootError ? refusal(error) : error
  }
}

function fileDiff(path: string, text: string | null, files: FileTexts): FileDiff {
  const before = files.text(path)
  const change = text === null ? 'removed' : before === undefined ? 'added' : before === text ? 'same' : 'changed'
  return { path, change, places: diffOf(before ?? '', text ?? '') }
}

/** The reasons for which a start would end, each at the file and the attribute that it names. */
function refusal(error: BootError): Error {
  if (error.kind === 'busy') return new ConflictError(error.message, 1)
  const lines = error.message.split('\n').filter(line => line.trim() !== '')
  return ValidationError.of(lines.map(line => issueOf(line, placeIn(line))))
}

const issueOf = (message: string, path: readonly string[]): Issue => ({
  ...{ path: ['files', ...path], message, name: 'ValidationError' },
})

function placeIn(line: string): string[] {
  const [, file, attribute] = /^(\S+\.json)(?::? attribute "([^"]+)")?/.exec(line) ?? []
  return [file, attribute].filter(part => part !== undefined)
}
