import type { CodeOnDisk } from './project.js'
import { factoryOf, roleOf } from './project.js'
import { declareStatements, type Scope } from './scope.js'
import type { Source } from './source.js'
import { bare, childrenOf, eachNode, isFunction, keyOf, lineOf, type Node } from './syntax.js'
import { textOf, type Value } from './values.js'

/** The policies and middlewares around a handler, as far as they are written out. */
export interface Around {
  readonly policies: readonly PartName[]
  readonly middlewares: readonly PartName[]
  /** `auth` says something. */
  readonly hasAuth: boolean
}

/** The name of a policy or a middleware; undefined where it is code, or not to be read. */
export type PartName = string | undefined

/** A route that a file writes out. */
export interface RouteInFile extends Around {
  readonly source: Source
  readonly line: number
  readonly api: string
  /** Undefined where the text does not tell. */
  readonly method: string | undefined
  readonly path: string
  /** Of a plugin: what stands in place of its name. */
  readonly prefix?: string
  /** A plain list of routes stands at the root. */
  readonly at: 'api' | 'root'
  /** `order.find`; undefined where it is code. */
  readonly handler: string | undefined
}

/** A router of the standard routes of a type. */
export interface RouterInFile {
  readonly source: Source
  readonly line: number
  readonly uid: string
  readonly prefix?: string
  readonly only?: readonly string[]
  readonly except?: readonly string[]
  /** By the names of actions. */
  readonly around: ReadonlyMap<string, Around>
}

/** The routes that the files of routes declare. */
export interface RoutesOnDisk {
  readonly routes: readonly RouteInFile[]
  readonly routers: readonly RouterInFile[]
  /** Files that make routes in a way that the text does not tell. */
  readonly unread: readonly Source[]
}

/** Reads the routes that a script of a plugin writes out. */
export const routesIn = (code: CodeOnDisk, source: Source): readonly RouteInFile[] =>
  new RouteReader(code, source, '').read().routes

/** Reads the files of routes of all APIs; none of them runs. */
export function routesOnDisk(code: CodeOnDisk): RoutesOnDisk {
  const read = code.sources.flatMap(source => {
    const { kind, api } = roleOf(source.place)
    return kind === 'routes' && api !== undefined ? [new RouteReader(code, source, api).read()] : []
  })
  return {
    routes: read.flatMap(({ routes }) => routes),
    routers: read.flatMap(({ routers }) => routers),
    unread: read.flatMap(({ unread }) => unread),
  }
}

class RouteReader {
  readonly #code: CodeOnDisk
  readonly #source: Source
  readonly #api: string
  readonly #at: 'api' | 'root'
  readonly #routes: RouteInFile[] = []
  readonly #routers: RouterInFile[] = []
  /** Functions that the file calls by their names: what they make is read where they are called. */
  readonly #called = new Set<string>()
  #isUnread = false
  #depth = 0

  constructor(code: CodeOnDisk, source: Source, api: string) {
    this.#code = code
    this.#source = source
    this.#api = api
    const { exported } = source
    this.#at = exported && bare(exported).type === 'ArrayExpression' ? 'root' : 'api'
  }

