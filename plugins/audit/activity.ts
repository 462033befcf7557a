import type { AuditRecord } from './records.js'

/** Records in the export of an account. */
export const mostExported = 1000

/** The latest records of an account for its owner: the names of what changed, as values may be hashes. */
export async function activityOf(who: string, records: Pick<AuditRecord, 'list'>) {
  const found = await records.list({ who, limit: mostExported + 1 })
  return {
    records: found.slice(0, mostExported).map(({ id, at, event, uid, entry, address, request, changes }) => ({
      ...{ id, at, event, uid, entry, address, request },
      changed: Object.keys(Object(changes)),
    })),
    limit: mostExported,
    isComplete: found.length <= mostExported,
  }
}
