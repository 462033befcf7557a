import { createClient } from './client.js'
import type { Result } from './resources.js'
import type { AnySchema } from './schema.js'

/** A place for values: `localStorage`, `sessionStorage`, or an object with their methods. */
export interface Store {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** The locks by which pages of the same origin take turns, where the browser has them. */
interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>
}

declare const navigator: { readonly locks?: Locks } | undefined

/** The response to a sign-in: a refresh token only where the server has sessions. */
export interface Tokens<User = unknown> {
  readonly jwt: string
  readonly refreshToken?: string
  readonly user?: User
}

export interface SessionOptions<User = unknown> {
  /** The address of the API, with its prefix. */
  readonly url: string
  /** The place of the tokens, such as `sessionStorage`; memory otherwise. Scripts of the page can read it. */
  readonly storage?: Store
  /** The name of the stored tokens. */
  readonly key?: string
  readonly fetch?: typeof fetch
  /** Told of the account that has signed in, and with undefined when the session has ended. */
  readonly onChange?: (user: User | undefined) => void
}

/** The account of the types of an app. */
export type UserOf<S extends AnySchema> = S['routes'] extends {
  readonly 'POST /auth/local': { readonly answer: { readonly user: infer User } }
}
  ? User
  : unknown

export interface Session<User = unknown> {
  /** A fetch for `createClient` that sends the token to the API, and to no other address. An expired token is refreshed once. */
  readonly fetch: typeof fetch
  /** Undefined while no account has signed in. */
  readonly token: string | undefined
  readonly user: User | undefined
  signIn(credentials: { readonly identifier: string; readonly password: string }): Promise<Result<User>>
  /** Takes over tokens that came another way: from a registration, or from a provider. */
  keep(tokens: Tokens<User>): void
  /** Ends the session here, and on the server. */
  signOut(): Promise<void>
}

/** A session that keeps its tokens and refreshes them: a refresh token can be used once, so only one request at a time does. */
export function createSession<S extends AnySchema, User = UserOf<S>>({
  url,
  storage,
  key = 'stele',
  fetch: send = fetch,
  onChange,
}: SessionOptions<User>): Session<User> {
  let memory: string | null = null
  const kept = (): Tokens<User> | null => JSON.parse((storage ? storage.getItem(key) : memory) ?? 'null')
  const keep = (tokens?: Tokens<User>) => {
    memory = tokens ? JSON.stringify(tokens) : null
    if (memory) storage?.setItem(key, memory)
    else storage?.removeItem(key)
    onChange?.(tokens?.user)
  }
  const post = createClient<{ paths: object; routes: Record<string, { body: object; answer: Tokens<User> }> }>({
    url,
    fetch: send,
  })

  /** The token in place of one that has expired; pages of the same storage wait for each other. */
  const renew = async (expired: string): Promise<string | undefined> => {
    const now = kept()
    // A concurrent request, or another page, has refreshed it meanwhile.
    if (now?.jwt !== expired) return now?.jwt
    const { refreshToken } = now
    const { data, error } = refreshToken
      ? await post('POST /auth/refresh', { body: { refreshToken } })
      : { data: null, error: { status: 401 } }
    if (data) keep({ ...now, ...data })
    // Without a response, or with a server that is busy, the session may still be there.
    else if (error.status > 399 && error.status < 429) keep()
    return data?.jwt
  }
  let renewing: Promise<string | undefined> | undefined
  const renewed = (expired: string) => {
    const locks = storage && typeof navigator !== 'undefined' ? navigator.locks : undefined
    renewing ??= Promise.resolve(locks ? locks.request(key, () => renew(expired)) : renew(expired)).finally(() => {
      renewing = undefined
    })
    return renewing
  }

  return {
    get token() {
      return kept()?.jwt
    },
    get user() {
      return kept()?.user
    },
    keep,
    fetch: async (input, init) => {
      const address = input instanceof Request ? input.url : `${input}`
      const headers = new Headers(init?.headers)
      const token = kept()?.jwt
      const isOurs = address.startsWith(url) && /^[/?#]?$/.test(address.charAt(url.length))
      if (!token || !isOurs || headers.has('Authorization')) return send(input, init)
      const attempt = (bearer: string) => {
        headers.set('Authorization', `Bearer ${bearer}`)
        return send(input, { ...init, headers })
      }
      const response = await attempt(token)
      const next = response.status === 401 ? await renewed(token) : undefined
      return next ? attempt(next) : response
    },
    async signIn(credentials) {
      const { data, meta, error } = await post('POST /auth/local', { body: credentials })
      if (error) return { data: null, error }
      keep(data)
      return { data: data.user as User, meta }
    },
    async signOut() {
      const refreshToken = kept()?.refreshToken
      keep()
      if (refreshToken) await post('POST /auth/logout', { body: { refreshToken } })
    },
  }
}
