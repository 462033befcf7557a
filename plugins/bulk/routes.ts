import {
  type Finished,
  type Host,
  type NotedClaim,
  RequestError,
  type Route,
  type RouteCall,
  type Session,
  type TypeOutline,
} from '../../core/index.js'
import { idOf, isAtomic, mayRun, mostOperations, type Operation, operationsOf, refusalOf } from './operations.js'

const id = { anyOf: [{ type: 'integer' }, { type: 'string' }] }
const object = { type: 'object' }
const operation = (properties: Record<string, object>, more: Record<string, object> = {}) => ({
  ...{ type: 'object', properties: { ...properties, ...more } },
  ...{ required: Object.keys(properties), additionalProperties: false },
})
const expected = { ifMatch: { type: 'string', description: 'the updatedAt that the entry must have' } }
const accepts = {
  type: 'object',
  properties: {
    operations: {
      type: 'array',
      maxItems: mostOperations,
      items: {
        anyOf: [
          operation({ create: object }),
          operation({ update: id, data: object }, expected),
          ...['delete', 'publish', 'unpublish'].map(action => operation({ [action]: id }, expected)),
        ],
      },
    },
    atomic: { type: 'boolean', default: true, description: 'whether one that fails undoes all of them' },
  },
  required: ['operations'],
}
const result = {
  type: 'object',
  properties: { status: { type: 'integer' } },
  required: ['status'],
  description:
    'the status, and the response of the operation: with the id of the entry, and what fields and populate ask for',
}
const answers = {
  type: 'object',
  properties: {
    results: { type: 'array', items: result },
    meta: {
      type: 'object',
      properties: { unshown: { type: 'string' } },
      description:
        'says why the results have no more than ids, where all is stored and the entries are too many for one response',
    },
  },
  required: ['results'],
}

/** `POST /articles/bulk`: every operation requires the same permission as in a request of its own. */
export function bulkRoutes({ uid, kind, pluralName }: TypeOutline): Route<Host>[] {
  if (kind === 'singleType') return []
  return [
    {
      method: 'POST',
      path: `/${pluralName}/bulk`,
      action: null,
      describe: `create, change, delete and publish many of ${pluralName}`,
      body: 'json',
      accepts,
      answers,
      run: call => writeAll(uid, call),
    },
  ]
}

/**
 * The actions that a type has. One of its own that another plugin runs in place of the server counts for none: it would be gone
 * round here.
 */
const actionsOf = ({ outline }: Host, uid: string): ReadonlySet<string> =>
  new Set(
    outline.routes.flatMap(({ uid: of, action, generated }) =>
      of === uid && action && (generated || !own.includes(action)) ? [action] : [],
    ),
  )

const own: readonly string[] = ['create', 'update', 'delete']

async function writeAll(uid: string, call: RouteCall<Host>): Promise<Response> {
  const { body, caller, content, service } = call
  const actions = actionsOf(service, uid)
  const operations = operationsOf(body, uid, actions)
  const atomic = isAtomic(body)
  const given = operations.map(one => mayRun(caller, uid, one))
  // A caller who may do nothing of this is told so by the status.
  if (atomic ? given.includes(false) : operations.length > 0 && !given.includes(true))
    throw refusalOf(caller, uid, operations)
  return content.once({
    async write(claim) {
      const asked: BulkRequest = { operations, uid, call, gone: await gone(operations, given, call, uid) }
      const run = atomic || claim.isNeeded ? inOne(asked, atomic, claim) : inGroups(asked)
      return shown(asked, await run)
    },
    read: note => shown({ operations, uid, call }, JSON.parse(note)),
  })
}

type Results = readonly Result[]

interface Result {
  readonly status: number
  readonly data?: { readonly id?: unknown } | null
}

interface Response {
  readonly results: Results
  readonly meta?: { readonly unshown: string }
}

/** The operations of a request. */
interface BulkRequest {
  readonly operations: readonly Operation[]
  readonly uid: string
  readonly call: RouteCall<Host>
  /** The responses of operations that delete, read before they run. */
  readonly gone?: readonly (string | undefined)[] | undefined
}

/** The query asks for more of the entries than their ids. */
const asksMore = ({ query }: RouteCall<Host>): boolean => query.fields !== undefined || query.populate !== undefined

/**
 * An entry that is deleted is read before: it cannot be read afterwards, and reading it in the transaction would keep
 * other writers waiting. That is refused here, too, which would take more than one response may, before anything is done.
 */
async function gone(operations: readonly Operation[], given: readonly boolean[], call: RouteCall<Host>, uid: string) {
  if (!asksMore(call)) return undefined
  const writes = operations.map(({ shows, action, id }, index) => ({
    ...shows,
    ...(action === 'delete' && given[index] && { id: idOf(id) }),
  }))
  return call.content.shown(uid, writes)
}

/**
 * Runs all in one transaction, at first without savepoints: they are needed only if an operation fails. Other writers may
 * have to wait for its end, so its size is limited.
 */
