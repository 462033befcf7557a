import {
  type AskOptions,
  type Caller,
  type CallerContent,
  type Finished,
  ForbiddenError,
  UnauthorizedError,
  ValidationError,
  type WriteToShow,
} from '../../core/index.js'

/** A write in the request, and the permission that it requires. */
export interface Operation {
  readonly action: string
  /** The entry, as it was sent; absent for a create. */
  readonly id?: unknown
  /** The `updatedAt` that its entry must have, as an `If-Match` of its own. */
  readonly ifMatch?: string | undefined
  /** The way its entry is shown. */
  readonly shows: Omit<WriteToShow, 'id'>
  readonly run: (content: CallerContent, options: AskOptions) => Promise<Finished>
}

export const mostOperations = 1000

type Json = Readonly<Record<string, unknown>>
type OperationReader = (value: unknown, sent: Json, uid: string) => Omit<Operation, 'action'>

/** The kinds of operation, each named like the permission it requires. */
const kinds: Readonly<Record<string, OperationReader>> = {
  create: (data, _, uid) => ({
    shows: { action: 'create' },
    run: (content, options) => content.create(uid, data, options),
  }),
  update: (id, { data }, uid) => ({
    ...{ id, shows: { action: 'update' } },
    run: (content, options) => content.update(uid, idOf(id), data, options),
  }),
  delete: (id, _, uid) => ({
    ...{ id, shows: { action: 'delete' } },
    run: (content, options) => content.delete(uid, idOf(id), options),
  }),
  publish: (id, _, uid) => publication(uid, id, 'publish', () => new Date().toISOString()),
  unpublish: (id, _, uid) => publication(uid, id, 'unpublish', () => null),
}

function publication(
  uid: string,
  id: unknown,
  permission: string,
  date: () => string | null,
): Omit<Operation, 'action'> {
  return {
    ...{ id, shows: { action: 'update', permission } },
    run: (content, options) => content.update(uid, idOf(id), { publishedAt: date() }, { ...options, permission }),
  }
}

/** No id at all would be that of nothing, and must not be that of a single type. */
export const idOf = (id: unknown): unknown => id ?? 0

/** The operations of a body; all that is wrong with their form is said before any of them runs. */
export function operationsOf(body: unknown, uid: string, actions: ReadonlySet<string>): readonly Operation[] {
  const { operations } = Object(body) as { operations?: unknown }
  if (!Array.isArray(operations))
    throw wrong(
      ['operations'],
      'must be a list, such as [{ "create": { ... } }, { "update": 1, "data": { ... } }, { "delete": 2 }]',
    )
  if (operations.length > mostOperations)
    throw wrong(
      ['operations'],
      `has ${operations.length} items, more than the ${mostOperations} of one request; send several`,
    )
  const known = Object.keys(kinds).filter(kind => actions.has(kind))
  if (known.length === 0) throw wrong(['operations'], 'are not taken for this type: it has no writes of the server')
  return operations.map((sent: unknown, index) => {
    const named = typeof sent === 'object' && sent !== null ? known.filter(kind => Object.hasOwn(sent, kind)) : []
    const [action] = named
    const read = action === undefined ? undefined : kinds[action]
    if (action === undefined || !read || named.length > 1)
      throw wrong(['operations', String(index)], `must have one of ${known.join(', ')}`)
    const all = sent as Json
    const stray = Object.keys(all).find(name => name !== action && !besides(action).includes(name))
    if (stray !== undefined)
      throw wrong(['operations', String(index), stray.slice(0, 100)], `does not belong to ${action}`)
    const { ifMatch } = all
    if (ifMatch !== undefined && typeof ifMatch !== 'string')
      throw wrong(['operations', String(index), 'ifMatch'], 'must be the updatedAt of the entry, as text')
    return { action, ifMatch, ...read(all[action], all, uid) }
  })
}

/** The words that an operation may have beside its action. */
function besides(action: string): readonly string[] {
  if (action === 'create') return []
  return action === 'update' ? ['data', 'ifMatch'] : ['ifMatch']
}

/** True if one failed operation rolls back all of them. */
export function isAtomic(body: unknown): boolean {
  const { atomic = true } = Object(body) as { atomic?: unknown }
  if (typeof atomic === 'boolean') return atomic
  throw wrong(['atomic'], 'must be true or false')
}

function wrong(path: readonly string[], reason: string): ValidationError {
  const [first = '', ...rest] = path
  const message = `${first}${rest.map(part => `[${part}]`).join('')} ${reason}`
  return new ValidationError(message, { errors: [{ path: [...path], message, name: 'ValidationError' }] })
}

export const mayRun = ({ can }: Caller, uid: string, { action }: Operation): boolean => can(action, uid)

/** The error for a caller that may do none of some operations, or not this one. */
export function refusalOf(
  caller: Caller,
  uid: string,
  operations: readonly Operation[],
): ForbiddenError | UnauthorizedError {
  const missing = operations.filter(operation => !mayRun(caller, uid, operation)).map(({ action }) => action)
  const reason = `the caller needs ${[...new Set(missing)].join(' and ')} on ${uid}`
  return (caller.refusal === 401 ? new UnauthorizedError() : new ForbiddenError()).because(reason)
}
