import type { Dialect } from '../dialect.js'
import { type Issue, ValidationError } from '../errors.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType, Link } from '../schema/types.js'
import type { Engine, Session } from '../store/engine.js'
import { type Draft, dotted } from './draft.js'
import type { Statements } from './statements.js'

/** What one attribute of a draft wants of entries of one type. */
interface Wish {
  readonly link: Link
  readonly path: readonly string[]
  readonly ids: readonly number[]
}

/** Which of some entries of a type the writer may see; undefined where that is all of them. */
export type Sight = (
  type: ContentType,
  ids: readonly number[],
  session: Session,
) => Promise<ReadonlySet<number> | undefined>

/** Looks at the entries that relations name: they exist, and are such as their attribute takes. */
export class TargetCheck {
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

  /** One statement for each type, components included. */
  async check(session: Session, draft: Draft, sight?: Sight): Promise<void> {
    const wishes = new Map<string, Wish[]>()
    for (const { link, change, path } of relationsOf(draft)) {
      const byType = new Map<string, number[]>()
      for (const { id, type } of change.kind === 'set' ? change.targets : change.connect) {
        const uid = type ?? link.targets?.[0] ?? ''
        byType.set(uid, [...(byType.get(uid) ?? []), id])
      }
      for (const [uid, ids] of byType) wishes.set(uid, [...(wishes.get(uid) ?? []), { link, path, ids }])
    }
    for (const [uid, wanted] of wishes) await this.#checkType(session, uid, wanted, sight)
  }

  async #checkType(session: Session, uid: string, wishes: readonly Wish[], sight?: Sight): Promise<void> {
    const known = this.#registry.types.get(uid)
    // A component is a part of an entry, and nothing that could be linked.
    const type = known?.kind === 'component' ? undefined : known
    const named = wishes.flatMap(({ ids }) => ids)
    const ids = [...new Set(named.filter(id => id > 0))]
    const fields = [...new Set(wishes.flatMap(({ link }) => link.accepts?.field ?? []))].flatMap(
      name => type?.fields.get(name) ?? [],
    )
    const columns = ['id', ...fields.map(({ column }) => column)]
    const stored = type ? await this.#statements.select(session, type.table, columns, { id: ids }) : []
    const seen = type && stored.length > 0 ? await sight?.(type, ids, session) : undefined
    const found = seen ? stored.filter(([id]) => seen.has(Number(id))) : stored
    const absent = named.filter(id => id <= 0).length + ids.length - found.length
    if (absent > 0)
      throw ValidationError.of([
        {
          path: this.#dialect.terseErrors ? [] : [...(wishes[0]?.path ?? [])],
          message: `${absent} relation(s) of type ${uid} associated with this entity do not exist`,
          name: 'ValidationError',
        },
      ])
    const rows = new Map(found.map(([id, ...values]) => [Number(id), values]))
    const issues = wishes.flatMap(({ link: { accepts }, path, ids }): Issue[] => {
      const place = fields.findIndex(({ name }) => name === accepts?.field)
      const field = fields[place]
      if (!accepts || !field) return []
      const shown = (id: number) => this.#engine.decode(field.type.as, rows.get(id)?.[place])
      if (ids.every(id => accepts.test(shown(id)))) return []
      return [{ path: [...path], message: `${dotted(path)} ${accepts.describe}`, name: 'ValidationError' }]
    })
    if (issues.length > 0) throw ValidationError.of(issues)
  }
}

function relationsOf(draft: Draft): Draft['relations'][number][] {
  return [...draft.relations, ...draft.parts.flatMap(({ items }) => items.flatMap(relationsOf))]
}
