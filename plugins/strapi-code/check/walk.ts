import { noPlugin, noTypeToProxy, noTypeToRoute, sentence } from '../not-carried.js'
import { noEvents } from '../project/project.js'
import { ctxPart, eventPart } from './carried.js'
import { type CodeOnDisk, factoryOf, roleOf } from './project.js'
import type { Scope } from './scope.js'
import { declareStatements } from './scope.js'
import type { Source } from './source.js'
import { bare, childrenOf, isFunction, keyOf, lineOf, type Node } from './syntax.js'
import { textOf, type Value } from './values.js'

/** Something that does not run. */
export interface Finding {
  readonly file: string
  readonly line: number
  readonly says: string
  /** The package that is not installed. */
  readonly package?: string
}

/** The parameters of a function, and its `this`, by what the function is for. */
interface FunctionRole {
  readonly params: readonly Value[]
  readonly self?: { readonly value: Value }
}

interface NotedFinding extends Finding {
  /** The part that is missing, which code may have looked for. */
  readonly path?: string
}

/** Walks through one script, and notes what nothing carries. */
export class Walk {
  readonly #code: CodeOnDisk
  readonly #source: Source
  readonly #roles = new Map<Node, FunctionRole>()
  readonly #noted: NotedFinding[] = []
  /** Parts that are asked for whether they are there. */
  readonly #tested = new Set<string>()

  constructor(code: CodeOnDisk, source: Source) {
    this.#code = code
    this.#source = source
  }

  findings(): Finding[] {
    const { place, wrong, program } = this.#source
    if (wrong) return [{ file: place, line: wrong.line, says: wrong.message }]
    if (!program) return []
    this.#giveRoles()
    const scope = this.#source.scope(this.#code.reader)
    for (const statement of program.body) this.#visit(statement, scope)
    this.#lookAtExport()
    const left = this.#noted.filter(({ path }) => path === undefined || !this.#tested.has(path))
    return left.map(({ file, line, says }) => ({ file, line, says }))
  }

  /** Actions of controllers get `ctx`, lifecycles `event`; `this` of services is the service. */
  #giveRoles(): void {
    const { kind } = roleOf(this.#source.place)
    if (kind !== 'controllers' && kind !== 'services' && kind !== 'lifecycles') return
    const own = this.#code.ownOf(this.#source, kind)
    if (!own) return
    for (const property of own.object.properties as Node[]) {
      const value: Value =
        property.type === 'ObjectMethod'
          ? { kind: 'function', node: property, scope: own.scope }
          : this.#code.reader.value(property.value, own.scope)
      if (value?.kind !== 'function') continue
      const params = kind === 'lifecycles' ? [eventPart] : kind === 'controllers' ? ctxOf(value.node) : []
      this.#roles.set(value.node, { params, self: { value: own } })
    }
  }