  read(): RoutesOnDisk {
    const { program } = this.#source
    if (program)
      eachNode(program, ({ type, callee }) => {
        if (type === 'CallExpression' && callee.type === 'Identifier') this.#called.add(callee.name)
      })
    const scope = this.#source.scope(this.#code.reader)
    for (const statement of program?.body ?? []) this.#visit(statement, scope, '')
    const isUnread = this.#isUnread || !program
    return { routes: this.#routes, routers: this.#routers, unread: isUnread ? [this.#source] : [] }
  }

  #visit(node: Node, scope: Scope, prefix: string): void {
    const { reader } = this.#code
    const { init, id } = node
    if (((init && isFunction(init)) || isFunction(node)) && this.#called.has(id?.name)) return
    let inner = scope
    if (isFunction(node)) inner = reader.functionScope(node, scope, [])
    else if (node.type === 'BlockStatement') {
      inner = scope.inner()
      declareStatements(inner, node.body, reader)
    } else if (node.type === 'CallExpression' && this.#call(node, scope, prefix)) return
    else if (node.type === 'ObjectExpression') {
      const own = this.#object(node, scope, prefix)
      if (own === undefined) return
      for (const child of childrenOf(node)) this.#visit(child, inner, own)
      return
    }
    for (const child of childrenOf(node)) this.#visit(child, inner, prefix)
  }

  /** A router of a type, or a list of which each item becomes a route; false of any other call. */
  #call(node: Node, scope: Scope, prefix: string): boolean {
    const { reader } = this.#code
    if (factoryOf(node) === 'createCoreRouter') {
      this.#router(node, scope)
      return true
    }
    const callee = bare(node.callee)
    if (callee.type === 'Identifier') return this.#made(node, scope, prefix)
    if (callee.type !== 'MemberExpression' || keyOf(callee) !== 'map') return false
    const [list, map] = [reader.value(callee.object, scope), reader.value(node.arguments[0], scope)]
    if (list?.kind !== 'list' || map?.kind !== 'function') return false
    if (!list.isWhole) this.#isUnread = true
    for (const item of list.items) this.#visit(map.node.body, reader.functionScope(map.node, map.scope, [item]), prefix)
    return true
  }

  /** The value that a function of the file makes of what it is given. */
  #made(node: Node, scope: Scope, prefix: string): boolean {
    const { reader } = this.#code
    const of = reader.value(node.callee, scope)
    if (of?.kind !== 'function' || this.#depth > 20) return false
    const given = (node.arguments as Node[]).map(one => reader.value(one, scope))
    for (const one of node.arguments) this.#visit(one, scope, prefix)
    this.#depth += 1
    this.#visit(of.node.body, reader.functionScope(of.node, of.scope, given), prefix)
    this.#depth -= 1
    return true
  }

  /** The prefix of what is in an object; undefined where the object is a route. */
  #object(node: Node, scope: Scope, prefix: string): string | undefined {
    const keys = new Set((node.properties as Node[]).map(property => property.key && keyOf(property)))
    const member = (name: string) => this.#code.reader.member({ kind: 'object', node, scope }, name)
    if (keys.has('method') && keys.has('path')) {
      const [method, path] = [textOf(member('method')), textOf(member('path'))]
      if (path === undefined) this.#isUnread = true
      else {
        const { source, api } = { source: this.#source, api: this.#api }
        const handler = handlerText(member('handler'))
        const config = member('config')
        const instead = config && textOf(this.#code.reader.member(config, 'prefix'))
        this.#routes.push({
          ...{ source, api, line: lineOf(node), method, path: prefix + path, handler, at: this.#at },
          ...aroundOf(config, this.#code),
          ...(instead !== undefined && { prefix: instead }),
        })
      }
      return undefined
    }
    return keys.has('routes') && keys.has('prefix') ? (textOf(member('prefix')) ?? prefix) : prefix
  }

  #router(node: Node, scope: Scope): void {
    const { reader } = this.#code
    const uid = textOf(reader.value(node.arguments[0], scope))
    if (uid === undefined) {
      this.#isUnread = true
      return
    }
    const options = reader.value(node.arguments[1], scope)
    const said = (name: string) => (options ? reader.member(options, name) : undefined)
    const [prefix, only, except] = [textOf(said('prefix')), textsOf(said('only')), textsOf(said('except'))]
    this.#routers.push({
      ...{ source: this.#source, line: lineOf(node), uid, around: aroundEach(said('config'), this.#code) },
      ...(prefix !== undefined && { prefix }),
      ...(only && { only }),
      ...(except && { except }),
    })
    if (node.arguments[1] && options?.kind !== 'object') this.#isUnread = true
  }
}

/** Of a list of functions the last one responds. */
const handlerText = (value: Value): string | undefined => textOf(value?.kind === 'list' ? value.items.at(-1) : value)

const textsOf = (value: Value): string[] | undefined =>
  value?.kind === 'list' ? value.items.flatMap(item => textOf(item) ?? []) : undefined

function aroundEach(config: Value, code: CodeOnDisk): ReadonlyMap<string, Around> {
  if (config?.kind !== 'object') return new Map()
  const names = (config.node.properties as Node[]).flatMap(property => (property.key && keyOf(property)) ?? [])
  return new Map(names.map(name => [name, aroundOf(code.reader.member(config, name), code)]))
}

function aroundOf(config: Value, { reader }: CodeOnDisk): Around {
  const said = (name: string) => (config ? reader.member(config, name) : undefined)
  const isSaid = (name: string) =>
    config?.kind === 'object' && (config.node.properties as Node[]).some(one => one.key && keyOf(one) === name)
  const names = (name: string): PartName[] => {
    const list = said(name)
    if (list?.kind !== 'list') return isSaid(name) ? [textOf(list)] : []
    const items = list.items.map(item => textOf(item) ?? textOf(item && reader.member(item, 'name')))
    return list.isWhole ? items : [...items, undefined]
  }
  return { policies: names('policies'), middlewares: names('middlewares'), hasAuth: isSaid('auth') }
}

export const isGuarded = ({ policies, middlewares, hasAuth }: Around): boolean =>
  hasAuth || policies.length > 0 || middlewares.length > 0
