import { signal } from '@preact/signals'
import { errorMessageOf, isDone, type PageRequest, type Reply } from '../../../pages/page/request.js'
import { withQuery } from '../../../pages/values/query-text.js'
import { isRecord } from '../../../pages/values/records.js'
import { type BatchState, type Done, runBatch, several } from '../../model/list/batch.js'
import { listIn } from '../../model/list/page.js'
import { mostWrites } from '../../model/list/requests.js'
import { isChosen, type Selection } from '../../model/list/selection.js'
import type { EntryChange, EntryWrite } from '../../model/list/standing.js'
import type { ListView } from '../../model/list/view.js'
import { ask, numberOf } from '../api.js'
import { say } from '../shell/messages.js'
import { t } from '../text.js'
import type { BatchAction } from './actions.js'
import { Changing, type ReadyWrites } from './change/changing.js'
import { type ListStore, reloadShown } from './store.js'

/** Work on many entries, which goes on in other views. */
export interface Run extends BatchState {
  readonly action: BatchAction
  /** The change that an update makes. */
  readonly change: EntryChange | undefined
  readonly list: ListStore
  readonly total: number
  readonly isRunning: boolean
  /** The time when it began. */
  readonly begun: number
  /** Titles of entries that were on the page. */
  readonly titles: ReadonlyMap<number, string>
  readonly stop: () => void
}

export const run = signal<Run | undefined>(undefined)
/** Work that has failed in part since the page was opened, the latest first. */
export const failedRuns = signal<readonly Run[]>([])

/** Failed work that is remembered. */
const mostFailed = 5

/** Requests at once, where each writes one entry. */
const atOnce = 4

interface Work {
  readonly list: ListStore
  readonly action: BatchAction
  readonly change?: EntryChange | undefined
  readonly selection: Selection
  readonly total: number
}

/** Writes the chosen entries. */
export async function startRun({ list, action, change, selection, total }: Work): Promise<void> {
  const stop = new AbortController()
  const hold = (event: Event) => event.preventDefault()
  addEventListener('beforeunload', hold)
  const titles = new Map(list.page.peek()?.rows.map(row => [row.id, list.titleOf(row)]))
  const base = { action, change, list, total, begun: Date.now(), titles, stop: () => stop.abort() }
  run.value = { ...base, done: 0, failed: [], isRunning: true }
  const isBulk = list.type.options.bulk && !['restore', 'purge'].includes(action)
  const changing = change && new Changing(list, change, messageOf)
  const writing = { list, action, changing, stopped: stop.signal }
  const state = await runBatch({
    next: idsOf(writing, list.view.peek(), selection),
    write: ids => writeAll(writing, ids, isBulk),
    isSkipped: id => !isChosen(selection, id),
    size: isBulk ? mostWrites : atOnce,
    isStopped: () => stop.signal.aborted,
    onProgress: state => {
      run.value = { ...base, ...state, isRunning: true }
    },
  })
  removeEventListener('beforeunload', hold)
  const ended = { ...base, ...state, isRunning: false }
  run.value = ended
  if (state.failed.length > 0 || state.isCut) failedRuns.value = [ended, ...failedRuns.peek()].slice(0, mostFailed)
  const said = [t(`run.${action}`, { count: state.done })]
  if (state.failed.length > 0) said.push(t('run.failed', { count: state.failed.length }))
  if (state.isCut) said.push(t('run.cut'))
  if (stop.signal.aborted) said.push(t('run.stopped'))
  say(said.join(' '))
  // The list may have been left, and opened again as another one.
  await reloadShown(list.type.uid)
}

interface Writing {
  readonly list: ListStore
  readonly action: BatchAction
  readonly changing: Changing | undefined
  /** Ends the waiting for a server that cannot be reached. */
  readonly stopped: AbortSignal
}

/** Reads the ids of the chosen entries: those that were chosen one by one are known. */
function idsOf(
  { list, stopped }: Writing,
  view: ListView,
  selection: Selection,
): (after: number) => Promise<readonly number[] | undefined> {
  if (selection.kind === 'some') {
    const ids = [...selection.ids].sort((one, other) => one - other)
    return after => Promise.resolve(ids.filter(id => id > after))
  }
  return async after => {
    const reply = await ask({ url: list.requests.ids(view, after) }, stopped)
    return isDone(reply)
      ? listIn(reply.body)
          .filter(isRecord)
          .map(({ id }) => Number(id))
      : undefined
  }
}

/** Writes some entries: undefined where that is too large for one request. */
async function writeAll(
  writing: Writing,
  ids: readonly number[],
  isBulk: boolean,
): Promise<readonly Done[] | undefined> {
  const { writes, left } = (await writing.changing?.writesOf(ids, writing.stopped)) ?? noneLeft
  const others = left.length > 0 ? ids.filter(id => writes.has(id)) : ids
  const bodies: Bodies = id => writes.get(id)
  if (others.length === 0) return left
  const done = isBulk
    ? await writeTogether(writing, others, bodies)
    : await several(others, atOnce, id => writeOne(writing, id, bodies))
  return done && [...done, ...left]
}

const noneLeft: ReadyWrites = { writes: new Map(), left: [] }

type Bodies = (id: number) => EntryWrite | undefined

async function writeTogether(
  { list, action, changing, stopped }: Writing,
  ids: readonly number[],
  bodies: Bodies,
): Promise<readonly Done[] | undefined> {
  const url = withQuery(`${list.requests.path}/bulk`, changing?.query ?? {})
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const body = { atomic: false, operations: ids.map(id => ({ [action]: id, ...bodies(id) })) }
  const reply = await ask({ method: 'POST', url, headers, body }, stopped)
  if (reply.status === 413 && ids.length > 1) return undefined
  const results = isRecord(reply.body) && Array.isArray(reply.body.results) ? reply.body.results : []
  return ids.map((id, index): Done => {
    const result: unknown = results[index]
    if (!isDone(reply)) return { id, error: messageOf(reply) }
    const error = isRecord(result) && isRecord(result.error) ? result.error : undefined
    if (!error) return { id }
    // Messages of operations begin with their place in the request, which says nothing here.
    const message = String(error.message).replace(/^operations\[\d+\]: /, '')
    return { id, error: error.status === 412 ? t('run.changed') : message }
  })
}

async function writeOne(writing: Writing, id: number, bodies: Bodies): Promise<Done> {
  const entry = `${writing.list.requests.path}/${id}`
  const reply = await ask(requestOf(writing, entry, bodies(id)), writing.stopped)
  return isDone(reply) ? { id } : { id, error: messageOf(reply) }
}

function requestOf({ list, action, changing }: Writing, entry: string, write: EntryWrite | undefined): PageRequest {
  if (action === 'delete') return { method: 'DELETE', url: entry }
  if (action === 'purge') return { method: 'DELETE', url: `${entry}?trash=only` }
  if (!write) return { method: 'POST', url: `${entry}/actions/${action}` }
  const { data, ifMatch } = write
  return {
    ...{ method: 'PUT', url: withQuery(entry, changing?.query ?? {}), body: list.type.isBare ? data : { data } },
    ...(ifMatch !== undefined && { headers: { 'If-Match': `"${ifMatch}"` } }),
  }
}

function messageOf(reply: Reply): string {
  if (reply.status === 0) return t('signIn.unreachable')
  if (reply.status === 403) return t('run.forbidden')
  if (reply.status === 412) return t('run.changed')
  if (reply.status === 500) return t('entry.failed', { id: numberOf(reply) })
  return errorMessageOf(reply) ?? t('failed')
}
