import { replay } from './support/replay.js'

// Cron tasks are jobs, which run while the app listens.
replay('boot', { listens: true })
