import { knownSteps } from '../../../boot/run-once.js'
import type { BootOptions } from '../../../boot/start.js'
import { BootError } from '../../../errors.js'
import { counted } from '../../../kit/counted.js'
import { ownVersion } from '../../../kit/own-folder.js'
import type { Group } from '../../../layout/change/change.js'
import { newerDatabase, readChangedBy } from '../../../layout/changed-by.js'
import { isUpToDate } from '../../../layout/deferred-setup.js'
import { compare } from '../../../layout/sync.js'
import { jobsIn } from '../../../plugin/declared.js'
import type { Finding } from '../../../plugin/parts.js'
import { checksOf } from '../../../plugin/running.js'
import { failingJobs } from '../../../services/jobs/failing.js'
import type { CheckInput, CoreCheck } from '../../checks/check.js'
import { coreChecks } from '../../checks/index.js'
import { ImportRecord } from '../../transfer/record.js'
import { findApp, openApp } from '../app.js'
import { withDatabase } from '../changes/database.js'
import type { Io } from '../io.js'
import { progressOn, type ShownProgress } from '../progress.js'
import { proveBackup } from './backup.js'
import { type DoctorFinding, type DoctorOptions, showFindings } from './findings.js'
import { foreignParts } from './foreign.js'

/** `stele doctor`: checks a database and a project, reports problems with their remedies, and fixes those that are safe to fix. */
export async function doctor(options: DoctorOptions, io: Io): Promise<number> {
  if (options.backup !== undefined) return proveBackup(options.backup, options, io)
  const visit = new Visit(options.fix === true, io)
  try {
    await examine(options, visit)
  } finally {
    visit.progress.end()
  }
  showFindings(visit.findings, visit.checks, { ...options, io })
  return visit.findings.some(({ severity, fixed }) => severity === 'error' && !fixed) ? 1 : 0
}

async function examine(options: DoctorOptions, visit: Visit): Promise<void> {
  const app = await visit.may('app', 'fix this first: the app does not start', async () => {
    const found = await findApp(options, visit.io, visit.fixes ? 'command' : 'look', 'error')
    await openApp(found, 'outline')
    return found
  })
  if (!app) return
  const isWhole = await visit.may('database', 'fix this first: the database was not looked at', () =>
    withDatabase(options, visit.io, visit.fixes ? 'change' : 'look', async database => {
      const { found, engine, outline } = database
      const changedBy = await readChangedBy(engine)
      const newer = newerDatabase(changedBy, knownSteps(outline.plugins))
      if (newer !== undefined) {
        visit.add('version', newer, 'fix this first: nothing else was checked')
        return undefined
      }
      await visit.make('version', 'no version changed the database that this one cannot follow', report => {
        if (changedBy.version === undefined || changedBy.version === ownVersion()) return
        report({
          severity: 'note',
          says: `stele ${changedBy.version} changed the database last, and this is ${ownVersion()}`,
          advice: 'nothing has to be done: this version knows every step that older ones may not follow',
        })
      })
      const former = await ImportRecord.find(engine)
      if (former) {
        visit.add('import', former.explanation, 'fix this first: half of the content was not checked')
        return undefined
      }
      const sides = await database.compare()
      const looked = { config: found.config, registry: sides.registry, sides, plan: await database.plan() }
      for (const check of coreChecks) await visit.make(check.name, check.describe, ask(check, looked))
      return isComplete(looked, visit.fixes)
    }),
  )
  if (isWhole) await askPlugins(app, visit)
  else if (isWhole === false)
    visit.findings.push({
      check: 'plugins',
      severity: 'note',
      says: 'plugin checks skipped: the database lacks their tables',
      advice: 'make it complete with `stele apply`, and ask again',
      fixed: false,
    })
}

/** True if plugins can start: all additions are made or will be (`adds`), and nothing is left to `stele apply`. */
function isComplete({ plan, sides: { engine, wanted, found } }: CheckInput, adds: boolean): boolean {
  if (plan.changes.some(({ group }) => refused.includes(group))) return false
  return adds || isUpToDate(compare(engine, wanted, found))
}

/** Changes without which the start refuses. */
const refused: readonly Group[] = ['renames', 'links', 'withheld']

const ask =
  (check: CoreCheck, looked: CheckInput) =>
  (report: (finding: Finding) => void): void | Promise<void> =>
    check.run(looked, report)

async function askPlugins(found: BootOptions, visit: Visit): Promise<void> {
  const app = await visit.may('plugins', 'what plugins look at was not looked at', () => openApp(found, 'app'))
  if (!app) return
  try {
    for (const { plugin, name, describe, run } of checksOf(app.plugins))
      await visit.make(`${plugin}: ${name}`, describe, run)
    const jobs = app.plugins.flatMap(plugin => jobsIn(plugin).map(job => ({ plugin: plugin.spec.name, job })))
    if (jobs.length > 0)
      await visit.make('jobs', 'the jobs of plugins succeeded when they ran last', async report => {
        for (const { name, failures, error } of await failingJobs(app.engine, jobs))
          report({
            severity: 'warning',
            says: `the job ${name} has failed ${counted(failures, 'time')} in a row: ${error}`,
            advice: 'it is tried again at its next turn; the log of the server has the whole error',
          })
      })
    if (app.config.project === 'stele') return
    await visit.make('project', 'all parts of the project are run', async report => {
      for (const { what, where, means } of await foreignParts(app, found.plugins))
        report({
          severity: 'warning',
          says: `${what} of the project are not run: ${where.length}`,
          examples: where,
          whole: true,
          advice: means,
        })
    })
  } finally {
    await app.close()
  }
}

/** The state of one run: its findings, checks and fixes. */
class Visit {
  readonly fixes: boolean
  readonly findings: DoctorFinding[] = []
  readonly checks: { readonly check: string; readonly describe: string }[] = []
  readonly io: Io
  readonly progress: ShownProgress

  constructor(fixes: boolean, io: Io) {
    this.fixes = fixes
    this.io = io
    this.progress = progressOn(io.stderr)
  }

  /** Turns an error with a sentence for the operator into a finding. */
  async may<T>(check: string, advice: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof BootError)) throw error
      this.add(check, error.message, advice)
      return undefined
    }
  }

  /** An error that keeps the rest from being checked. */
  add(check: string, says: string, advice: string): void {
    this.findings.push({ check, severity: 'error', says, advice, fixed: false })
  }

  async make(
    check: string,
    describe: string,
    run: (report: (finding: Finding) => void) => void | Promise<void>,
  ): Promise<void> {
    if (this.io.stderr.isTTY) this.progress.at(`looking at ${check}`, this.checks.length)
    this.checks.push({ check, describe })
    const reported: Finding[] = []
    try {
      await run(finding => reported.push(finding))
    } catch (error) {
      reported.push({
        severity: 'error',
        says: `it could not be looked at: ${(error as Error).message}`,
        advice: 'this should not happen',
      })
    }
    for (const finding of reported) this.findings.push({ check, ...finding, ...(await this.#fix(finding)) })
  }

  async #fix({ fix }: Finding): Promise<Pick<DoctorFinding, 'fixed' | 'failed'>> {
    if (!fix || !this.fixes) return { fixed: false }
    try {
      await fix.run()
      return { fixed: true }
    } catch (error) {
      return { fixed: false, failed: (error as Error).message }
    }
  }
}
