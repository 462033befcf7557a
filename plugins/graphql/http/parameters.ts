import { checkDepth } from '../../../core/plugin-kit.js'
import { codes } from '../errors.js'
import { Refusal } from './refusal.js'
import type { OperationRequest } from './runner.js'

/** An operation as it was sent: its document may be named by its hash alone. */
export interface SentOperation extends Omit<OperationRequest, 'query'> {
  readonly query: string | undefined
  readonly hash: string | undefined
}

type Bag = Readonly<Record<string, unknown>>

/** Reads one operation of a body, or of a URL. */
export function readOperation(sent: unknown): SentOperation {
  if (!isBag(sent)) throw new Refusal('An operation is an object: { query, variables, operationName, extensions }')
  const hash = hashIn(objectOf(sent.extensions, 'extensions'))
  const query = queryIn(sent.query)
  if (query === undefined && hash === undefined)
    throw new Refusal('The operation has neither a query nor extensions.persistedQuery', { code: codes.request })
  const variables = objectOf(sent.variables, 'variables')
  return { query, hash, operationName: nameIn(sent.operationName), ...(variables && { variables }) }
}

function queryIn(query: unknown): string | undefined {
  if (query === undefined || query === null || query === '') return undefined
  if (typeof query !== 'string') throw new Refusal('query is not a text; send the document of GraphQL as one')
  return query
}

function nameIn(name: unknown): string | undefined {
  if (name === undefined || name === null || name === '') return undefined
  if (typeof name !== 'string') throw new Refusal('operationName is not a text', { code: codes.request })
  return name
}

/** An object, or its JSON text; a list says nothing. */
function objectOf(sent: unknown, name: string): Bag | undefined {
  const value = typeof sent === 'string' && sent !== '' ? parsed(sent, name) : sent
  if (value === undefined || value === null || value === '' || Array.isArray(value)) return undefined
  if (typeof value !== 'object') throw new Refusal(`${name} is not an object`, { code: codes.request })
  return value as Bag
}

function parsed(text: string, name: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal(`${name} is a text that is not valid JSON`)
  }
  // The body around it has been checked, but not what stands in its texts.
  checkDepth(value)
  return value
}

/** The hash of a persisted operation, in the form that Apollo's clients send. */
function hashIn(extensions: Bag | undefined): string | undefined {
  const { persistedQuery } = extensions ?? {}
  if (persistedQuery === undefined || persistedQuery === null) return undefined
  const { version, sha256Hash } = Object(persistedQuery) as Bag
  if (version !== 1)
    throw new Refusal('extensions.persistedQuery.version is not 1, the only one that is known', { code: codes.request })
  if (typeof sha256Hash !== 'string' || sha256Hash === '')
    throw new Refusal('extensions.persistedQuery.sha256Hash is no hash of a query', { code: codes.request })
  return sha256Hash
}

export const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
