import type { PluginJob } from '../../boot/wings.js'
import type { Engine } from '../../engines/engine.js'
import { JobTable, jobsTable } from './job-table.js'
import { nameOf } from './scheduler.js'

/** A job whose last runs have failed. */
export interface FailingJob {
  readonly name: string
  readonly failures: number
  readonly error: string
}

/** The jobs that failed when they ran last; none where the table is yet to be made. */
export async function failingJobs(
  engine: Engine,
  jobs: readonly Pick<PluginJob, 'plugin' | 'job'>[],
): Promise<FailingJob[]> {
  if (jobs.length === 0 || !(await engine.introspect()).tables.has(jobsTable)) return []
  const rows = await new JobTable(engine).rows(jobs.map(nameOf))
  return [...rows.values()]
    .filter(({ failures }) => failures > 0)
    .map(({ name, failures, error = '' }) => ({ name, failures, error }))
}
