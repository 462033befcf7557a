import { type Caller, type ContentType, change, type Job } from '../../core/index.js'
import type { Service } from './service.js'

/** The actor of the job's writes; records tell it from callers. */
const caller: Caller = { scope: 'trash', actor: 'trash', can: () => true }
export const isEmptying = (other: Caller): boolean => other === caller

/** Entries that are looked for at once; each is removed in a transaction of its own. */
const atOnce = 100
const day = 86_400_000

/** Removes entries for good that have been in the trash for as long as the settings say. */
export const emptying: Job<Service> = {
  name: 'empty',
  describe: 'remove what has been in the trash for too long',
  every: '1h',
  isNeeded: ({ kept }) => kept.size > 0,
  async run({ now, signal }, service) {
    const end = new Date(now.getTime() - service.config.days * day).toISOString()
    const failures: unknown[] = []
    for (const { type } of service.kept.values())
      for (let last = 0, more = true; more; ) {
        const ids = await oldOnes(type, end, last, service)
        more = ids.length === atOnce
        last = ids.at(-1) ?? last
        for (const id of ids) {
          signal.throwIfAborted()
          await remove(type, id, end, service).catch(error => failures.push(error))
        }
      }
    if (failures.length > 0) throw failures[0]
  },
}

async function oldOnes({ uid }: ContentType, end: string, last: number, { entries }: Service): Promise<number[]> {
  const found = await entries(uid).find({
    where: { id: { $gt: last }, deletedAt: { $lt: end } },
    fields: ['id'],
    sort: ['id'],
    limit: atOnce,
    params: { trash: 'only' },
  })
  return found.map(({ id }) => Number(id))
}

/** An entry that was restored meanwhile stays, also if it is in the trash again. */
async function remove({ uid, table }: ContentType, id: number, end: string, { entries, store }: Service) {
  await store.transaction(async session => {
    await change(session, store.knex(table).where({ id }).update({ id }))
    const own = entries(uid, session)
    const found = await own.first({ where: { id, deletedAt: { $lt: end } }, fields: ['id'], params: { trash: 'only' } })
    if (found) await own.delete(id, { caller })
  })
}
