import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SchemaTask } from '../../../boot/start.js'
import { groups } from '../../../layout/change/change.js'
import type { SchemaWrite } from '../../../plugin/parts.js'
import { exitCodes } from '../exit-codes.js'
import { groupName } from '../group-names.js'
import type { Io } from '../io.js'
import { CommandFailure, outputOf } from './run-command.js'
import { recordWrite, unendedWrite, type WriteStep } from './write-record.js'
import { WrittenFiles } from './written-files.js'

/** Backups from before writes that are kept. */
const keptBackups = 10
/** Milliseconds for which a process that was killed may seem to change the layout, and between two looks. */
const [longestLease, retried] = [30_000, 500]

/** The server of the app, as far as a write begins and ends it. */
interface Surroundings {
  /** Called after files were changed. */
  readonly changed: () => void
  /** Starts the server; resolves to the reason for which it did not come to listen. */
  readonly serve: () => Promise<string | undefined>
}

/**
 * Writes schema files while no server runs: the database is backed up, the files are written, the database is brought up to
 * them, and the next server starts. Where one of these fails, all of it is undone.
 */
export class SchemaWriter {
  readonly #folder: string
  readonly #io: Pick<Io, 'env' | 'stderr'>
  readonly #reached: (point: WritePoint) => void

  /** `reached` is called at each point at which a process that is killed leaves something else behind. */
  constructor(folder: string, io: Pick<Io, 'env' | 'stderr'>, reached: (point: WritePoint) => void = () => undefined) {
    this.#folder = folder
    this.#io = io
    this.#reached = reached
  }

  /** Records that a write has begun. */
  begin(task: WrittenTask): SchemaWrite {
    return this.#at(task, 'begun')
  }

