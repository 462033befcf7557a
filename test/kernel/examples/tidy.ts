import { definePlugin } from '../../../core/index.js'

const day = 86_400_000

/** Deletes notes that are older than a month, every night. */
export const tidy = definePlugin({
  name: 'tidy',
  config: { type: 'object', properties: { days: { type: 'integer', minimum: 1, default: 30 } } },
  register: host => host,
  jobs: [
    {
      name: 'old-notes',
      describe: 'delete notes that are not needed any more',
      cron: '0 3 * * *',
      timeZone: 'Europe/Berlin',
      async run({ now, signal }, { entries, config }) {
        const notes = entries('api::note.note')
        const createdAt = { $lt: new Date(now.getTime() - config.days * day).toISOString() }
        for (;;) {
          const old = await notes.find({ where: { createdAt }, fields: ['id'], limit: 100 })
          if (old.length === 0) return
          for (const { id } of old) {
            signal.throwIfAborted()
            await notes.delete(Number(id))
          }
        }
      },
    },
  ],
})
