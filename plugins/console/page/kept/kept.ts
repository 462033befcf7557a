import { isExpired, type KeptDraft } from '../../model/drafts.js'
import type { Drafts } from '../../model/schema/drawing.js'

const drafts = 'drafts'
const byAccount = 'account'
const schemas = 'schemas'

/** Schemas that are drawn and not written. */
export interface KeptSchema {
  readonly account: number
  readonly drafts: Drafts
  /** The texts of the files that they were drawn over; null for one that was not there. */
  readonly over: Drafts
}

let database: Promise<IDBDatabase> | undefined

/** Stores changes that were not saved, in place of former ones of the same entry. */
export const keep = (draft: KeptDraft): Promise<void> => write(store => store.put(draft))

/** All changes of an account that were not saved, the latest first; those that are too old are removed. */
export async function allKept(account: number, now: number): Promise<readonly KeptDraft[]> {
  const all = (await read<KeptDraft[] | undefined>(store => store.index(byAccount).getAll(account))) ?? []
  const old = all.filter(draft => isExpired(draft, now))
  await write(store => {
    for (const { key } of old) store.delete(key)
  })
  return all.filter(draft => !old.includes(draft)).sort((one, other) => other.at - one.at)
}

/** They were saved or discarded. */
export const forget = (key: string): Promise<void> => write(store => store.delete(key))

/** The schemas that an account has drawn and not written. */
export const keptSchema = async (account: number): Promise<KeptSchema | undefined> =>
  read(store => store.get(account), schemas)

/** Stores drawn schemas in place of former ones; none where nothing is drawn. */
export const keepSchema = (kept: KeptSchema): Promise<void> =>
  write(store => (Object.keys(kept.drafts).length === 0 ? store.delete(kept.account) : store.put(kept)), schemas)

/** The account signed out. */
export async function forgetAll(account: number): Promise<void> {
  await write(store => store.delete(account), schemas)
  await write(store => {
    store.index(byAccount).getAllKeys(account).onsuccess = event => {
      for (const key of (event.target as IDBRequest<IDBValidKey[]>).result) store.delete(key)
    }
  })
}

async function read<T>(ask: (store: IDBObjectStore) => IDBRequest, name = drafts): Promise<T | undefined> {
  const open = await opened()
  if (!open) return undefined
  const request = ask(open.transaction(name).objectStore(name))
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** Resolves once it is on the disk. */
async function write(change: (store: IDBObjectStore) => void, name = drafts): Promise<void> {
  const open = await opened()
  if (!open) return
  const transaction = open.transaction(name, 'readwrite')
  change(transaction.objectStore(name))
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
}

/** Undefined where the browser stores nothing, as in some private windows: the page works without. */
async function opened(): Promise<IDBDatabase | undefined> {
  database ??= open()
  try {
    return await database
  } catch {
    return undefined
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('stele-console', 2)
    request.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1)
        request.result.createObjectStore(drafts, { keyPath: 'key' }).createIndex(byAccount, 'place.account')
      request.result.createObjectStore(schemas, { keyPath: 'account' })
    }
    request.onsuccess = () => {
      const { result } = request
      // Another tab with a later version of the page asks for the database.
      result.onversionchange = () => {
        result.close()
        database = undefined
      }
      resolve(result)
    }
    request.onerror = () => reject(request.error)
  })
}
