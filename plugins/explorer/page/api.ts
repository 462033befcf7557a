import { errorMessageOf, isDone, type PageRequest, type Reply, send } from '../../pages/page/request.js'
import { type Query, withQuery } from '../../pages/values/query-text.js'
import { isRecord } from '../../pages/values/records.js'
import type { GraphqlRequest, ListPlace } from '../builder/graphql/request.js'
import type { CallerInfo, Metadata, Model } from '../builder/metadata.js'
import type { BuilderState } from '../builder/state.js'
import { pathOf, requestOf } from '../builder/url.js'

/** A response, with its time and cost. */
export interface Answer extends Omit<Reply, 'headers'> {
  readonly bytes: number
  readonly headers: readonly (readonly [string, string])[]
  /** Statements in the database, where the server tells. */
  readonly statements?: string
  /** Where the body has a list, if that is another place than REST has it. */
  readonly list?: ListPlace
}

/** The caller may not see the app's description. */
export class NotPermitted extends Error {}

interface Description {
  readonly meta: Metadata
  readonly caller: CallerInfo
}

const isOpen = (): boolean => document.querySelector('meta[name=stele-access]')?.getAttribute('content') === 'open'

export async function readDescription(token: string | undefined): Promise<Description> {
  // The response without credentials is known, and a visitor who is asked to sign in has not been refused anything yet.
  if (!isOpen() && token === undefined) throw new NotPermitted('Sign in to see what runs here.')
  const [meta, caller] = await Promise.all(
    ['meta', 'caller'].map(async name => {
      const response = await fetch(`/explorer/${name}.json`, { headers: credentials(token) })
      if (response.status === 401) throw new NotPermitted('These credentials are not valid, or not any more.')
      if (response.status === 403) throw new NotPermitted('This account may not see what runs here.')
      if (!response.ok) throw new Error(`The server answered ${response.status} to /explorer/${name}.json.`)
      return response.json()
    }),
  )
  return { meta, caller }
}

const credentials = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` }

interface BuiltQuery {
  readonly query: Query
  readonly data?: unknown
  readonly token: string | undefined
}

export function ask(model: Model, state: BuilderState, { token, ...built }: BuiltQuery): Promise<Answer> {
  const { method, url, body } = requestOf(model, state, built)
  return request({ method, url, token, body })
}

/** Runs a document of GraphQL. */
export async function run(
  { endpoint, document, variables, list }: GraphqlRequest,
  token: string | undefined,
): Promise<Answer> {
  const body = { query: document, variables }
  return { ...(await request({ method: 'POST', url: endpoint, token, body })), ...(list && { list }) }
}

interface ApiRequest extends Pick<PageRequest, 'method' | 'url' | 'body'> {
  readonly token: string | undefined
}

async function request({ token, ...asked }: ApiRequest): Promise<Answer> {
  const { headers, ...reply } = await send({ ...asked, headers: credentials(token) })
  const isMissing = reply.status === 0
  return {
    ...reply,
    ...(isMissing && { text: `There was no response: ${reply.text}` }),
    bytes: isMissing ? 0 : new TextEncoder().encode(reply.text).length,
    headers: [...headers].sort(([one], [other]) => (one < other ? -1 : 1)),
    ...statementsIn(headers.get('server-timing')),
  }
}

function statementsIn(timing: string | null): { readonly statements?: string } {
  const [, statements] = /(?:^|,)\s*db;[^,]*desc="(\d+) statements?"/.exec(timing ?? '') ?? []
  return statements === undefined ? {} : { statements }
}

/** Reads JSON of the API with the credentials of the session; undefined where the response is an error. */
export async function read(path: string, query: Query, token: string | undefined): Promise<unknown> {
  const reply = await send({ url: withQuery(path, query), headers: credentials(token) })
  return isDone(reply) ? reply.body : undefined
}

/** Reads an entry with the fields of a form. */
export async function readEntry(model: Model, state: BuilderState, query: Query, token: string | undefined) {
  const type = model.type(state.uid)
  if (!type) return undefined
  const body = await read(pathOf(state, type), query, token)
  return isRecord(body) && isRecord(body.data) ? body.data : undefined
}

/** Signs in with a name and a password; gives the token and the name of the account, or says why not. */
export async function authenticate(
  path: string,
  identifier: string,
  password: string,
): Promise<{ readonly token: string; readonly name: string } | string> {
  const answer = await request({
    method: 'POST',
    url: path,
    token: undefined,
    body: { identifier, password },
  })
  const { body } = answer
  if (isRecord(body) && typeof body.jwt === 'string') {
    const user = isRecord(body.user) ? body.user : {}
    return { token: body.jwt, name: String(user.username ?? user.email ?? identifier) }
  }
  return errorMessageOf(answer) ?? `The server answered ${answer.status}.`
}
