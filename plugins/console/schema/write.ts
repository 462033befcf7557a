import { type Caller, ConflictError, ForbiddenError, type Host, ValidationError } from '../../../core/index.js'
import type { LastWrite, Plan, PlanChange, WriteRefusal, WriteRequest } from '../model/schema.js'
import { planOf } from './plan.js'

type SchemaHost = Pick<Host, 'app' | 'schemas' | 'store' | 'record'>

export const notWritable = 'Schema files are written under `stele dev` only'

/** Writes files as a plan showed them: with its seal, and with what it loses said the second time. */
export async function write(
  host: SchemaHost,
  { seal, loses = 0, ...request }: WriteRequest,
  caller: Caller,
): Promise<LastWrite> {
  const { writing } = host.schemas
  if (!writing) throw new ForbiddenError(notWritable)
  const { plan, files, candidate } = await planOf(host, request)
  if (seal !== plan.seal) throw refusal('seal', notSeen(seal), plan)
  if (loses !== plan.loses) throw refusal('loses', lossOf(plan), plan)
  const changes = plan.changes.filter(({ isMade }) => isMade)
  const changed = new Map([...candidate].filter(([path, text]) => files.text(path) !== text))
  if (changed.size + changes.length === 0)
    throw new ValidationError('Nothing is to be written: the files are as they are, and the database lacks nothing')
  const told = { files: { to: namesOf([...changed.keys()]) }, ...(loses > 0 && { lost: { to: loses } }) }
  const note = (event: string) =>
    host.store.transaction(session => host.record({ event, caller, changes: told }, session))
  // The server ends as soon as the write has begun.
  await note('schema-write')
  try {
    const begun = await writing.begin({
      before: files.texts,
      files: changed,
      changes: changes.map(toldChange),
      by: caller,
    })
    if (!begun) throw new ConflictError('The schema is being written already; try again', 1, { reason: 'busy' })
    return begun
  } catch (error) {
    await note('schema-write.refused')
    throw error
  }
}

/** Notes a write that failed after it had begun, which is undone: the server that had begun it ended before. */
export async function noteFailure({ schemas, store, record }: SchemaHost): Promise<void> {
  await schemas.writing?.onceFailed(({ files }, caller) =>
    store.transaction(session =>
      record({ event: 'schema-write.undone', caller, changes: { files: { to: namesOf(files) } } }, session),
    ),
  )
}

function refusal(reason: WriteRefusal['reason'], message: string, plan: Plan): ConflictError {
  return new ConflictError(message, undefined, { reason, plan } satisfies WriteRefusal)
}

const notSeen = (seal: string | undefined): string =>
  seal === undefined
    ? 'A write needs the "seal" of its plan: look at the plan, and send it'
    : 'The files or the database have changed since the plan was made: look at it again'

function lossOf({ changes, loses }: Plan): string {
  if (loses === 0) return 'Nothing is lost by this plan: "loses" is to be 0, or left out'
  const losing = changes.filter(change => change.isMade && change.loses > 0)
  const list = losing.map(({ describe }) => describe).join('; ')
  return `Values are lost: ${list}. If they may be, send the request again with "loses": ${loses}`
}

const namesOf = (files: readonly string[]): string => files.join(', ')

const toldChange = ({ isMade: _, ...change }: PlanChange) => change
