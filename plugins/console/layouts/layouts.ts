import {
  change as changeRows,
  ForbiddenError,
  type Host,
  NotFoundError,
  type Registry,
  rowsOf,
  type Session,
} from '../../../core/index.js'
import type { Base, BaseComponent, BaseType } from '../description/base.js'
import type { Layout } from '../model/meta.js'
import { readChange } from './change.js'
import type { Targets } from './defaults.js'
import { fieldsIn, type GivenLayout, givenBy, nothingGiven, type StoredLayout } from './given.js'
import { applied, layoutOf, titleOf } from './layout.js'
import { changedLayout, keyOf, keyStart, readStored } from './stored.js'

/** The lock for changes of layouts: two at once would each undo the other. */
export const layoutsLock = 'layouts'

/** The table in which Strapi 4 keeps layouts, and this server its stored settings. */
export const table = 'strapi_core_store_settings'

type LayoutsHost = Pick<Host, 'store' | 'shares'>
type Type = BaseType | BaseComponent

/** The keys under which the layouts of all types of an app are stored. */
export const layoutKeys = ({ types }: Pick<Registry, 'types'>): readonly string[] =>
  [...types.values()].map(({ uid, kind }) => keyOf(uid, kind === 'component'))

/** The layouts of lists and forms, as the database and `config/console` have them. */
export class Layouts {
  readonly #host: LayoutsHost
  readonly #base: Base
  readonly #declared: ReadonlyMap<string, GivenLayout>
  #known: { readonly text: string; readonly layouts: ReadonlyMap<string, Layout> } | undefined

  constructor(host: LayoutsHost, base: Base, declared: ReadonlyMap<string, GivenLayout>) {
    this.#host = host
    this.#base = base
    this.#declared = declared
  }

  /** All of them, by uid: one statement, and the same ones as long as what is stored is the same. */
  async all(session?: Session): Promise<ReadonlyMap<string, Layout>> {
    const rows = await this.#rows(session)
    const text = JSON.stringify(rows)
    if (this.#known?.text !== text) this.#known = { text, layouts: this.#read(rows) }
    return this.#known.layouts
  }

  #read(rows: readonly StoredRow[]): ReadonlyMap<string, Layout> {
    const stored = storedIn(rows)
    const types = [...this.#base.all.values()]
    const given = new Map(
      types.map(({ uid, isComponent }) => {
        const kept = stored.get(keyOf(uid, isComponent))
        return [uid, this.#declared.get(uid) ?? (kept ? givenBy(kept) : nothingGiven)]
      }),
    )
    const titles = new Map(types.map(type => [type.uid, titleOf(type, given.get(type.uid) as GivenLayout)]))
    const targets: Targets = { title: uid => titles.get(uid) ?? 'id', fields: uid => this.#fieldsOf(uid) }
    return new Map(types.map(type => [type.uid, layoutOf(type, given.get(type.uid) as GivenLayout, targets)]))
  }

  async of(uid: string): Promise<Layout> {
    this.#typeOf(uid)
    return (await this.all()).get(uid) as Layout
  }

  /** Stores what a body changes; all else stays as it is stored. */
  async change(uid: string, body: unknown): Promise<Layout> {
    const type = this.#changeable(uid)
    const change = readChange(body, type, target => this.#fieldsOf(target))
    await this.#alone(async session => {
      const now = applied((await this.all(session)).get(uid) as Layout, change)
      const key = keyOf(uid, type.isComponent)
      const before = storedIn(await this.#rows(session)).get(key)
      await this.#store(session, key, changedLayout(type, before, now, change))
    })
    return this.of(uid)
  }

  /** Lets a type have the layout by default again. */
  async reset(uid: string): Promise<Layout> {
    const { isComponent } = this.#changeable(uid)
    const { knex } = this.#host.store
    await this.#alone(async session => {
      await changeRows(
        session,
        knex(table)
          .where({ key: keyOf(uid, isComponent) })
          .delete(),
      )
    })
    return this.of(uid)
  }

  #fieldsOf(uid: string): readonly string[] {
    return fieldsIn(this.#base.all.get(uid)?.attributes)
  }

  #typeOf(uid: string): Type {
    const type = this.#base.all.get(uid)
    if (!type) throw new NotFoundError()
    return type
  }

  #changeable(uid: string): Type {
    const type = this.#typeOf(uid)
    if (this.#declared.has(uid)) throw new ForbiddenError(`The layout of ${uid} is declared in config/console`)
    return type
  }

  async #alone(work: (session: Session) => Promise<void>): Promise<void> {
    const { store, shares } = this.#host
    await store.transaction(async session => {
      await shares.lock(session, layoutsLock)
      await work(session)
    })
  }

  /** Keys and texts of the layouts that are stored. Of several rows under one key, Strapi reads the first. */
  async #rows(session = this.#host.store.reader): Promise<readonly StoredRow[]> {
    const { knex } = this.#host.store
    const query = knex(table).select('key', 'value').where('key', 'like', `${keyStart}%`).orderBy('id', 'desc')
    return (await rowsOf(session, query)) as readonly StoredRow[]
  }

  async #store(session: Session, key: string, layout: StoredLayout): Promise<void> {
    const { knex } = this.#host.store
    const columns = { value: JSON.stringify(layout), type: 'object' }
    const { changes } = await changeRows(session, knex(table).where({ key }).update(columns))
    if (changes === 0) await changeRows(session, knex(table).insert({ key, ...columns, environment: null, tag: null }))
  }
}

type StoredRow = readonly [key: string, value: string | null]

const storedIn = (rows: readonly StoredRow[]): ReadonlyMap<string, StoredLayout> =>
  new Map(
    rows.flatMap(([key, value]) => {
      const stored = readStored(value)
      return stored ? [[key, stored] as const] : []
    }),
  )
