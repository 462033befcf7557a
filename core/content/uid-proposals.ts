import { NotFoundError, ValidationError } from '../errors.js'
import type { Write } from '../query/ask.js'
import { withoutSets } from '../query/caller.js'
import { notAnObject } from '../write/checked-input.js'
import type { CheckedInput } from '../write/input.js'
import { issue } from '../write/issue.js'
import { nameable } from '../write/stray-names.js'
import type { HookRunner } from './hooks/runner.js'
import type { ContentParts } from './parts.js'
import type { QueryPlanner } from './query.js'
import type { ContentRequest } from './request.js'
import type { Writes } from './writes.js'

interface Services {
  readonly planner: QueryPlanner
  readonly hooks: HookRunner
  readonly writes: Writes
}

/** Free values for the attributes that can be made from others, for a new entry with some data; nothing is written. */
export async function proposeUids(
  { engine, writer, hooks: hooksOf }: ContentParts,
  { planner, hooks, writes }: Services,
  { type, text, caller, options }: ContentRequest,
  data: unknown,
): Promise<Record<string, string>> {
  if (typeof data !== 'object' || data === null) throw ValidationError.missingData()
  if (Array.isArray(data)) throw notAnObject(data)
  const { ask } = planner.query(type, { action: 'create', ...options }, text, caller)
  const { mayName = () => true } = ask
  const sent: Write = {
    action: 'create',
    data: nameable(withoutSets(data as Write['data'], ask, caller), ask),
    incomplete: true,
  }
  const { beforeWrite } = hooksOf(type)
  const call = hooks.call(ask, { caller, now: new Date() }, engine.reader)
  const write = beforeWrite ? await beforeWrite(sent, call) : sent
  const input = writes.check({ ...write, incomplete: true }, ask, true) as CheckedInput
  const made = Object.entries(await writer.slugs.propose(engine.reader, input)).filter(([name]) => mayName(name))
  if (made.length > 0) return Object.fromEntries(made)
  const wanted = [...type.fields.values()].flatMap(({ name, madeFrom }) =>
    madeFrom !== undefined && mayName(name) ? [{ name, madeFrom }] : [],
  )
  if (wanted.length === 0) throw new NotFoundError().because('the caller may write no attribute that can be proposed')
  throw ValidationError.of(
    wanted.map(({ name, madeFrom }) => issue([madeFrom], `${madeFrom} is needed to propose a value for ${name}`)),
  )
}
