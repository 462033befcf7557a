import path from 'node:path'
import { definePlugin } from '../../core/index.js'

/** Backups on a schedule, as `stele backup` makes them. */
export const backup = definePlugin({
  name: 'backup',
  describe: 'backups on a schedule',
  config: {
    type: 'object',
    properties: {
      /** Relative to the app, or `s3://bucket/path`. */
      folder: { type: 'string', minLength: 1, default: 'backups' },
      keep: { type: 'integer', minimum: 1, default: 7 },
      cron: { type: 'string', default: '0 3 * * *' },
      timeZone: { type: 'string', default: 'UTC' },
    },
  },
  register: host => host,
  jobs: ({ cron, timeZone }) => [
    {
      name: 'backup',
      describe: 'back up everything that the app keeps',
      cron,
      timeZone,
      async run({ signal }, { app, config: { folder, keep }, backUp, log }) {
        const { file, size, removed, leftOut } = await backUp({
          folder: folder.startsWith('s3://') ? folder : path.resolve(app.appDir, folder),
          keep,
          signal,
        })
        log.info({ file, size, removed, leftOut }, 'backed up')
      },
    },
  ],
})
