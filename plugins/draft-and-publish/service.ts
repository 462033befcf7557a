import type { ContentType, Host, Session, Store } from '../../core/index.js'

export interface Service {
  /** Drafts stay hidden wherever they could be met, and what is published is complete. */
  readonly strict: boolean
  readonly store: Store
  readonly entries: Host['entries']
  /** When an entry was published: null for a draft, undefined for none. The row as it stands, past all hooks. */
  readonly dateOf: (type: ContentType, id: number, session: Session) => Promise<string | null | undefined>
}

export function serviceOf({ config, store, entries }: Host<{ readonly strict: boolean }>): Service {
  const looks = new Map<string, string>()
  const lookAt = (type: ContentType): string => {
    let look = looks.get(type.uid)
    if (look === undefined) {
      look = store.knex(type.table).select(columnOf(type)).where({ id: 0 }).toSQL().toNative().sql
      looks.set(type.uid, look)
    }
    return look
  }
  return {
    ...config,
    store,
    entries,
    async dateOf(type, id, session) {
      const [row] = await session.all(lookAt(type), [id])
      return row && (store.decode('datetime', row[0]) as string | null)
    },
  }
}

export const columnOf = ({ fields }: ContentType, name = 'publishedAt'): string => fields.get(name)?.column as string
