export type TokenType = 'full-access' | 'read-only' | 'custom'

/** A token as `GET /api-tokens` has it. */
export interface Token {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly type: TokenType
  readonly lifespan: number | null
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly permissions: readonly string[]
}

/** The one response that has the key. */
export type FreshToken = Token & { readonly accessKey: string }

export const tokensUrl = '/console/api/api-tokens'

/** The permissions that the account may give a token: `GET /api-tokens/actions`. */
export interface Givable {
  readonly data: readonly { readonly uid: string; readonly action: string; readonly mayGive: boolean }[]
  readonly meta: { readonly mayGiveAll: boolean }
}

export const lifespans = ['7d', '30d', '90d', 'unlimited'] as const
export const tokenTypes: readonly TokenType[] = ['read-only', 'full-access', 'custom']
