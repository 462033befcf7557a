import { isExpired, type KeptDraft } from '../../model/drafts.js'

const drafts = 'drafts'
const byAccount = 'account'

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

/** The account signed out. */
export const forgetAll = (account: number): Promise<void> =>
  write(store => {
    store.index(byAccount).getAllKeys(account).onsuccess = event => {
      for (const key of (event.target as IDBRequest<IDBValidKey[]>).result) store.delete(key)
    }
  })

async function read<T>(ask: (store: IDBObjectStore) => IDBRequest): Promise<T | undefined> {
  const open = await opened()
  if (!open) return undefined
  const request = ask(open.transaction(drafts).objectStore(drafts))
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** Resolves once it is on the disk. */
async function write(change: (store: IDBObjectStore) => void): Promise<void> {
  const open = await opened()
  if (!open) return
  const transaction = open.transaction(drafts, 'readwrite')
  change(transaction.objectStore(drafts))
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
    const request = indexedDB.open('stele-console', 1)
    request.onupgradeneeded = () => {
      const store = request.result.createObjectStore(drafts, { keyPath: 'key' })
      store.createIndex(byAccount, 'place.account')
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
