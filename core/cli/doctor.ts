import type { CoreCheck, Looked } from '../checks/check.js'
import { coreChecks } from '../checks/index.js'
import { BootError } from '../errors.js'
import { type BootOptions, boot, outline } from '../kernel.js'
import type { Finding } from '../plugin-parts.js'
import { isUpToDate } from '../store/first-write.js'
import { compare } from '../store/sync.js'
import { type AppOptions, findApp } from './app.js'
import { withDatabase } from './database.js'
import { type Found, showFindings } from './findings.js'
import { foreignParts } from './foreign.js'
import { progressOn } from './progress.js'

export interface DoctorOptions extends AppOptions {
  readonly fix?: true
  readonly json?: true
}

/** `stele doctor`: looks at a database and a project, says what is wrong and what to do, and mends what is safe. */
export async function doctor(options: DoctorOptions): Promise<void> {
  const visit = new Visit(options.fix === true)
  try {
    await examine(options, visit)
  } finally {
    visit.progress.end()
  }
  showFindings(visit.findings, visit.checks, options)
  if (visit.findings.some(({ severity, fixed }) => severity === 'error' && !fixed)) process.exitCode = 1
}

async function examine(options: DoctorOptions, visit: Visit): Promise<void> {
  const app = await visit.may('app', 'mend this first: the app does not start', async () => {
    const found = await findApp(options, visit.fixes ? 'command' : 'look', 'error')
    await outline(found)
    return found
  })
  if (!app) return
  const isWhole = await visit.may('database', 'mend this first: the database was not looked at', () =>
    withDatabase(options, visit.fixes ? 'change' : 'look', async database => {
      const { found } = database
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
      says: 'plugins could not look at a database that lacks what they look at',
      advice: 'make it complete with `stele apply`, and ask again',
      fixed: false,
    })
}

/** What is missing is added before plugins start, where that is wanted; a rename is nobody's business but `stele apply`'s. */
function isComplete({ plan, sides: { engine, wanted, found } }: Looked, adds: boolean): boolean {
  if (plan.changes.some(({ group }) => group === 'renames')) return false
  return adds || isUpToDate(compare(engine, wanted, found))
}

const ask =
  (check: CoreCheck, looked: Looked) =>
  (report: (finding: Finding) => void): void | Promise<void> =>
    check.run(looked, report)

async function askPlugins(found: BootOptions, visit: Visit): Promise<void> {
  const app = await visit.may('plugins', 'what plugins look at was not looked at', () => boot(found))
  if (!app) return
  try {
    for (const { plugin, name, describe, run } of app.checks) await visit.make(`${plugin}: ${name}`, describe, run)
    if (app.config.project === 'stele') return
    await visit.make('project', 'all parts of the project are run', async report => {
      for (const { what, where, means } of await foreignParts(app, found.plugins))
        report({ severity: 'warning', says: `${what} of the project are not run`, examples: where, advice: means })
    })
  } finally {
    await app.close()
  }
}

/** What is looked at, and found, in one go. */
class Visit {
  readonly fixes: boolean
  readonly findings: Found[] = []
  readonly checks: { readonly check: string; readonly describe: string }[] = []
  readonly progress = progressOn(process.stderr)

  constructor(fixes: boolean) {
    this.fixes = fixes
  }

  /** What cannot be done for a reason that has a sentence is a finding too. */
  async may<T>(check: string, advice: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof BootError)) throw error
      this.findings.push({ check, severity: 'error', says: error.message, advice, fixed: false })
      return undefined
    }
  }

  async make(
    check: string,
    describe: string,
    run: (report: (finding: Finding) => void) => void | Promise<void>,
  ): Promise<void> {
    if (process.stderr.isTTY) this.progress.at(`looking at ${check}`, this.checks.length)
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
    for (const finding of reported) this.findings.push({ check, ...finding, ...(await this.#mend(finding)) })
  }

  async #mend({ fix }: Finding): Promise<Pick<Found, 'fixed' | 'failed'>> {
    if (!fix || !this.fixes) return { fixed: false }
    try {
      await fix.run()
      return { fixed: true }
    } catch (error) {
      return { fixed: false, failed: (error as Error).message }
    }
  }
}
