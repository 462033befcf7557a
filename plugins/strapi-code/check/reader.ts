import { strapiPart } from './carried.js'
import { declarePattern, declareStatements, type Reading, type Scope } from './scope.js'
import { bare, isFunction, keyOf, type Node } from './syntax.js'
import { type Known, memberOfPart, missing, type Own, part, textOf, type Value } from './values.js'

/** Finds out what expressions are, as far as the text says it. */
export class Reader implements Reading {
  readonly known: Known
  #depth = 0

  constructor(known: Known) {
    this.known = known
  }

  value(node: Node | undefined, scope: Scope): Value {
    if (!node || this.#depth > 60) return undefined
    const at = bare(node)
    this.#depth += 1
    try {
      return isFunction(at) ? { kind: 'function', node: at, scope } : readers[at.type]?.(at, scope, this)
    } finally {
      this.#depth -= 1
    }
  }

  imported(request: string, scope: Scope): Value {
    return this.known.exported(scope.file.file, request)
  }

  member(of: Value, name: string): Value {
    switch (of?.kind) {
      case 'part':
        return memberOfPart(of.path, of.shape, name, this.known)
      case 'absent':
        return { kind: 'absent', path: `${of.path}.${name}`, why: of.why }
      case 'object':
        return this.#memberIn(of.node, name, of.scope)?.value
      case 'own':
        return this.#memberOfOwn(of, name)
      default:
        return undefined
    }
  }

  /** A member of an object that is written out; undefined where it may have it by another way. */
  #memberIn(object: Node, name: string, scope: Scope): { readonly value: Value } | undefined {
    for (const property of [...object.properties].reverse()) {
      if (property.type === 'SpreadElement') {
        const spread = this.value(property.argument, scope)
        if (spread?.kind !== 'object') return { value: undefined }
        const found = this.#memberIn(spread.node, name, spread.scope)
        if (found) return found
      } else {
        const key = keyOf(property)
        if (key === undefined && property.computed) return { value: undefined }
        if (key === name) return { value: this.#valueOf(property, scope) }
      }
    }
    return undefined
  }

  #valueOf(property: Node, scope: Scope): Value {
    if (property.type !== 'ObjectMethod') return this.value(property.value, scope)
    const method: Value = { kind: 'function', node: property, scope }
    return property.kind === 'get' ? this.returned(method, []) : method
  }

  #memberOfOwn({ path, object, scope, core }: Own, name: string): Value {
    const found = this.#memberIn(object, name, scope)
    if (found) return found.value
    const member = memberOfPart(path, core, name, this.known)
    return member?.kind === 'missing' ? missing(`${path}.${name}`) : member
  }

  /** The value that a function gives, where it does nothing but that. */
  returned(of: Value, given: readonly Value[]): Value {
    if (of?.kind !== 'function') return undefined
    const { body } = of.node
    const inner = this.functionScope(of.node, of.scope, given)
    if (body?.type !== 'BlockStatement') return this.value(body, inner)
    declareStatements(inner, body.body, this)
    const returns = (body.body as Node[]).filter(({ type }) => type === 'ReturnStatement')
    return returns.length === 1 ? this.value(returns[0]?.argument, inner) : undefined
  }

  /** The scope of a function whose parameters are given, or known by their names. */
  functionScope(node: Node, outer: Scope, given: readonly Value[], self?: { readonly value: Value }): Scope {
    const inner = outer.inner(self)
    for (const [at, param] of (node.params as Node[]).entries())
      declarePattern(inner, param, () => given[at] ?? usual(param), this)
    return inner
  }

  /** The items of a list for each of which a function is called, as in `list.map(item => ...)`. */
  mapped(list: Value, map: Value): Value {
    if (list?.kind !== 'list' || map?.kind !== 'function') return undefined
    return { kind: 'list', items: list.items.map(item => this.returned(map, [item])), isWhole: list.isWhole }
  }
}

/** Parameters that are called `strapi`, or have it taken out of them. */
const usual = ({ type, name }: Node): Value =>
  type === 'Identifier' ? (name === 'strapi' ? strapiPart : undefined) : type === 'ObjectPattern' ? bag : undefined

