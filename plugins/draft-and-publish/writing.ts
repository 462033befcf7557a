import { type Call, type Row, ValidationError, type Write, type Written } from '../../core/index.js'
import { isPublishing } from './actions.js'
import { isJob } from './schedule.js'
import type { Dates, Service } from './service.js'

/** Marks the data of a new entry that is a draft unless it has a date, and complete all the same. Requests cannot send it. */
export const completeDraft = Symbol('complete draft')

/** Decides whether the write leaves a draft, which may be incomplete, and sets the dates that it does not name. */
export async function shapeWrite(write: Write, call: Call, service: Service): Promise<Write> {
  const { action, data, id } = write
  // Code that writes past the rules says itself what is published.
  if (action === 'delete' || write.unchecked || isJob(call.caller)) return write
  const now = call.now.toISOString()
  const isScheduled = service.isScheduled(call.type)
  if (action === 'create') return created(write, now, isScheduled)
  const isAction = isPublishing(call)
  const asked = isAction ? now : data.publishedAt
  if (!isScheduled && asked === null) return { ...write, incomplete: true }
  if (!isScheduled && asked !== undefined && !isAction) return write
  const stored = await service.datesOf(call.type, id as number, call.session)
  if (!stored) return write
  // A published entry keeps its date. The date is written all the same: another request may be about to remove it.
  const publishedAt = isAction ? since(stored, now, service) : asked
  const dated = asked === undefined ? data : { ...data, publishedAt }
  const shaped = isScheduled ? { ...outdated(stored, asked, now), ...dated } : dated
  const after: Write['data'] = { ...stored, ...shaped }
  const isDraft = after.publishedAt === null && !(isScheduled && isSet(after.publishAt))
  return { ...write, data: shaped, ...(isDraft && { incomplete: true }) }
}

/** Without a word about publishing, an entry is published at once. */
function created(write: Write, now: string, isScheduled: boolean): Write {
  const { publishedAt, publishAt } = { ...write.data, ...write.set }
  if (isSet(publishedAt)) return write
  const isPlanned = isScheduled && isSet(publishAt)
  if (publishedAt === undefined && completeDraft in write.data)
    return { ...write, data: { ...write.data, publishedAt: null } }
  if (publishedAt === undefined && !isPlanned) return { ...write, data: { ...write.data, publishedAt: now } }
  return { ...write, data: { ...write.data, publishedAt: null }, ...(!isPlanned && { incomplete: true }) }
}

/** Since when an entry is published that is to be live now. */
function since({ publishedAt, publishAt, unpublishAt }: Dates, now: string, { awaitDate }: Service): string {
  if (isOver(unpublishAt, now)) return now
  if (isSet(publishedAt) && !awaitDate) return publishedAt
  return [publishedAt, publishAt].filter(date => isOver(date, now)).sort()[0] ?? now
}

/** Dates that contradict a write about publishing: replaced plans, and past ends. */
function outdated({ publishAt, unpublishAt }: Dates, asked: unknown, now: string): Write['data'] {
  if (asked === undefined) return {}
  if (asked === null) return isOver(publishAt, now) ? { publishAt: null } : {}
  return { ...(isSet(publishAt) && { publishAt: null }), ...(isOver(unpublishAt, now) && { unpublishAt: null }) }
}

const isSet = <T>(value: T): value is NonNullable<T> => value !== undefined && value !== null
const isOver = (date: string | null | undefined, now: string): date is string => isSet(date) && date <= now

/**
 * Checks that an entry which a request publishes or schedules is complete. An entry that was a draft when the request
 * arrived and has been published since must be complete too: its state is certain only here, where no other transaction
 * can change it.
 */
export async function checkPublished(row: Row, call: Written, service: Service): Promise<void> {
  const { type, session, write, caller } = call
  const { action, data, incomplete = false } = write
  if (action === 'delete' || write.unchecked || isJob(caller)) return
  const isPlanned = service.isScheduled(type) && ['publishAt', 'unpublishAt'].some(name => Object.hasOwn(data, name))
  const stored = isPlanned ? await service.datesOf(type, row.id, session) : undefined
  if (stored) mustFollow(stored)
  // The actions are not among what Strapi 4 has for clients, and its panel checks what it publishes.
  if (action !== 'update' || !(service.strict || isPublishing(call))) return
  const publishes = isSet(data.publishedAt) || (isPlanned && isSet(data.publishAt))
  if (!publishes && !incomplete) return
  if (!publishes) {
    const dates = stored ?? (await service.datesOf(type, row.id, session))
    if (!isSet(dates?.publishedAt) && !isSet(dates?.publishAt)) return
  }
  await service.entries(type.uid, session).check(row.id)
}

function mustFollow({ publishAt, unpublishAt }: Dates): void {
  if (!isSet(publishAt) || !isSet(unpublishAt) || unpublishAt > publishAt) return
  const message = `unpublishAt must be later than publishAt: ${unpublishAt} is not later than ${publishAt}`
  throw new ValidationError(message, { errors: [{ path: ['unpublishAt'], message, name: 'ValidationError' }] })
}