  /** Lifecycles have the names of events, and extensions give the plugin back. */
  #lookAtExport(): void {
    const { exported, place } = this.#source
    if (!exported) return
    if (roleOf(place).kind === 'lifecycles') {
      const properties: readonly Node[] = this.#code.ownOf(this.#source, 'lifecycles')?.object.properties ?? []
      for (const property of properties) {
        const name = property.key && keyOf(property)
        const says = name === undefined ? undefined : noEvents([name])
        if (says !== undefined) this.#note(property, says)
      }
    }
    const { body } = bare(exported)
    const isExtension = /^src\/extensions\/[^/]+\/strapi-server\.\w+$/.test(place)
    if (isExtension && isFunction(bare(exported)) && body.type === 'BlockStatement' && !givesBack(body))
      this.#note(exported, noPlugin)
  }

  #visit(node: Node, scope: Scope): void {
    const inner = this.#scopeIn(node, scope)
    this.#look(node, inner)
    for (const child of childrenOf(node)) this.#visit(child, inner)
  }

  /** The scope of what stands in a node. */
  #scopeIn(node: Node, scope: Scope): Scope {
    const { reader } = this.#code
    if (isFunction(node)) {
      const role = this.#roles.get(node)
      const isArrow = node.type === 'ArrowFunctionExpression'
      const self = isArrow ? undefined : (role?.self ?? { value: undefined })
      return reader.functionScope(node, scope, role?.params ?? this.#paramsBy(node), self)
    }
    if (node.type === 'BlockStatement' || node.type === 'StaticBlock') {
      const inner = scope.inner()
      declareStatements(inner, node.body, reader)
      return inner
    }
    if (/^(?:For|Catch|Switch)/.test(node.type)) {
      const inner = scope.inner()
      const declared = [node.init, node.left].filter(one => one?.type === 'VariableDeclaration')
      declareStatements(
        inner,
        [...declared, ...(node.cases ?? []).flatMap(({ consequent }: Node) => consequent)],
        reader,
      )
      if (node.param?.type === 'Identifier') inner.declare(node.param.name, () => undefined)
      return inner
    }
    return scope
  }

  /** `(ctx, next)` is a middleware, whatever it is called. */
  #paramsBy({ params }: Node): readonly Value[] {
    const [, second] = params as Node[]
    return second?.type === 'Identifier' && second.name === 'next' ? [ctxPart] : []
  }

  #look(node: Node, scope: Scope): void {
    switch (node.type) {
      case 'CallExpression':
      case 'OptionalCallExpression':
        this.#lookAtCall(node, scope)
        break
      case 'MemberExpression':
        this.#noteMissing(node, this.#code.reader.value(node.object, scope))
        break
      case 'VariableDeclarator':
        if (node.id.type === 'ObjectPattern') this.#noteMissing(node, this.#code.reader.value(node.init, scope))
        break
      case 'AssignmentExpression':
        this.#lookAtAssignment(node, scope)
        break
      case 'IfStatement':
      case 'ConditionalExpression':
      case 'WhileStatement':
        this.#test(node.test, scope)
        break
      case 'LogicalExpression':
        this.#test(node.left, scope)
        break
      case 'UnaryExpression':
        if (node.operator === 'typeof') this.#test(node.argument, scope)
        break
      default:
    }
  }

  #lookAtCall(node: Node, scope: Scope): void {
    const { reader } = this.#code
    const callee = reader.value(node.callee, scope)
    if (callee?.kind === 'absent') this.#note(node, sentence(callee.path, callee.why))
    if (callee?.kind === 'unheard') this.#note(node, callee.says)
    if (node.type === 'CallExpression') this.#noteMissing(node, callee)
    const given = reader.value(node, scope)
    if (given?.kind === 'refused' || given?.kind === 'unheard') this.#note(node, given.says)
    if (callee?.kind === 'part' && callee.path === 'strapi.db.lifecycles.subscribe')
      this.#subscribe(reader.value(node.arguments[0], scope))
    const factory = factoryOf(node)
    const uid = factory === undefined ? undefined : textOf(reader.value(node.arguments[0], scope))
    if (uid !== undefined && !this.#code.hasType(uid))
      this.#note(node, factory === 'createCoreRouter' ? noTypeToRoute(uid) : noTypeToProxy(uid))
  }

  #subscribe(given: Value): void {
    if (given?.kind === 'function') this.#roles.set(given.node, { params: [eventPart] })
    if (given?.kind !== 'object') return
    for (const property of given.node.properties as Node[]) {
      const node = property.type === 'ObjectMethod' ? property : property.value
      if (node && isFunction(node)) this.#roles.set(node, { params: [eventPart] })
    }
  }

  #lookAtAssignment({ left, loc, type }: Node, scope: Scope): void {
    if (left.type !== 'MemberExpression') return
    const { reader } = this.#code
    const of = reader.value(left.object, scope)
    if (of?.kind !== 'absent') return
    this.#note({ type, ...(loc && { loc }) }, sentence(`${of.path}.${keyOf(left) ?? '...'}`, of.why))
  }

  /** A name that is only asked for, and not used, does no harm; one that is asked for first is used with care. */
  #test(node: Node, scope: Scope): void {
    const at = bare(node)
    if (at.type === 'LogicalExpression' || at.type === 'BinaryExpression') {
      this.#test(at.left, scope)
      this.#test(at.right, scope)
    } else if (at.type === 'UnaryExpression') this.#test(at.argument, scope)
    else if (/^(?:Optional)?(?:MemberExpression|CallExpression)$|^Identifier$/.test(at.type)) {
      const value = this.#code.reader.value(at, scope)
      if (value?.kind === 'missing') this.#tested.add(value.path)
    }
  }

  #noteMissing(node: Node, value: Value): void {
    if (value?.kind === 'missing') this.#note(node, value.says, value.path)
  }

  #note(node: Node, says: string, path?: string): void {
    this.#noted.push({ file: this.#source.place, line: lineOf(node), says, ...(path !== undefined && { path }) })
  }
}

/** Controllers have functions for themselves beside their actions, which get other things. */
const ctxOf = ({ params: [first] }: Node): readonly Value[] =>
  first?.type === 'Identifier' && /^_?(?:ctx|context)$/.test(first.name) ? [ctxPart] : []

/** True where a function returns anything; functions in it are their own. */
function givesBack(node: Node): boolean {
  if (node.type === 'ReturnStatement') return node.argument !== null
  return childrenOf(node).some(child => !isFunction(child) && givesBack(child))
}

/** Notes the members that the code gives to parts of Strapi: `strapi.mail = ...`. */
export function noteSets(code: CodeOnDisk, source: Source): void {
  if (!source.program) return
  const { reader } = code
  const note = (of: Value, name: string | undefined) => {
    if (name === undefined) return
    if (of?.kind === 'part') code.noteSet(`${of.path}.${name}`)
  }
  const visit = (node: Node, scope: Scope): void => {
    let inner = scope
    if (isFunction(node)) inner = reader.functionScope(node, scope, [])
    else if (node.type === 'BlockStatement') {
      inner = scope.inner()
      declareStatements(inner, node.body, reader)
    }
    if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
      const { object } = node.left
      if (object.type === 'ThisExpression') code.noteSet(`this.${keyOf(node.left)}`)
      else note(reader.value(object, inner), keyOf(node.left))
    }
    if (node.type === 'CallExpression') noteCall(node, inner)
    for (const child of childrenOf(node)) visit(child, inner)
  }
  const noteCall = ({ callee, arguments: given }: Node, scope: Scope): void => {
    if (callee.type !== 'MemberExpression' || callee.object.name !== 'Object') return
    const of = reader.value(given[0], scope)
    const name = keyOf(callee)
    if (name === 'defineProperty') note(of, textOf(reader.value(given[1], scope)))
    if (name !== 'assign') return
    for (const one of given.slice(1) as Node[]) {
      const object = reader.value(one, scope)
      if (object?.kind === 'object')
        for (const property of object.node.properties) note(of, property.key && keyOf(property))
    }
  }
  const scope = source.scope(reader)
  for (const statement of source.program.body) visit(statement, scope)
}
