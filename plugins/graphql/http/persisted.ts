import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { LRUCache } from 'lru-cache'
import { BootError } from '../../../core/index.js'
import { codes } from '../errors.js'
import type { HttpSettings } from '../settings.js'
import { isBag, type SentOperation } from './parameters.js'
import { Refusal } from './refusal.js'

/** Bounds of what clients may leave here: documents, and characters of all of them and of one. */
const bounds = { max: 1000, maxSize: 4_000_000, maxEntrySize: 400_000 }

/** Documents that clients name by their hashes: those of a file, and those that clients have sent and the schema accepts. */
export class PersistedDocuments {
  readonly #mode: HttpSettings['persisted']
  readonly #listed: ReadonlyMap<string, string>
  readonly #listedTexts: ReadonlySet<string>
  readonly #sent = new LRUCache<string, string>({ ...bounds, sizeCalculation: ({ length }) => length })

  constructor(mode: HttpSettings['persisted'], listed: ReadonlyMap<string, string> = new Map()) {
    this.#mode = mode
    this.#listed = listed
    this.#listedTexts = new Set(mode === 'only' ? listed.values() : [])
  }

  /** The document of an operation; refuses one that is unknown, or not allowed. */
  documentOf({ query, hash }: Pick<SentOperation, 'query' | 'hash'>): string {
    if (query === undefined) return this.#known(hash ?? '')
    if (this.#mode === 'only' && !this.#listedTexts.has(query))
      throw new Refusal('The server runs only operations of its list, and this is none of them', {
        code: 'OPERATION_NOT_LISTED',
      })
    const isChecked = hash !== undefined && this.#mode === 'auto' && this.#sent.peek(hash) !== query
    if (isChecked && hash !== createHash('sha256').update(query).digest('hex'))
      throw new Refusal('extensions.persistedQuery.sha256Hash is not the SHA-256 hash of the query', {
        code: codes.request,
      })
    return query
  }

  /** Keeps the document of an operation that has run. */
  keep({ query, hash }: Pick<SentOperation, 'query' | 'hash'>): void {
    if (query === undefined || hash === undefined || this.#mode !== 'auto' || this.#listed.has(hash)) return
    this.#sent.set(hash, query)
  }

  #known(hash: string): string {
    if (this.#mode === false)
      throw new Refusal('PersistedQueryNotSupported', { status: 200, code: 'PERSISTED_QUERY_NOT_SUPPORTED' })
    const document = this.#listed.get(hash) ?? this.#sent.get(hash)
    if (document !== undefined) return document
    // Clients know this message: they send the query with its hash then.
    throw new Refusal('PersistedQueryNotFound', {
      status: 200,
      code: 'PERSISTED_QUERY_NOT_FOUND',
      headers: { 'Cache-Control': 'private, no-cache, must-revalidate' },
    })
  }
}

/** Reads the documents of the settings' file. */
export async function loadPersisted(
  { persisted, persistedFile }: HttpSettings,
  appDir: string,
): Promise<PersistedDocuments> {
  if (persistedFile === undefined && persisted !== 'only') return new PersistedDocuments(persisted)
  if (persistedFile === undefined)
    throw new BootError(
      'config/plugins: graphql.config.persisted is "only", and no persistedFile says which operations there are',
    )
  const file = path.resolve(appDir, persistedFile)
  const text = await readFile(file, 'utf8').catch(cause => {
    throw new BootError(`config/plugins: graphql.config.persistedFile: ${file} cannot be read`, { cause })
  })
  return new PersistedDocuments(persisted, documentsOf(text, file))
}

function documentsOf(text: string, file: string): ReadonlyMap<string, string> {
  const wrong = () =>
    new BootError(
      `config/plugins: graphql.config.persistedFile: ${file} is no JSON object with documents by their hashes`,
    )
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw wrong()
  }
  if (!isBag(value) || Object.values(value).some(document => typeof document !== 'string')) throw wrong()
  return new Map(Object.entries(value as Record<string, string>))
}
