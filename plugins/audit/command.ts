import { BootError, type Command, type CommandCall } from '../../core/index.js'
import { readId } from '../../core/plugin-kit.js'
import type { AuditRecord } from './records.js'

/** `stele audit`: lists records, the last first. */
export const command: Command<AuditRecord> = {
  name: 'audit',
  describe: 'list who changed what, when and from where, and verify the records',
  options: [
    { flags: '--since <time>', describe: 'only records since a date or a time' },
    { flags: '--who <actor>', describe: 'only records of this caller, such as "user 3"' },
    { flags: '--entry <uid:id>', describe: 'only records of a type or an entry: api::article.article:3' },
    { flags: '--limit <count>', describe: 'how many', default: '50' },
    { flags: '--verify', describe: 'check all records, and report those that are missing or were changed' },
    {
      flags: '--head <seal>',
      describe: 'with --verify: a seal printed by an earlier --verify; no record up to it may be missing',
    },
  ],
  run: list,
}

async function list({ options, table, print, json }: CommandCall, records: AuditRecord): Promise<void> {
  if (options.verify === true) return verify(options.head, records, table)
  if (options.head !== undefined) throw new BootError('--head needs --verify', { kind: 'usage' })
  const limit = readId(options.limit)
  if (limit === undefined) throw new BootError(`--limit is ${JSON.stringify(options.limit)}; expected a number from 1`)
  const { who } = options
  const found = await records.list({
    ...{ limit, ...sinceOf(options.since), ...entryOf(options.entry) },
    ...(typeof who === 'string' && { who }),
  })
  table(
    found.map(({ intact, changes, uid, entry, ...rest }) => ({
      ...{ id: rest.id, at: rest.at, event: rest.event, actor: rest.actor },
      entry: uid === null ? '' : `${uid}:${entry}`,
      changes: json ? changes : Object.keys(changes ?? {}).join(' '),
      ...{ address: rest.address, request: rest.request, requestId: rest.requestId },
      state: intact ? 'as written' : 'CHANGED SINCE',
    })),
  )
  const broken = found.filter(({ intact }) => !intact).length
  if (broken > 0 && !json) print(`${broken} of these ${found.length} records are not as they were written.`)
}

async function verify(said: unknown, { seals }: AuditRecord, table: CommandCall['table']): Promise<void> {
  const [, number, mac = ''] = /^(\d+):([\da-f]{32,64})$/.exec(String(said)) ?? []
  if (said !== undefined && number === undefined)
    throw new BootError(`--head is ${JSON.stringify(said)}; expected a seal as --verify prints it`, { kind: 'usage' })
  const head = number === undefined ? undefined : { number: Number(number), mac }
  const first = await seals.verify(head)
  // A server that deletes old records meanwhile is no problem, and is not met twice.
  const { problems, ...found } = first.problems.length > 0 ? await seals.verify(head) : first
  table([{ ...found, problems: problems.length }])
  if (problems.length > 0)
    throw new BootError(`the audit record is not as it was written:\n${problems.map(one => `  ${one}\n`).join('')}`, {
      kind: 'data',
    })
}

function sinceOf(said: unknown): { since?: Date } {
  if (typeof said !== 'string') return {}
  const since = new Date(said)
  if (Number.isNaN(since.getTime()))
    throw new BootError(`--since is ${JSON.stringify(said)}; expected a date or a time, such as 2026-01-31`)
  return { since }
}

function entryOf(said: unknown): { uid?: string; entry?: number } {
  if (typeof said !== 'string') return {}
  const [, uid, id] = /^(\w+::[\w.-]+)(?::(\d+))?$/.exec(said) ?? []
  if (uid === undefined)
    throw new BootError(
      `--entry is ${JSON.stringify(said)}; expected a type, or a type and an id: api::article.article:3`,
    )
  return id === undefined ? { uid } : { uid, entry: Number(id) }
}
