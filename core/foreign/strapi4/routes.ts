/** A route of a file, as far as it is written as literals. */
export interface WrittenRoute {
  readonly method: string
  readonly path: string
  readonly handler?: string
  /** Settings of the route that guard it or change responses: `policies`, `middlewares`, `auth`. */
  readonly guards: readonly string[]
}

/** A router of the standard routes of a type, with its options in the file. */
export interface WrittenRouter {
  readonly uid: string
  readonly prefix?: string
  /** Names of standard routes that are there alone, or are not. */
  readonly only?: readonly string[]
  readonly except?: readonly string[]
  /** The guards of single routes, by their names. */
  readonly guarded: Readonly<Record<string, readonly string[]>>
}

export interface WrittenRoutes {
  readonly routes: readonly WrittenRoute[]
  readonly routers: readonly WrittenRouter[]
}

/** A value of the text: a literal, or something that is not read. */
type Value = string | readonly Value[] | Members | undefined
type Members = ReadonlyMap<string, Value>

const tokens = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|[\w$]+|[^\s\w$]/g

/** Reads a file of routes without running it: method and path are literals nearly always. */
export function readRoutes(text: string): WrittenRoutes {
  const reader = new Reader((text.match(tokens) ?? []).filter(token => !/^\/[/*]/.test(token)))
  reader.all()
  return { routes: reader.routes, routers: reader.routers }
}

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'ALL'])

class Reader {
  readonly routes: WrittenRoute[] = []
  readonly routers: WrittenRouter[] = []
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  all(): void {
    while (this.#at < this.#tokens.length) this.#value([])
  }

  /** Reads a value or a piece of code, which ends at one of `ends`. */
  #value(ends: readonly string[]): Value {
    const token = this.#tokens[this.#at] ?? ''
    const literal = token === '{' ? this.#object() : token === '[' ? this.#list() : this.#single(token)
    const next = this.#tokens[this.#at]
    if (next === undefined || next === ',' || ends.includes(next)) return literal
    if (ends.length === 0) return undefined
    // More follows, so that it is code; objects in it may be routes all the same.
    while (this.#at < this.#tokens.length && ![',', ...ends].includes(this.#tokens[this.#at] as string)) this.#value([])
    return undefined
  }

  /** A token that opens nothing, or a call. */
  #single(token: string): Value {
    this.#at += 1
    if (token === '(') this.#items(')')
    if (token === 'createCoreRouter' && this.#tokens[this.#at] === '(') this.#router()
    const isText = /^['"]/.test(token) || (token.startsWith('`') && !token.includes('${'))
    return isText ? token.slice(1, -1) : undefined
  }

  #list(): Value {
    this.#at += 1
    return this.#items(']')
  }

  #items(end: string): Value[] {
    const items: Value[] = []
    while (this.#at < this.#tokens.length && this.#tokens[this.#at] !== end)
      if (this.#tokens[this.#at] === ',') this.#at += 1
      else items.push(this.#value([end]))
    this.#at += 1
    return items
  }

  #object(): Value {
    this.#at += 1
    const members = new Map<string, Value>()
    const before = this.routes.length
    while (this.#at < this.#tokens.length && this.#tokens[this.#at] !== '}') {
      const key = this.#tokens[this.#at] as string
      if (this.#tokens[this.#at + 1] === ':') {
        this.#at += 2
        members.set(key.replace(/^['"]|['"]$/g, ''), this.#value(['}']))
      } else if (key === ',') this.#at += 1
      else this.#value(['}'])
    }
    this.#at += 1
    this.#note(members, before)
    return members
  }

  /** An object with a method and a path is a route; one with routes may put a prefix before theirs. */
  #note(members: Members, before: number): void {
    const [method, path, prefix, handler] = ['method', 'path', 'prefix', 'handler'].map(key => members.get(key))
    if (typeof method === 'string' && typeof path === 'string' && methods.has(method.toUpperCase()))
      this.routes.push({
        method: method.toUpperCase(),
        path: path.startsWith('/') ? path : `/${path}`,
        ...(typeof handler === 'string' && { handler }),
        guards: guardsOf(members.get('config')),
      })
    else if (members.has('routes') && typeof prefix === 'string' && prefix !== '')
      for (const [at, route] of this.routes.entries())
        if (at >= before) this.routes[at] = { ...route, path: `${prefix.replace(/\/$/, '')}${route.path}` }
  }

  #router(): void {
    this.#at += 1
    const [uid, said] = this.#items(')')
    if (typeof uid !== 'string') return
    const options = said instanceof Map ? (said as Members) : new Map<string, Value>()
    const { only, except } = { only: textsIn(options.get('only')), except: textsIn(options.get('except')) }
    const config = options.get('config')
    const guarded = [...(config instanceof Map ? (config as Members) : [])]
      .map(([name, value]) => [name, guardsOf(value)] as const)
      .filter(([, guards]) => guards.length > 0)
    const prefix = options.get('prefix')
    this.routers.push({
      uid,
      ...(typeof prefix === 'string' && prefix !== '' && { prefix }),
      ...(only && { only }),
      ...(except && { except }),
      guarded: Object.fromEntries(guarded),
    })
  }
}

const textsIn = (value: Value): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : undefined

/** The policies and middlewares in a route's `config`; an empty list guards nothing. */
function guardsOf(config: Value): string[] {
  if (!(config instanceof Map)) return []
  const lists = ['policies', 'middlewares'].flatMap(name => {
    const list = (config as Members).get(name)
    if (!(config as Members).has(name) || (Array.isArray(list) && list.length === 0)) return []
    const names = textsIn(list) ?? []
    return [names.length > 0 ? `${name} ${names.join(', ')}` : name]
  })
  return (config as Members).has('auth') ? [...lists, 'auth'] : lists
}
