import {
  ApplicationError,
  type Caller,
  ForbiddenError,
  InvalidParameter,
  NotFoundError,
  optional,
  type Route,
  type RouteCall,
  rowsOf,
  type TypeOutline,
} from '../../core/index.js'
import { PreconditionFailedError, queryText, readId, readTruth } from '../../core/plugin-kit.js'
import { i18n, localeIn } from '../i18n/index.js'
import { deletedRoute, isRuled } from './deleted.js'
import { remade } from './remaking.js'
import { restorable } from './restoring.js'
import { deletedVersions, type Service } from './service.js'
import { answer, attributes, difference, version } from './shapes.js'
import { differences, shown, shownAll } from './showing.js'
import type { Data, EntryKey } from './table.js'

type VersionCall = RouteCall<Service>

/** The versions of one entry: a list, one of them, differences, and restoring. */
export function versionRoutes({ uid, kind, singularName, pluralName, displayName }: TypeOutline): Route<Service>[] {
  const isSingle = kind === 'singleType'
  const path = isSingle ? `/${singularName}/versions` : `/${pluralName}/:id/versions`
  const what = isSingle ? `the ${displayName}` : `one of ${pluralName}`
  return [
    ...(isSingle ? [] : [deletedRoute({ uid, pluralName })]),
    {
      ...{ method: 'GET', path, action: 'versions', describe: `list the versions of ${what}` },
      ...{ asksAs: { uid, action: 'findOne' }, answers: answer({ type: 'array', items: version }) },
      asks: { changes: { type: 'boolean', description: `name what changed after each of the latest ${mostCompared}` } },
      run: call => listed(uid, call),
    },
    {
      ...{ method: 'GET', path: `${path}/:number`, action: 'versions', describe: `read a version of ${what}` },
      ...{ asksAs: { uid, action: 'findOne' } },
      answers: answer({ ...version, properties: { ...version.properties, attributes } }),
      run: call => one(uid, call),
    },
    {
      ...{ method: 'GET', path: `${path}/:number/changes`, action: 'versions' },
      describe: `compare a version of ${what} with another one, or with the entry`,
      asksAs: { uid, action: 'findOne' },
      asks: { to: { type: 'integer', description: 'the number of the other version; the entry as it is without it' } },
      answers: answer({ type: 'array', items: difference }),
      run: call => compared(uid, call),
    },
    {
      ...{ method: 'POST', path: `${path}/:number/actions/restore`, action: 'restoreVersion', body: 'none' },
      describe: `restore ${what} to a version`,
      asksAs: { uid, action: 'update' },
      answers: { entry: uid },
      run: call => restored(uid, call),
    },
  ]
}

async function listed(uid: string, call: VersionCall) {
  const { entry, state } = await reached(uid, call)
  const list = await call.service.table.list({ uid, entry })
  const changed = isComparing(call.query.changes) ? await changes(uid, { entry, state }, call) : undefined
  const data = list.map(one => ({ ...one, ...(changed?.has(one.number) && { changed: changed.get(one.number) }) }))
  if (state !== 'there' && data.length === 0) throw new NotFoundError()
  return { data, meta: {} }
}

function isComparing(asked: unknown): boolean {
  const truth = asked === undefined ? false : readTruth(asked)
  if (truth === undefined) throw new InvalidParameter(['changes'], 'takes true or false')
  return truth
}

/** Versions that are compared with what followed them in one response. */
const mostCompared = 50

/** The attributes that changed after each of the latest versions. Nothing followed the last one of a deleted entry. */
async function changes(uid: string, { entry, state }: EntryState, call: VersionCall) {
  const { types, table } = call.service
  const found = await table.latest({ uid, entry }, mostCompared)
  const last = state === 'there' ? [await present(uid, entry, call)] : []
  const type = types.get(uid)
  const states = await shownAll(type, [...last, ...found.map(({ data }) => data)], call)
  const later = state === 'there' ? states : [undefined, ...states]
  const own = states.slice(last.length)
  return new Map(
    found.map(({ number }, index) => {
      const next = later[index]
      const names = next && differences(type, own[index] as Data, next).map(({ attribute }) => attribute)
      return [number, names]
    }),
  )
}

async function one(uid: string, call: VersionCall) {
  const { entry } = await reached(uid, call)
  const { data, ...version } = await versionOf(uid, entry, call.params.number, call)
  return { data: { ...version, attributes: await shown(call.service.types.get(uid), data, call) }, meta: {} }
}

async function compared(uid: string, call: VersionCall) {
  const { params, query, service } = call
  const { entry, state } = await reached(uid, call)
  const type = service.types.get(uid)
  const from = await versionOf(uid, entry, params.number, call)
  const to = query.to === undefined ? undefined : readId(query.to)
  if (query.to !== undefined && to === undefined) throw new InvalidParameter(['to'], 'takes the number of a version')
  if (to === undefined && state !== 'there')
    throw new InvalidParameter(['to'], 'is needed where the entry has been deleted: the number of the other version')
  const other = to === undefined ? await present(uid, entry, call) : (await versionOf(uid, entry, to, call)).data
  const [before, after] = [await shown(type, from.data, call), await shown(type, other, call)]
  return { data: differences(type, before, after), meta: { from: from.number, to: to ?? 'present' } }
}

/** The entry as it is, as it would be stored. */
async function present(uid: string, entry: number, { service }: VersionCall): Promise<Data> {
  const data = await service.entries(uid).copy(entry)
  if (!data) throw new NotFoundError()
  return JSON.parse(JSON.stringify(data)) as Data
}

