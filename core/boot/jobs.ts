import type { Engine } from '../engines/engine.js'
import type { DeferredSetup } from '../layout/deferred-setup.js'
import type { Log } from '../log.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import type { JobSeen } from '../plugin/job.js'
import { jobsIn } from '../plugin/running.js'
import type { Services } from '../plugin/services.js'
import type { JobClock } from '../services/jobs/job-clock.js'
import type { Scheduler } from '../services/jobs/scheduler.js'
import { foreignLayout } from './foreign.js'

export interface JobsParts {
  readonly plugins: readonly EnabledPlugin[]
  readonly services: Services
  readonly first: DeferredSetup
  /** The database without what comes before its first write. */
  readonly raw: Engine
  readonly log: Log
  readonly clock?: JobClock | undefined
  readonly observe?: ((seen: JobSeen) => void) | undefined
}

/** What runs the jobs of plugins; undefined where no plugin has any, and then nothing of it is loaded or stored. */
export async function jobsOf({
  plugins,
  services,
  first,
  raw,
  log,
  clock,
  observe,
}: JobsParts): Promise<Scheduler | undefined> {
  const jobs = plugins.flatMap(enabled => {
    const plugin = enabled.spec.name
    return jobsIn(enabled)
      .map(job => ({ plugin, job, service: services.get(plugin) }))
      .filter(({ job, service }) => job.isNeeded?.(service) ?? true)
  })
  if (jobs.length === 0) return undefined
  const [{ Scheduler }, { prepareJobs }, { realJobClock }] = await Promise.all([
    import('../services/jobs/scheduler.js'),
    import('../services/jobs/job-table.js'),
    import('../services/jobs/job-clock.js'),
  ])
  const scheduler = new Scheduler({ engine: first.engine, jobs, clock: clock ?? realJobClock, log, observe })
  await scheduler.check()
  await first.before(() => prepareJobs(raw, foreignLayout))
  return scheduler
}
