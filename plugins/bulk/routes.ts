import {
  type Host,
  RequestError,
  type Route,
  type RouteCall,
  type Session,
  type TypeOutline,
} from '../../core/index.js'
import { isAtomic, mayRun, mostOperations, type Operation, operationsOf, refusalOf } from './operations.js'

const id = { anyOf: [{ type: 'integer' }, { type: 'string' }] }
const object = { type: 'object' }
const operation = (properties: Record<string, object>) => ({
  ...{ type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
})
const accepts = {
  type: 'object',
  properties: {
    operations: {
      type: 'array',
      maxItems: mostOperations,
      items: {
        anyOf: [
          operation({ create: object }),
          operation({ update: id, data: object }),
          ...['delete', 'publish', 'unpublish'].map(action => operation({ [action]: id })),
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
  properties: { results: { type: 'array', items: result } },
  required: ['results'],
}

/** `POST /articles/bulk`: every operation needs the permission that it needs alone. */
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

async function writeAll(uid: string, call: RouteCall<Host>): Promise<unknown> {
  const { body, caller, content, service } = call
  const { routes, store } = service
  const actions = new Set(routes.flatMap(route => (route.uid === uid && route.action ? [route.action] : [])))
  const operations = operationsOf(body, uid, actions)
  const atomic = isAtomic(body)
  const given = operations.map(one => mayRun(caller, uid, one))
  // A caller who may do nothing of this is told so by the status.
  if (atomic ? given.includes(false) : operations.length > 0 && !given.includes(true)) throw refusalOf(caller)
  const written = await content.once({
    write: claim => {
      const work = (each: (session: Session) => Promise<readonly Result[]>) =>
        store.transaction(async session => {
          await claim.take(session)
          const results = await each(session)
          await claim.keep(session, JSON.stringify(results))
          return results
        })
      return allOf(operations, call, { uid, atomic, work })
    },
    read: async note => JSON.parse(note) as readonly Result[],
  })
  return { results: written }
}

interface Result {
  readonly status: number
}

interface Way {
  readonly uid: string
  readonly atomic: boolean
  readonly work: (each: (session: Session) => Promise<readonly Result[]>) => Promise<readonly Result[]>
}

/** All in one transaction, at first without marks to go back to: they are needed only where an operation fails. */
async function allOf(operations: readonly Operation[], call: RouteCall<Host>, { uid, atomic, work }: Way) {
  const { caller, query } = call
  // Reading an entry takes as long as writing it.
  const onlyId = query.fields === undefined && query.populate === undefined
  try {
    return await work(session => inTurn(operations, (operation, index) => one(operation, index, session)))
  } catch (error) {
    if (atomic || !(error instanceof RequestError) || !(failedAt in error)) throw error
    return work(session => inTurn(operations, (operation, index) => unlessRefused(operation, index, session)))
  }

  async function one(operation: Operation, index: number, within: Session): Promise<Result> {
    try {
      if (!mayRun(caller, uid, operation)) throw refusalOf(caller)
      return resultOf(await operation.run(call.content, { within, onlyId }))
    } catch (error) {
      throw error instanceof RequestError ? at(error, index) : error
    }
  }

  /** What a refused operation has written is undone, and what it left for later is not done. */
  async function unlessRefused(operation: Operation, index: number, session: Session): Promise<Result> {
    const statements: Parameters<Required<Session>['atEnd']>[] = []
    const steps: (() => Promise<void>)[] = []
    const own = {
      ...session,
      ...(session.atEnd && { atEnd: (...asked) => statements.push(asked) }),
      afterCommit: step => steps.push(step),
    } satisfies Session
    await session.run('savepoint operation', [])
    try {
      const result = await one(operation, index, own)
      await session.run('release savepoint operation', [])
      for (const asked of statements) session.atEnd?.(...asked)
      for (const step of steps) session.afterCommit?.(step)
      return result
    } catch (error) {
      // Any other error may have ended the transaction.
      if (!(error instanceof RequestError) || error.status >= 500) throw error
      await session.run('rollback to savepoint operation', [])
      await session.run('release savepoint operation', [])
      const { status, name, message, details } = error
      return { status, ...{ data: null, error: { status, name, message, details } } }
    }
  }
}

/** Milliseconds for which other requests wait. */
const slice = 8

async function inTurn(
  operations: readonly Operation[],
  run: (operation: Operation, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let began = performance.now()
  for (const [index, operation] of operations.entries()) {
    results.push(await run(operation, index))
    if (performance.now() - began < slice) continue
    await new Promise(setImmediate)
    began = performance.now()
  }
  return results
}

/** The response that the operation would have had alone. */
function resultOf({ reply }: Awaited<ReturnType<Operation['run']>>): Result {
  return { status: 200, ...('text' in reply ? (JSON.parse(String(reply.text)) as object) : {}) }
}

const failedAt = Symbol('failed at')

/** The error of one operation, with its place among all. */
function at(error: RequestError, index: number): RequestError {
  if (failedAt in error) return error
  Object.assign(error, { [failedAt]: index, message: `operations[${index}]: ${error.message}` })
  Object.assign(error.details ?? {}, { operation: index })
  return error
}