async function restored(uid: string, call: VersionCall) {
  const { caller, content, service, params } = call
  readingOf(uid, caller)
  const { entry, state } = await named(uid, call)
  if (state !== 'there') await mustSeeDeleted({ uid, entry }, call)
  else if (call.ctx.req.headers['if-none-match'] === '*') {
    await reached(uid, call)
    throw new PreconditionFailedError('The entry has not been deleted, or is there again')
  }
  if (state === 'kept') throw new ApplicationError('The entry is in the trash; restore it from there first')
  const action = state === 'there' ? 'update' : 'create'
  const type = service.types.get(uid)
  const isSingle = type.kind === 'singleType'
  // The update of a single type creates its entry.
  const needed = isSingle ? 'update' : action
  if (!caller.can(needed, uid)) throw new ForbiddenError().because(`it needs ${needed} on ${uid} as well`)
  const { data: stored } = await versionOf(uid, entry, params.number, call)
  const { data, lost, left } = await restorable({ type, data: stored }, action, caller, service)
  const meta = () => ({ ...(lost.length > 0 && { lost }), ...(left.length > 0 && { left }) })
  const sent = action === 'create' ? remade(data, entry) : data
  if (isSingle) return content.update(uid, undefined, sent, { meta, orCreate: true })
  // The update itself checks that the caller reaches the entry.
  return action === 'update' ? content.update(uid, entry, sent, { meta }) : content.create(uid, sent, { meta })
}

/** The entry of a request, and its state. */
interface EntryState {
  readonly entry: number
  /** `kept`: it counts as deleted, and its row is still there. */
  readonly state: 'there' | 'kept' | 'deleted'
}

/** The entry that a request names: by its id, or as the one of a single type that is there, or was there last. */
async function named(uid: string, { params, query, content, service }: VersionCall): Promise<EntryState> {
  const { types, table } = service
  const type = types.get(uid)
  if (type.kind !== 'singleType') {
    const entry = readId(params.id)
    if (entry === undefined) throw new NotFoundError()
    return { entry, state: await stateOf(uid, entry, service) }
  }
  const isAsked = ({ name, plugin, types: of, actions }: (typeof service.outline.params)[number]) =>
    plugin !== undefined &&
    query[name] !== undefined &&
    (of === 'all' || of.includes(uid)) &&
    (actions?.includes('update') ?? true)
  const asked = service.outline.params.filter(isAsked).map(({ name }) => [name, query[name]] as const)
  const there = await content.idOfSingle(uid, 'update', { query: queryText(Object.fromEntries(asked)) })
  if (there !== undefined) return { entry: there, state: 'there' }
  const locales = service.service(optional(i18n))
  const entry = await table.lastDeleted(type, locales && localeIn(query, type, locales))
  if (entry === undefined) throw new NotFoundError()
  const state = await stateOf(uid, entry, service)
  // An existing entry is not the requested one: it has another locale.
  if (state === 'there') throw new NotFoundError()
  return { entry, state }
}

/** The entry, if the caller can read it; one that has been deleted, if the caller may read the versions of those. */
async function reached(uid: string, call: VersionCall): Promise<EntryState> {
  const { caller, query, content } = call
  const permission = readingOf(uid, caller)
  const found = await named(uid, call)
  const { to: _, changes: __, populate: ___, ...rest } = query
  if (found.state === 'there')
    await content.findOne(uid, found.entry, { query: queryText({ ...rest, fields: ['id'] }), permission })
  else await mustSeeDeleted({ uid, entry: found.entry }, call)
  return found
}

/**
 * The permission by which the caller reads entries of a type: its row rules decide which versions it reaches. A caller with
 * neither has no rules either, so that every entry would be open to it.
 */
function readingOf(uid: string, { can }: Caller): 'findOne' | 'find' {
  if (can('findOne', uid)) return 'findOne'
  if (can('find', uid)) return 'find'
  throw new NotFoundError().because(`the caller may neither find nor findOne on ${uid}, so it reads no versions of it`)
}

/** Row rules cannot be applied to missing entries: callers that have some see no versions of them. */
async function mustSeeDeleted(named: EntryKey, { caller, service }: VersionCall): Promise<void> {
  const { uid } = named
  if (isRuled(uid, caller) || !caller.can(deletedVersions, uid))
    throw new NotFoundError().because(
      `the entry has been deleted, and the caller lacks ${deletedVersions} or has row rules`,
    )
  const lacking = (await service.hidden.one(named)).find(action => !caller.can(action, uid))
  if (lacking !== undefined)
    throw new NotFoundError().because(`the entry was not shown without ${lacking} on ${uid} when it was deleted`)
}

async function stateOf(uid: string, entry: number, { store, types }: Service): Promise<EntryState['state']> {
  const { table, gone } = types.get(uid)
  const query = store
    .knex(table)
    .select('id', ...(gone ? [gone.column] : []))
    .where({ id: entry })
  const [row] = await rowsOf(store.reader, query)
  if (!row) return 'deleted'
  return (row[1] ?? null) === null ? 'there' : 'kept'
}

async function versionOf(uid: string, entry: number, number: unknown, { service }: VersionCall) {
  const wanted = readId(number)
  const found = wanted === undefined ? undefined : await service.table.first({ uid, entry }, wanted)
  if (!found) throw new NotFoundError().because(`there is no version ${String(number)} of entry ${entry} of ${uid}`)
  return found
}
