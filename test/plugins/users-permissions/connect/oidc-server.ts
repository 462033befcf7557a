import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Configuration, Provider } from 'oidc-provider'

/** Claims of the server about its people, by the names they sign in with. */
export type People = Record<string, Record<string, unknown>>

/** A request that reached the server. */
export interface ReceivedRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly form: Readonly<Record<string, unknown>>
}

export interface OidcServer {
  readonly issuer: string
  readonly people: People
  readonly asked: ReceivedRequest[]
  /** Changes what the token endpoint answers, until it is set back. */
  tamper: ((answer: Record<string, unknown>) => Record<string, unknown>) | undefined
  /** Signs claims as the server does. */
  sign(claims: object, header?: object): string
  close(): Promise<void>
}

export const clientId = 'stele'
export const clientSecret = 'a secret that only the two know'

export interface ServerOptions {
  /** All claims stand in the identity token. */
  readonly inIdToken?: boolean
  /** Plain OAuth 2, with the paths and the API of a GitHub server. */
  readonly github?: boolean
  readonly port?: number
}

/** All servers of a process sign with it: making one takes longer than most tests. */
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** An OpenID Connect provider on a free port that knows one client; people sign in with their name and any password. */
export async function oidcServer(redirectUri: string, options: ServerOptions = {}): Promise<OidcServer> {
  const http = createServer()
  http.listen(options.port ?? 0, '127.0.0.1')
  await once(http, 'listening')
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const people: People = {}
  const provider = await makeProvider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' } as never] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username', 'nickname'] },
    ...(options.github && {
      scopes: ['read:user', 'user:email'],
      routes: { authorization: '/login/oauth/authorize', token: '/login/oauth/access_token' },
    }),
    conformIdTokenClaims: !options.inIdToken,
    pkce: { required: () => true },
    cookies: { keys: ['only for this test'] },
    ttl: { AccessToken: 600, IdToken: 600, Interaction: 600, Session: 600, Grant: 600, AuthorizationCode: 60 },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  })
  const server: OidcServer = {
    issuer,
    people,
    asked: [],
    tamper: undefined,
    sign: (claims, header) => signed(privateKey, claims, header),
    close: () => closed(http),
  }
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/api/v3/')) return next()
    const token = await provider.AccessToken.find(ctx.get('authorization').replace('Bearer ', ''))
    const { login, emails } = people[token?.accountId ?? ''] ?? {}
    if (!login) return ctx.throw(401)
    ctx.body = ctx.path === '/api/v3/user' ? { login, email: 'shown@example.com' } : emails
  })
  provider.use(async (ctx, next) => {
    await next()
    const form = (ctx.oidc?.body ?? {}) as Record<string, unknown>
    server.asked.push({ path: ctx.path, query: ctx.URL.searchParams, form })
    if (ctx.path === '/token' && ctx.status === 200 && server.tamper) ctx.body = server.tamper(ctx.body as never)
  })
  http.on('request', provider.callback())
  return server
}

/** The provider warns that it is not set up for production, which is so. */
async function makeProvider(issuer: string, configuration: Configuration): Promise<Provider> {
  const { warn } = console
  console.warn = () => {}
  try {
    const { Provider } = await import('oidc-provider')
    return new Provider(issuer, configuration)
  } finally {
    console.warn = warn
  }
}

function signed(key: KeyObject, claims: object, header: object = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', kid: 'first', ...header })}.${part(claims)}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise(done => server.close(done))
}

export const claimsOf = (token: unknown): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString())
