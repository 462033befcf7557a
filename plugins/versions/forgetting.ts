import type { Job } from '../../core/index.js'
import type { Service } from './service.js'

const day = 86_400_000

/** Deletes the versions of entries that were deleted for good, once they are as old as the settings say. */
export const forgetting: Job<Service> = {
  name: 'forget',
  describe: 'delete the versions of entries that were deleted long ago',
  every: '1d',
  isNeeded: ({ kept }) => kept.length > 0,
  async run({ now, signal }, { kept, table, config }) {
    const before = new Date(now.getTime() - config.deletedDays * day)
    for (const type of kept) while (await table.forget(type, before)) signal.throwIfAborted()
  },
}
