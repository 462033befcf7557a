import { type Caller, type Entry, InvalidParameter, type Route, type RouteCall } from '../../core/index.js'
import { readId } from '../../core/plugin-kit.js'
import { recordUid } from './content-types.js'
import type { AuditRecord, RecordFilter, StoredRecord } from './records.js'

type Call = RouteCall<AuditRecord>

/** Records in one response. */
const [usual, most] = [25, 100]

const text = { type: 'string' } as const
const orNull = (type: string) => ({ type: [type, 'null'] })
const time = { type: 'string', format: 'date-time' } as const

const record = {
  type: 'object',
  properties: {
    ...{ id: { type: 'integer' }, at: time, event: text, uid: orNull('string'), entry: orNull('integer') },
    actor: { ...text, description: '"user 3", "token 2", "admin 1", or the scope of callers without an account' },
    name: { ...orNull('string'), description: 'the name of an account of editors' },
    ...{ address: orNull('string'), request: orNull('string'), requestId: orNull('string') },
    changes: {
      type: ['object', 'null'],
      description: 'the changed attributes; with values as far as these are recorded, and the caller may read them',
    },
    intact: { type: 'boolean', description: 'false where the record was changed since' },
  },
  required: ['id', 'at', 'event', 'actor', 'intact'],
}

/** The record, for callers who have the permission. */
export const routes: readonly Route<AuditRecord>[] = [
  {
    ...{ method: 'GET', path: '/audit/records', uid: recordUid, action: 'list', credentials: 'needed' },
    describe: 'list who did what, the latest first',
    asks: {
      who: { ...text, description: 'only records of this caller: "user 3"' },
      event: { ...text, description: 'only these: "entry.update", "sign-in"' },
      type: { ...text, description: 'the uid of a type' },
      entry: { type: 'integer', minimum: 1, description: 'an entry of this type' },
      since: { ...text, description: 'a date or a time' },
      until: { ...text, description: 'a date or a time; records before it' },
      before: { type: 'integer', minimum: 1, description: 'the id of a record: those before it' },
      limit: { type: 'integer', minimum: 1, maximum: most, default: usual },
    },
    answers: {
      type: 'object',
      properties: { data: { type: 'array', items: record }, meta: { type: 'object' } },
      required: ['data', 'meta'],
    },
    run: list,
  },
]

async function list({ service, query, caller }: Call) {
  const found = await service.list(readFilter(query))
  const names = await service.editorNames(found.map(({ actor }) => String(actor)))
  return { data: found.map(one => shown(one, { caller, names, service })), meta: {} }
}

interface Viewing {
  readonly caller: Caller
  readonly names: Names
  readonly service: AuditRecord
}

function shown({ seal: _, changes, ...about }: StoredRecord, viewing: Viewing): Entry {
  const uid = about.uid === null ? undefined : String(about.uid)
  return { ...about, name: viewing.names.get(String(about.actor)) ?? null, changes: cut(changes, uid, viewing) }
}

/** Changes with the values that the caller may read of every entry of the type; of the others the names remain. */
function cut(changes: unknown, uid: string | undefined, { caller, service }: Viewing): Entry | null {
  if (typeof changes !== 'object' || changes === null) return null
  // A record without a type has no values of entries.
  if (uid === undefined) return { ...changes }
  const { can, rows, fields } = caller
  const isAnyShown = service.hiddenWithout(uid).every(action => can(action, uid))
  const isReadable = isAnyShown && can('find', uid) && rows?.('find', uid) === undefined
  const named = isReadable ? fields?.('find', uid) : none
  return Object.fromEntries(
    Object.entries(changes).map(([name, values]) => [name, named?.has(name) === false ? {} : values]),
  )
}

const none: ReadonlySet<string> = new Set()

type Names = ReadonlyMap<string, string>

const known = ['who', 'event', 'type', 'entry', 'since', 'until', 'before', 'limit']

function readFilter(query: Call['query']): RecordFilter {
  const unknown = Object.keys(query).find(name => !known.includes(name))
  if (unknown !== undefined)
    throw new InvalidParameter([unknown], `it is not accepted here; there are ${known.join(', ')}`)
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
  const uid = textIn(given, 'type')
  const entry = idIn(given, 'entry')
  if (entry !== undefined && uid === undefined) throw new InvalidParameter(['entry'], 'it needs "type"')
  const limit = idIn(given, 'limit') ?? usual
  if (limit > most) throw new InvalidParameter(['limit'], `expected a number from 1 to ${most}`)
  return {
    ...{ who: textIn(given, 'who'), event: textIn(given, 'event'), uid, entry, limit },
    ...{ since: timeIn(given, 'since'), until: timeIn(given, 'until'), before: idIn(given, 'before') },
  }
}

type Given = Readonly<Record<string, unknown>>

function textIn(given: Given, name: string): string | undefined {
  const value = given[name]
  if (value === undefined || typeof value === 'string') return value
  throw new InvalidParameter([name], 'expected a text')
}

function idIn(given: Given, name: string): number | undefined {
  if (given[name] === undefined) return undefined
  const id = readId(given[name])
  if (id === undefined) throw new InvalidParameter([name], 'expected a whole number from 1')
  return id
}

function timeIn(given: Given, name: string): Date | undefined {
  const said = textIn(given, name)
  if (said === undefined) return undefined
  const time = new Date(said)
  if (Number.isNaN(time.getTime()))
    throw new InvalidParameter([name], `${JSON.stringify(said)} is no date and no time, such as 2026-01-31`)
  return time
}
