import { type Caller, type ContentType, change, type Job, rowsOf } from '../../core/index.js'
import { columnOf, type Service } from './service.js'

/** The actor of the job's writes; the record of events tells it from callers. */
const schedule: Caller = { scope: 'schedule', actor: 'schedule', can: () => true }
export const isJob = (caller: Caller): boolean => caller === schedule

/** Entries that are written in one go. */
const atOnce = 100

/**
 * Writes what the time has done already: entries whose time to be published has come get their date, those whose time to
 * be unpublished has come become drafts. Nothing is live sooner or later by it; but a write is what events are made of, and
 * the date is all that Strapi 4 knows of.
 */
export const scheduleJob: Job<Service> = {
  name: 'schedule',
  describe: 'record what was published and unpublished by its time',
  isNeeded: ({ scheduled }) => scheduled.length > 0,
  at: nextDue,
  async run({ now, signal }, service) {
    const failures: unknown[] = []
    for (const type of service.scheduled)
      for (let last = 0, more = true; more; ) {
        const ids = await dueIds(type, now, last, service)
        more = ids.length === atOnce
        last = ids.at(-1) ?? last
        for (const id of ids) {
          signal.throwIfAborted()
          await record(type, id, now, service).catch(error => failures.push(error))
        }
      }
    if (failures.length > 0) throw failures[0]
  },
}

/** The first scheduled time of any entry, past or to come; times that have come are cleared. */
async function nextDue({ scheduled, store }: Service): Promise<Date | undefined> {
  const times: number[] = []
  for (const type of scheduled)
    for (const name of ['publishAt', 'unpublishAt']) {
      const column = columnOf(type, name)
      const first = rowsThere(type, store).select(column).whereNotNull(column).orderBy(column).limit(1)
      const [row] = await rowsOf(store.reader, first)
      if (row) times.push(Date.parse(String(store.decode('datetime', row[0]))))
    }
  return times.length === 0 ? undefined : new Date(Math.min(...times))
}

/** Deleted entries are neither published nor unpublished until they are restored. */
const rowsThere = ({ table, gone }: ContentType, { knex }: Service['store']) =>
  gone ? knex(table).whereNull(gone.column) : knex(table)

async function dueIds(type: ContentType, now: Date, last: number, { store }: Service): Promise<number[]> {
  const time = store.encode('datetime', now.getTime()) as string | number
  const due = rowsThere(type, store)
    .select('id')
    .where('id', '>', last)
    .where(query =>
      query.where(columnOf(type, 'publishAt'), '<=', time).orWhere(columnOf(type, 'unpublishAt'), '<=', time),
    )
    .orderBy('id')
    .limit(atOnce)
  return (await rowsOf(store.reader, due)).map(([id]) => Number(id))
}

async function record(type: ContentType, id: number, now: Date, { store, entries, datesOf }: Service): Promise<void> {
  const isOver = (date: string | null | undefined) => typeof date === 'string' && Date.parse(date) <= now.getTime()
  await store.transaction(async session => {
    // Locks the entry: the changes of another run, or of a request, are visible afterwards.
    await change(session, store.knex(type.table).where({ id }).update({ id }))
    const dates = await datesOf(type, id, session)
    if (!dates || !(isOver(dates.publishAt) || isOver(dates.unpublishAt))) return
    const { update } = entries(type.uid, session)
    const begun = dates.publishedAt === null ? { publishedAt: dates.publishAt } : {}
    // Each is a write of its own, as it would have been in time.
    if (isOver(dates.publishAt)) await update(id, { ...begun, publishAt: null }, { caller: schedule })
    if (isOver(dates.unpublishAt)) await update(id, { publishedAt: null, unpublishAt: null }, { caller: schedule })
  })
}
