import type { Dialect } from '../dialect.js'
import type { Engine, Session } from '../engines/engine.js'
import type { Issue } from '../errors.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType, Field, Link } from '../schema/types.js'
import type { Rows } from './asked-rows.js'
import { dotted } from './issue.js'
import type { Target } from './relation.js'
import type { Statements } from './statements.js'

/** The entries, of some of a type, that the writer may see; undefined if it may see all of them. */
export type Sight = (
  type: ContentType,
  ids: readonly number[],
  session: Session,
) => Promise<ReadonlySet<number> | undefined>

/** Finds the faults of the entries of a type that relations name. */
export class TargetIssues {
  readonly #statements: Statements
  readonly #registry: Registry
  readonly #engine: Engine
  readonly #dialect: Dialect

  constructor(statements: Statements, registry: Registry, engine: Engine, dialect: Dialect) {
    this.#statements = statements
    this.#registry = registry
    this.#engine = engine
    this.#dialect = dialect
  }

  /** Nothing, where all of them are there and may be linked. */
  async of(session: Session, uid: string, wishes: readonly Wish[], sight?: Sight): Promise<readonly Issue[]> {
    const known = this.#registry.types.get(uid)
    // A component is a part of an entry, and nothing that could be linked.
    const type = known?.kind === 'component' ? undefined : known
    const named = new Set<number>()
    for (const { targets } of wishes) for (const { id } of targets) named.add(id)
    const ids = [...named].filter(id => id > 0)
    const accepted = new Set(wishes.flatMap(({ link }) => link.accepts?.field ?? []))
    const fields = [...accepted].flatMap(name => type?.fields.get(name) ?? [])
    const stored = type ? await this.#rowsOf(session, type, fields, ids) : []
    if (!sight && accepted.size === 0 && stored.length === named.size) return []
    const isAsked = stored.length > 0 && wishes.some(({ isSet }) => !isSet)
    const seen = type && isAsked ? await sight?.(type, ids, session) : undefined
    const rows = new Map(stored.map(([id, ...values]) => [Number(id), values]))
    const isThere = ({ isSet }: Wish, id: number) => rows.has(id) && (isSet || (seen?.has(id) ?? true))
    const lacking = lackingTargets({ uid, wishes, isThere }, this.#dialect)
    if (lacking.length > 0) return lacking
    return wishes.flatMap(({ link: { accepts }, path, targets }): Issue[] => {
      const place = fields.findIndex(({ name }) => name === accepts?.field)
      const field = fields[place]
      if (!accepts || !field) return []
      const shown = (id: number) => this.#engine.decode(field.type.as, rows.get(id)?.[place])
      if (targets.every(({ id }) => accepts.test(shown(id)))) return []
      return [{ path: [...path], message: `${dotted(path)} ${accepts.describe}`, name: 'ValidationError' }]
    })
  }

  #rowsOf(session: Session, type: ContentType, fields: readonly Field[], ids: readonly number[]): Rows | Promise<Rows> {
    const { table, gone } = type
    const columns = ['id', ...fields.map(({ column }) => column), ...(gone ? [gone.column] : [])]
    const rows = this.#statements.select(session, { table, columns, match: { id: ids } })
    // Entries that count as deleted are missing.
    return gone ? Promise.resolve(rows).then(all => all.filter(row => row.at(-1) === null)) : rows
  }
}

/** The entries of one type that an attribute of an input names. */
export interface Wish {
  readonly link: Link
  readonly path: readonly string[]
  readonly targets: readonly Target[]
  /** The server gives them: the writer need not see them. */
  readonly isSet?: true | undefined
}

/** The named entries of a type, and those of them that exist. */
interface TargetRows {
  readonly uid: string
  readonly wishes: readonly Wish[]
  readonly isThere: (wish: Wish, id: number) => boolean
}

/** The complaints about named entries that are not there for the writer: missing and unseen ones get the same words. */
function lackingTargets({ uid, wishes, isThere }: TargetRows, dialect: Dialect): Issue[] {
  const name = 'ValidationError'
  const absent = wishes
    .map(wish => ({ path: [...wish.path], targets: wish.targets.filter(({ id }) => !isThere(wish, id)) }))
    .filter(({ targets }) => targets.length > 0)
  if (dialect.plainMessages)
    return absent.map(({ path, targets }) => ({ path, message: `${dotted(path)} ${unseen(uid, targets)}`, name }))
  const [first] = absent
  if (!first) return []
  // The message counts missing entries: an id that several items name counts once, every 0 for itself.
  const ids = absent.flatMap(({ targets }) => targets.map(({ id }) => id))
  const count = ids.filter(id => id === 0).length + new Set(ids.filter(id => id !== 0)).size
  const message = `${count} relation(s) of type ${uid} associated with this entity do not exist`
  return [{ path: dialect.terseErrors ? [] : first.path, message, name }]
}

/** Ids that one message names at most. */
const mostNamed = 10

/** Completes "<attribute> ..." with the ids as they were sent. */
function unseen(uid: string, targets: readonly Target[]): string {
  const ids = [...new Set(targets.map(({ id, sent = id }) => JSON.stringify(sent).slice(0, 40)))]
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : ''
  const named = `${ids.slice(0, mostNamed).join(', ')}${more}`
  return ids.length === 1
    ? `names an entry of ${uid} that does not exist or may not be seen: ${named}`
    : `names ${ids.length} entries of ${uid} that do not exist or may not be seen: ${named}`
}

/** The targets by type: each names its own if the relation leads to any. */
export function byType(targets: readonly Target[]): ReadonlyMap<string, readonly Target[]> {
  const found = new Map<string, Target[]>()
  for (const target of targets) {
    const { type = '' } = target
    const some = found.get(type)
    if (some) some.push(target)
    else found.set(type, [target])
  }
  return found
}
