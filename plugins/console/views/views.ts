import { randomUUID } from 'node:crypto'
import {
  change as changeRows,
  ForbiddenError,
  type Host,
  NotFoundError,
  rowsOf,
  type Session,
  ValidationError,
} from '../../../core/index.js'
import { table } from '../layouts/layouts.js'
import type { SavedView } from '../model/meta.js'
import { readView, type ViewInput } from './input.js'

/** The lock for changes of saved views: two at once would each undo the other. */
export const viewsLock = 'views'

/** The key of the views that are shared; those of an account have its id in place of the last word. */
export const viewsKeyStart = 'stele_console_views::'
export const sharedViewsKey = `${viewsKeyStart}shared`
const ownKey = (account: number): string => `${viewsKeyStart}${account}`

/** Views that are stored in one place. */
const most = 200

/** The account that asks, and what it may do with the types of views. */
export interface ViewEditor {
  readonly account: number
  canRead(uid: string): boolean
  canShare(uid: string): boolean
}

type Stored = Omit<SavedView, 'isShared'>

/** Lists of entries under names: of an account, or of all. */
export class Views {
  readonly #host: Pick<Host, 'store' | 'shares'>

  constructor(host: Pick<Host, 'store' | 'shares'>) {
    this.#host = host
  }

  /** The views that an account may open, by their names. */
  async of(editor: ViewEditor, session?: Session): Promise<readonly SavedView[]> {
    const keys = [sharedViewsKey, ownKey(editor.account)]
    const stored = await this.#read(keys, session)
    return keys
      .flatMap(key => (stored.get(key) ?? []).map(view => ({ ...view, isShared: key === sharedViewsKey })))
      .filter(({ uid }) => editor.canRead(uid))
      .sort((one, other) => one.name.localeCompare(other.name))
  }

  /** The own views of an account, also of types that it may not read any more. */
  async own(account: number): Promise<readonly Stored[]> {
    return (await this.#read([ownKey(account)])).get(ownKey(account)) ?? []
  }

  async add(editor: ViewEditor, body: unknown): Promise<SavedView> {
    const input = readView(body, ['uid', 'name', 'query'], uid => editor.canRead(uid))
    const view = { id: randomUUID(), isShared: false, ...input } as SavedView
    this.#assertPermitted(editor, view)
    await this.#alone(session => this.#put(session, editor, view))
    return view
  }

  async change(editor: ViewEditor, id: string, body: unknown): Promise<SavedView> {
    const input: ViewInput = readView(body, [], () => false)
    return this.#alone(async session => {
      const before = await this.#find(editor, id, session)
      const view = { ...before, ...input }
      this.#assertPermitted(editor, view)
      if (view.isShared !== before.isShared) await this.#take(session, editor, before)
      await this.#put(session, editor, view)
      return view
    })
  }

  async remove(editor: ViewEditor, id: string): Promise<void> {
    await this.#alone(async session => this.#take(session, editor, await this.#find(editor, id, session)))
  }

  /** Deletes the own views of an account that is deleted, in the transaction of the delete. Those that it shared stay. */
  async forget(account: number, session: Session): Promise<void> {
    await this.#host.shares.lock(session, viewsLock)
    await changeRows(
      session,
      this.#host.store
        .knex(table)
        .where({ key: ownKey(account) })
        .delete(),
    )
  }

  /** A view that the account may change: one of its own, or a shared one of a type whose layout it may change. */
  async #find(editor: ViewEditor, id: string, session: Session): Promise<SavedView> {
    const view = (await this.of(editor, session)).find(one => one.id === id)
    if (!view) throw new NotFoundError()
    this.#assertPermitted(editor, view)
    return view
  }

  #assertPermitted({ canShare }: ViewEditor, { isShared, uid }: SavedView): void {
    if (isShared && !canShare(uid)) throw new ForbiddenError().because('the editor may not configure the view')
  }

  #put(session: Session, editor: ViewEditor, { isShared, ...view }: SavedView): Promise<void> {
    return this.#rewrite(session, isShared ? sharedViewsKey : ownKey(editor.account), views => {
      const others = views.filter(({ id }) => id !== view.id)
      if (others.length >= most) throw new ValidationError(`There are ${most} views already: delete some`)
      return [...others, view]
    })
  }

  #take(session: Session, editor: ViewEditor, { isShared, id }: SavedView): Promise<void> {
    const key = isShared ? sharedViewsKey : ownKey(editor.account)
    return this.#rewrite(session, key, views => views.filter(one => one.id !== id))
  }

  async #rewrite(session: Session, key: string, work: (views: readonly Stored[]) => readonly Stored[]): Promise<void> {
    const { knex } = this.#host.store
    const views = work((await this.#read([key], session)).get(key) ?? [])
    const columns = { value: JSON.stringify(views), type: 'array' }
    const { changes } = await changeRows(session, knex(table).where({ key }).update(columns))
    if (changes === 0) await changeRows(session, knex(table).insert({ key, ...columns, environment: null, tag: null }))
  }

  async #read(keys: readonly string[], session = this.#host.store.reader) {
    const { knex } = this.#host.store
    const query = knex(table).select('key', 'value').whereIn('key', keys).orderBy('id', 'desc')
    const rows = (await rowsOf(session, query)) as readonly (readonly [string, string | null])[]
    return new Map(rows.map(([key, value]) => [key, viewsIn(value)]))
  }

  #alone<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { store, shares } = this.#host
    return store.transaction(async session => {
      await shares.lock(session, viewsLock)
      return work(session)
    })
  }
}

export function viewsIn(text: string | null): readonly Stored[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
