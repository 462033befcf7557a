import { signal } from '@preact/signals'
import { errorMessageOf, isDone, type Reply } from '../../../pages/page/request.js'
import { isRecord } from '../../../pages/values/records.js'
import { type BatchState, type Done, runBatch, several } from '../../model/list/batch.js'
import { mostWrites } from '../../model/list/requests.js'
import { isChosen, type Selection } from '../../model/list/selection.js'
import type { ListView } from '../../model/list/view.js'
import { ask } from '../api.js'
import { say } from '../shell/messages.js'
import { t } from '../text.js'
import type { BatchAction } from './actions.js'
import type { ListStore } from './store.js'

/** Work on many entries, which goes on in other views. */
export interface Run extends BatchState {
  readonly action: BatchAction
  readonly list: ListStore
  readonly total: number
  readonly isRunning: boolean
  readonly stop: () => void
}

export const run = signal<Run | undefined>(undefined)

/** Requests at once, where each writes one entry. */
const atOnce = 4

interface Work {
  readonly list: ListStore
  readonly action: BatchAction
  readonly selection: Selection
  readonly total: number
}

/** Writes the chosen entries. */
export async function startRun({ list, action, selection, total }: Work): Promise<void> {
  const stop = new AbortController()
  const hold = (event: Event) => event.preventDefault()
  addEventListener('beforeunload', hold)
  const base = { action, list, total, stop: () => stop.abort() }
  run.value = { ...base, done: 0, failed: [], isRunning: true }
  const isBulk = list.type.options.bulk
  const state = await runBatch({
    next: idsOf(list, list.view.peek(), selection),
    write: ids => (isBulk ? writeTogether(list, action, ids) : several(ids, atOnce, id => writeOne(list, action, id))),
    isSkipped: id => !isChosen(selection, id),
    size: isBulk ? mostWrites : atOnce,
    isStopped: () => stop.signal.aborted,
    onProgress: state => {
      run.value = { ...base, ...state, isRunning: true }
    },
  })
  removeEventListener('beforeunload', hold)
  run.value = { ...base, ...state, isRunning: false }
  const said = [t(`run.${action}`, { count: state.done })]
  if (state.failed.length > 0) said.push(t('run.failed', { count: state.failed.length }))
  if (stop.signal.aborted) said.push(t('run.stopped'))
  say(said.join(' '))
  await list.reload()
}

/** Reads the ids of the chosen entries: those that were chosen one by one are known. */
function idsOf(list: ListStore, view: ListView, selection: Selection): (after: number) => Promise<readonly number[]> {
  if (selection.kind === 'some') {
    const ids = [...selection.ids].sort((one, other) => one - other)
    return after => Promise.resolve(ids.filter(id => id > after))
  }
  return async after => {
    const { body } = await ask({ url: list.requests.ids(view, after) })
    const data = isRecord(body) ? body.data : body
    return Array.isArray(data) ? data.filter(isRecord).map(({ id }) => Number(id)) : []
  }
}

async function writeTogether(
  list: ListStore,
  action: BatchAction,
  ids: readonly number[],
): Promise<readonly Done[] | undefined> {
  const reply = await ask({
    method: 'POST',
    url: `${list.requests.path}/bulk`,
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    body: { atomic: false, operations: ids.map(id => ({ [action]: id })) },
  })
  if (reply.status === 413 && ids.length > 1) return undefined
  const results = isRecord(reply.body) && Array.isArray(reply.body.results) ? reply.body.results : []
  return ids.map((id, index): Done => {
    const result: unknown = results[index]
    if (!isDone(reply)) return { id, error: messageOf(reply) }
    const error = isRecord(result) && isRecord(result.error) ? String(result.error.message) : undefined
    // Messages of operations begin with their place in the request, which says nothing here.
    return error === undefined ? { id } : { id, error: error.replace(/^operations\[\d+\]: /, '') }
  })
}

async function writeOne(list: ListStore, action: BatchAction, id: number): Promise<Done> {
  const entry = `${list.requests.path}/${id}`
  const reply = await ask(
    action === 'delete' ? { method: 'DELETE', url: entry } : { method: 'POST', url: `${entry}/actions/${action}` },
  )
  return isDone(reply) ? { id } : { id, error: messageOf(reply) }
}

function messageOf(reply: Reply): string {
  if (reply.status === 0) return t('signIn.unreachable')
  if (reply.status === 403) return t('run.forbidden')
  return errorMessageOf(reply) ?? t('failed')
}
