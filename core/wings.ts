import type { Wings } from './boot/wings.js'
import { foreignLayout, foreignProjects } from './foreign/known.js'
import { countsStore } from './services/counts/counts.js'
import { transferHost } from './tools/transfer/host.js'
import { ImportRecord } from './tools/transfer/record.js'

/** The wings of this server. The kernel knows none of them; this is the one file that names them all. */
export const wings: Wings = {
  foreign: { projects: foreignProjects, layout: foreignLayout },
  counts: countsStore,
  // The jobs are loaded only if a plugin has any.
  jobs: {
    prepare: async (engine, foreign) => (await import('./services/jobs/job-table.js')).prepareJobs(engine, foreign),
    async open({ time, ...parts }) {
      const [{ Scheduler }, { realJobClock }] = await Promise.all([
        import('./services/jobs/scheduler.js'),
        import('./services/jobs/job-clock.js'),
      ])
      return new Scheduler({ ...parts, clock: { ...realJobClock, time } })
    },
  },
  archives: {
    unfinished: engine => ImportRecord.find(engine),
    backUp: async (app, order) => (await import('./tools/transfer/backup.js')).backUp(transferHost(app), order),
  },
}