const bag = part('', { named: name => (name === 'strapi' ? strapiPart : undefined) })

type Read = (node: Node, scope: Scope, reader: Reader) => Value

const readers: Readonly<Record<string, Read>> = {
  Identifier({ name }, scope) {
    if (scope.knows(name)) return scope.valueOf(name)
    if (name === 'strapi') return strapiPart
    return name === 'globalThis' || name === 'global' ? bag : undefined
  },
  ThisExpression: (_, scope) => scope.self,
  Super: (_, scope) => (scope.self?.kind === 'own' ? part('super', scope.self.core) : undefined),
  StringLiteral: ({ value }) => ({ kind: 'text', text: value }),
  TemplateLiteral: readTemplate,
  BinaryExpression({ operator, left, right }, scope, reader) {
    const texts = operator === '+' ? [left, right].map(one => textOf(reader.value(one, scope))) : [undefined]
    return texts.includes(undefined) ? undefined : { kind: 'text', text: texts.join('') }
  },
  ArrayExpression: readList,
  ObjectExpression: (node, scope) => ({ kind: 'object', node, scope }),
  MemberExpression: readMember,
  OptionalMemberExpression: readMember,
  CallExpression: readCall,
  OptionalCallExpression: readCall,
  LogicalExpression: ({ left, right }, scope, reader) => reader.value(left, scope) ?? reader.value(right, scope),
  AssignmentExpression: ({ operator, right }, scope, reader) =>
    operator === '=' ? reader.value(right, scope) : undefined,
}

function readTemplate({ quasis, expressions }: Node, scope: Scope, reader: Reader): Value {
  let text = quasis[0].value.cooked
  for (const [at, expression] of expressions.entries()) {
    const filled = textOf(reader.value(expression, scope))
    if (filled === undefined) return undefined
    text += filled + quasis[at + 1].value.cooked
  }
  return { kind: 'text', text }
}

function readList({ elements }: Node, scope: Scope, reader: Reader): Value {
  let isWhole = true
  const items = (elements as Node[]).flatMap((element): Value[] => {
    if (element?.type !== 'SpreadElement') return [reader.value(element, scope)]
    const spread = reader.value(element.argument, scope)
    if (spread?.kind === 'list' && spread.isWhole) return [...spread.items]
    isWhole = false
    return []
  })
  return { kind: 'list', items, isWhole }
}

function readMember(node: Node, scope: Scope, reader: Reader): Value {
  const name = keyOf(node) ?? (node.computed ? textOf(reader.value(node.property, scope)) : undefined)
  const of = reader.value(node.object, scope)
  return name === undefined || of === undefined ? undefined : reader.member(of, name)
}

function readCall(node: Node, scope: Scope, reader: Reader): Value {
  const callee = bare(node.callee)
  const [first] = node.arguments as Node[]
  const isImport = callee.type === 'Import' || (callee.type === 'Identifier' && callee.name === 'require')
  if (isImport && !scope.knows('require')) {
    const request = textOf(reader.value(first, scope))
    return request === undefined ? undefined : reader.imported(request, scope)
  }
  const given = () => (node.arguments as Node[]).map(one => reader.value(one, scope))
  if (/MemberExpression$/.test(callee.type)) {
    const list = reader.value(callee.object, scope)
    if (list?.kind === 'list') return ofList(list, keyOf(callee), given(), reader)
  }
  const of = reader.value(callee, scope)
  if (of?.kind === 'part') return of.shape.call?.(given(), reader.known)
  return reader.returned(of, given())
}

function ofList(list: Value & { kind: 'list' }, name: string | undefined, given: Value[], reader: Reader): Value {
  if (name === 'map') return reader.mapped(list, given[0])
  if (name !== 'concat') return undefined
  const items = given.flatMap(one => (one?.kind === 'list' ? one.items : [one]))
  return { kind: 'list', items: [...list.items, ...items], isWhole: list.isWhole && !given.includes(undefined) }
}