  /** False where it failed, so that the former server is to be started again. */
  async write(task: SchemaTask, around: Surroundings): Promise<boolean> {
    const files = new WrittenFiles(this.#folder)
    let backup: string | undefined
    try {
      backup = task.applies.length > 0 ? await this.#backUp() : undefined
      this.#at(task, 'files', backup)
      files.write(task.files, () => this.#reached('file'))
      around.changed()
      if (task.applies.length > 0) {
        this.#at(task, 'apply', backup)
        await this.#apply(task)
      }
    } catch (error) {
      const isChanged =
        backup !== undefined && error instanceof CommandFailure && error.isOf('apply') && !isWhole(task, error)
      await this.#undo(task, { reason: (error as Error).message, files, around, backup, isChanged })
      return false
    }
    this.#at(task, 'serve', backup)
    return this.#serve(task, { files, around, backup })
  }

  /**
   * Ends a write that an earlier process has left, as it was killed: it is undone, unless only the start of the next server was
   * to come. False where the former server is to be started, also as nothing was left.
   */
  async resume(around: Surroundings): Promise<boolean> {
    const left = unendedWrite(this.#folder)
    if (!left) return false
    const { at, former, by, backup, step = 'files' } = left
    const task = { at, files: former, by }
    rmSync(this.#planFile, { force: true })
    const files = WrittenFiles.left(this.#folder, former)
    if (step === 'serve') return this.#serve(task, { files, around, backup })
    const isChanged = backup !== undefined && (step === 'apply' || step === 'undo')
    await this.#undo(task, { reason: 'stele dev was ended meanwhile', files, around, backup, isChanged })
    return false
  }

  async #serve(task: WrittenTask, { files, around, backup }: Omit<Failure, 'reason' | 'isChanged'>): Promise<boolean> {
    const reason = await around.serve()
    if (reason === undefined) this.#record(task, { state: 'applied', backup })
    else await this.#undo(task, { reason, files, around, backup, isChanged: backup !== undefined })
    return reason === undefined
  }

  /** A write that is not made at all. */
  leave(task: WrittenTask, reason: string): void {
    this.#record(task, { state: 'failed', reason })
  }

  async #backUp(): Promise<string> {
    const folder = path.join(this.#folder, '.tmp/backups')
    const { file } = JSON.parse(await this.#run('backup', folder, '--keep', String(keptBackups), '--json'))
    return path.relative(this.#folder, file)
  }

  /** Makes the changes that were confirmed, and no others. */
  async #apply({ applies }: SchemaTask): Promise<void> {
    const plan = this.#planFile
    mkdirSync(path.dirname(plan), { recursive: true })
    writeFileSync(plan, JSON.stringify({ changes: applies }))
    try {
      const removes = applies.some(({ group }) => group === 'removals')
      await this.#run('apply', '--plan', plan, '--only', groupsOf(removes), '--yes', '--json')
    } finally {
      rmSync(plan, { force: true })
    }
  }

  get #planFile(): string {
    return path.join(this.#folder, '.tmp/schema-plan.json')
  }

  async #undo(task: WrittenTask, { reason, files, around, backup, isChanged }: Failure): Promise<void> {
    let told = reason
    try {
      this.#at(task, 'undo', backup)
      files.putBack()
      around.changed()
      this.#reached('put back')
      if (isChanged && backup !== undefined) await this.#restore(backup)
    } catch (error) {
      told = `${reason}\nundoing it failed as well: ${(error as Error).message}`
    }
    this.#io.stderr.write(`\nThe schema files are as they were: ${told}\n`)
    this.#record(task, { state: 'failed', reason: told, backup })
  }

  /** The layout follows from the files that are there again, and the rows from the backup. */
  async #restore(backup: string): Promise<void> {
    await this.#afterOthers('apply', '--only', groupsOf(false), '--yes', '--json')
    await this.#run('import', path.join(this.#folder, backup), '--replace', '--yes', '--json')
  }

  /** A process that was killed while it changed the layout keeps others from it for a while. */
  async #afterOthers(...args: readonly string[]): Promise<string> {
    const deadline = performance.now() + longestLease
    for (;;)
      try {
        return await this.#run(...args)
      } catch (error) {
        const isBusy = error instanceof CommandFailure && error.code === exitCodes.busy.code
        if (!isBusy || performance.now() > deadline) throw error
        await pause(retried)
      }
  }

  #run(...args: readonly string[]): Promise<string> {
    return outputOf([...args, '--app', this.#folder], this.#io.env)
  }

  /** Records a step before it is done. */
  #at(task: WrittenTask, step: WriteStep, backup?: string): SchemaWrite {
    const write = this.#record(task, { state: 'running', backup }, step)
    this.#reached(step)
    return write
  }

  #record({ at, files, by }: WrittenTask, { state, reason, backup }: Outcome, step?: WriteStep): SchemaWrite {
    const write = {
      ...{ at, state, files: files.map(file => file.path) },
      ...(reason !== undefined && { reason }),
      ...(backup !== undefined && { backup }),
    }
    recordWrite(this.#folder, { ...write, ...(step && { step }), former: files, by })
    return write
  }
}

/** A write as far as its record has it. */
type WrittenTask = Pick<SchemaTask, 'at' | 'files' | 'by'>

/** The steps, and points within them. */
export type WritePoint = WriteStep | 'file' | 'put back'

type Outcome = Pick<SchemaWrite, 'state' | 'reason'> & { readonly backup?: string | undefined }

interface Failure {
  readonly reason: string
  readonly files: WrittenFiles
  readonly around: Surroundings
  readonly backup: string | undefined
  /** The database may be another one than that of the backup. */
  readonly isChanged: boolean
}

/** True if the database is as it was although a command failed. */
const isWhole = ({ isUndone }: SchemaTask, { code }: CommandFailure): boolean =>
  isUndone || code === exitCodes.busy.code

/** Groups for `stele apply`: what another server left in its database stays. */
const groupsOf = (removes: boolean): string =>
  groups
    .filter(group => group !== 'foreign' && (removes || group !== 'removals'))
    .map(groupName)
    .join(',')
