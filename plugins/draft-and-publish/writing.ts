import type { Call, Row, Write, Written } from '../../core/index.js'
import { isPublishing } from './actions.js'
import type { Service } from './service.js'

/** Decides whether what is written is a draft, which may be incomplete. */
export async function shapeWrite(write: Write, call: Call, { dateOf }: Service): Promise<Write> {
  const { action, data, id } = write
  const asked = data.publishedAt
  if (action === 'delete') return write
  if (asked === null) return { ...write, incomplete: true }
  // Who says nothing of publishing publishes now.
  if (action === 'create') return asked === undefined ? dated(write, call.now.toISOString()) : write
  if (asked !== undefined && !isPublishing(call)) return write
  const date = await dateOf(call.type, id as number, call.session)
  if (asked === undefined) return date === null ? { ...write, incomplete: true } : write
  // What is published keeps its date. It is written all the same: another request may be about to take it away.
  return dated(write, date ?? asked)
}

const dated = (write: Write, publishedAt: unknown): Write => ({ ...write, data: { ...write.data, publishedAt } })

/**
 * What a request publishes must be complete. So must be what it took for a draft, if it was published meanwhile: only
 * here, where nobody else can change the entry, is its state certain.
 */
export async function checkPublished(row: Row, call: Written, { strict, dateOf, entries }: Service): Promise<void> {
  const { type, session, write } = call
  if (!strict || write.action !== 'update') return
  const { publishedAt } = write.data
  if (publishedAt === null || (publishedAt === undefined && !write.incomplete)) return
  if (publishedAt === undefined && (await dateOf(type, row.id, session)) === null) return
  await entries(type.uid, session).check(row.id)
}