async function inOne(asked: BulkRequest, atomic: boolean, claim: NotedClaim): Promise<Results> {
  const work = (run: OperationRunner) =>
    asked.call.content.transaction(async session => {
      await claim.take(session)
      const results = await inTurn(asked, { from: 0, run: index => run(asked, index, session) })
      await claim.keep(session, JSON.stringify(results))
      return results
    })
  try {
    return await work(one)
  } catch (error) {
    if (atomic || !isOfOperation(error) || error.status === 413) throw error
    return work(unlessRefused)
  }
}

/** Operations that stand each for itself: after some of them the transaction ends, and other writers have their turn. */
async function inGroups(asked: BulkRequest): Promise<Results> {
  const results: Result[] = []
  const group = (run: OperationRunner) =>
    asked.call.content.transaction(
      (session, spent) =>
        inTurn(asked, {
          from: results.length,
          run: index => run(asked, index, session),
          isEnough: time => spent() >= groupStatements || time >= groupTime,
        }),
      { each: true },
    )
  while (results.length < asked.operations.length) {
    try {
      const done = await group(one).catch(error => {
        if (!isOfOperation(error)) throw error
        return group(unlessRefused)
      })
      results.push(...done)
    } catch (error) {
      // Results that groups before have stored have to be told.
      if (results.length === 0 || !(error instanceof RequestError)) throw error
      while (results.length < asked.operations.length) results.push(refusedWith(error))
    }
  }
  return results
}

/** Statements of a group of operations, and milliseconds, from which on it takes no further one. */
const groupStatements = 500
const groupTime = 250

type OperationRunner = (asked: BulkRequest, index: number, session: Session) => Promise<Result>

const one: OperationRunner = async ({ operations, uid, call, gone }, index, within) => {
  const operation = operations[index] as Operation
  try {
    if (!mayRun(call.caller, uid, operation)) throw refusalOf(call.caller, uid, [operation])
    const { ifMatch: expects } = operation
    const options = {
      within,
      onlyId: true,
      among: { all: operations, index },
      ...(expects !== undefined && { expects }),
    }
    return resultOf(await operation.run(call.content, options), gone?.[index])
  } catch (error) {
    throw error instanceof RequestError ? at(error, index) : error
  }
}

/** Undoes the writes of a refused operation, and drops what it left for later. */
const unlessRefused: OperationRunner = async (asked, index, session) => {
  const steps: (() => Promise<void>)[] = []
  const own: Session = { ...session, afterCommit: step => steps.push(step) }
  await session.run('savepoint operation', [])
  try {
    const result = await one(asked, index, own)
    await session.run('release savepoint operation', [])
    for (const step of steps) session.afterCommit?.(step)
    return result
  } catch (error) {
    // Any other error may have ended the transaction.
    if (!(error instanceof RequestError) || error.status >= 500) throw error
    await session.run('rollback to savepoint operation', [])
    await session.run('release savepoint operation', [])
    return refusedWith(error)
  }
}

/** Milliseconds for which other requests wait. */
const slice = 8

interface Turn {
  readonly from: number
  readonly run: (index: number) => Promise<Result>
  /** Tells whether the transaction has done enough, from the milliseconds that it has taken. */
  readonly isEnough?: (time: number) => boolean
}

async function inTurn({ operations }: BulkRequest, { from, run, isEnough }: Turn): Promise<Result[]> {
  const results: Result[] = []
  const first = performance.now()
  let began = first
  for (let index = from; index < operations.length; index += 1) {
    results.push(await run(index))
    const now = performance.now()
    if (isEnough?.(now - first)) break
    if (now - began < slice) continue
    await new Promise(setImmediate)
    began = performance.now()
  }
  return results
}

/** The response, with the entries as all of the request has left them. */
async function shown(asked: BulkRequest, results: Results): Promise<Response> {
  const { operations, uid, call } = asked
  if (!asksMore(call)) return { results }
  const writes = operations.map(({ shows, action }, index) => {
    const { status, data } = results[index] as Result
    return { ...shows, ...(status === 200 && action !== 'delete' && { id: data?.id }) }
  })
  try {
    const texts = await call.content.shown(uid, writes)
    const run = async (index: number) => {
      const text = texts[index]
      return text === undefined ? (results[index] as Result) : withText(text)
    }
    return { results: await inTurn(asked, { from: 0, run }) }
  } catch (error) {
    if (!(error instanceof RequestError) || error.status >= 500) throw error
    // All of it is stored: an error would say that it is not.
    return { results, meta: { unshown: error.message } }
  }
}

/** The response that the operation would have had alone, as far as it is known by now. */
function resultOf({ reply }: Finished, gone: string | undefined): Result {
  return withText(gone ?? ('text' in reply ? String(reply.text) : '{}'))
}

const withText = (text: string): Result => ({ status: 200, ...(JSON.parse(text) as object) })

const refusedWith = ({ status, name, message, details }: RequestError): Result => ({
  status,
  ...{ data: null, error: { status, name, message, details } },
})

const failedAt = Symbol('failed at')

const isOfOperation = (error: unknown): error is RequestError => error instanceof RequestError && failedAt in error

/** The error of one operation, with its place among all. */
function at(error: RequestError, index: number): RequestError {
  if (failedAt in error) return error
  Object.assign(error, { [failedAt]: index, message: `operations[${index}]: ${error.message}` })
  Object.assign(error.details ?? {}, { operation: index })
  return error
}
