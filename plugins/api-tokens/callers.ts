import { createHash } from 'node:crypto'
import type { Caller } from '../../core/index.js'
import type { TokenType } from './content-types.js'

/** The token by which a caller is known. */
export interface TokenIdentity {
  readonly id: number
  readonly name: string
  readonly type: TokenType
}

type Rights = Pick<Caller, 'scope' | 'can'>

/** A program with a token. It has no `id`, as tokens count from 1 like accounts. */
export class TokenCaller implements Caller {
  readonly refusal = 403
  readonly scope: string
  readonly can: Caller['can']
  readonly gives?: true
  readonly actor: string
  readonly token: TokenIdentity
  readonly granting = (permission: string): string =>
    `\`stele token create <name> --type custom --actions ${permission}\` makes a token that has it`

  constructor(token: TokenIdentity, actions: readonly string[]) {
    const { scope, can } = rightsOf(token.type, actions)
    this.scope = scope
    this.can = can
    this.token = token
    if (token.type === 'full-access') this.gives = true
    this.actor = `token ${token.id}`
  }
}

const fullAccess: Rights = { scope: 'api-token full-access', can: () => true }
const reads: readonly string[] = ['find', 'findOne']
const readOnly: Rights = { scope: 'api-token read-only', can: action => reads.includes(action) }

function rightsOf(type: TokenType, actions: readonly string[]): Rights {
  if (type === 'full-access') return fullAccess
  if (type === 'read-only') return readOnly
  // An unknown type allows nothing.
  const granted = new Set(type === 'custom' ? actions : [])
  // Plans are cached by scope: a caller with other permissions must have another one.
  const hash = createHash('sha256').update(JSON.stringify([...granted].sort()))
  return {
    scope: `api-token custom ${hash.digest('base64url')}`,
    can: (action, uid) => granted.has(`${uid}.${action}`),
  }
}
