import { type Node, textIn } from './syntax.js'
import type { Value } from './values.js'

/** The file that a piece of code stands in, as far as the values of its names depend on it. */
export interface FileOfScope {
  readonly file: string
  /** The values that are assigned to names after they are declared. */
  readonly assigned: ReadonlyMap<string, readonly Node[]>
}

/** The names that code sees, each with its value, which is looked for when it is asked for. */
export class Scope {
  readonly file: FileOfScope
  readonly self: Value
  readonly #outer: Scope | undefined
  readonly #names = new Map<string, () => Value>()

  constructor(file: FileOfScope, outer?: Scope, self: { readonly value: Value } | undefined = undefined) {
    this.file = file
    this.#outer = outer
    this.self = self ? self.value : outer?.self
  }

  /** A scope in this one; what `this` is may be another in it. */
  inner(self?: { readonly value: Value }): Scope {
    return new Scope(this.file, this, self)
  }

  declare(name: string, find: () => Value): void {
    let found: { readonly value: Value } | undefined
    let isLooking = false
    this.#names.set(name, () => {
      if (found || isLooking) return found?.value
      isLooking = true
      found = { value: find() }
      return found.value
    })
  }

  knows(name: string): boolean {
    return this.#names.has(name) || this.#outer?.knows(name) === true
  }

  valueOf(name: string): Value {
    return this.#names.get(name)?.() ?? (this.#names.has(name) ? undefined : this.#outer?.valueOf(name))
  }
}

/** Finds the values of expressions and members. */
export interface Reading {
  value(node: Node | undefined, scope: Scope): Value
  member(of: Value, name: string): Value
  imported(request: string, scope: Scope): Value
}

/** Declares the names of a pattern, which takes a value apart. */
export function declarePattern(scope: Scope, pattern: Node, find: () => Value, reading: Reading): void {
  const parts: Readonly<Record<string, () => void>> = {
    Identifier: () => scope.declare(pattern.name, find),
    AssignmentPattern: () =>
      declarePattern(scope, pattern.left, () => find() ?? reading.value(pattern.right, scope), reading),
    ArrayPattern: () => {
      for (const [at, item] of pattern.elements.entries())
        if (item) declarePattern(scope, item, () => itemOf(find(), at), reading)
    },
    RestElement: () => declarePattern(scope, pattern.argument, () => undefined, reading),
    TSParameterProperty: () => declarePattern(scope, pattern.parameter, find, reading),
    ObjectPattern: () => {
      for (const property of pattern.properties)
        if (property.type === 'RestElement') declarePattern(scope, property, () => undefined, reading)
        else declarePattern(scope, property.value, () => takenOf(find(), property, reading), reading)
    },
  }
  parts[pattern.type]?.()
}

const itemOf = (value: Value, at: number): Value => (value?.kind === 'list' ? value.items[at] : undefined)

function takenOf(value: Value, { key, computed }: Node, reading: Reading): Value {
  const name = !computed && key.type === 'Identifier' ? key.name : textIn(key)
  return value === undefined || name === undefined ? undefined : reading.member(value, name)
}

/** Declares what the statements of a block do. */
export function declareStatements(scope: Scope, statements: readonly Node[], reading: Reading): void {
  for (const statement of statements) {
    const declared = statement.type.startsWith('Export') && statement.declaration ? statement.declaration : statement
    if (declared.type === 'ImportDeclaration') declareImport(scope, declared, reading)
    else if (declared.type === 'VariableDeclaration')
      for (const one of declared.declarations) declareVariable(scope, one, reading)
    else if (declared.type === 'FunctionDeclaration' && declared.id)
      scope.declare(declared.id.name, () => ({ kind: 'function', node: declared, scope }))
    else if (declared.id?.type === 'Identifier') scope.declare(declared.id.name, () => undefined)
  }
}

/** A name that is assigned to again is whatever it is by then; one that is only set later is what it is set to. */
function declareVariable(scope: Scope, { id, init }: Node, reading: Reading): void {
  const later = id.type === 'Identifier' ? (scope.file.assigned.get(id.name) ?? []) : []
  const [given] = init ? [init] : later
  const isOne = later.length === (init ? 0 : 1)
  declarePattern(scope, id, () => (isOne ? reading.value(given, scope) : undefined), reading)
}

function declareImport(scope: Scope, { source, specifiers }: Node, reading: Reading): void {
  const of = () => reading.imported(source.value, scope)
  for (const { type, local, imported } of specifiers) {
    const name: string | undefined =
      imported?.name ?? imported?.value ?? (type === 'ImportDefaultSpecifier' ? 'default' : undefined)
    scope.declare(local.name, () => (name === undefined ? of() : importedMember(of(), name, reading)))
  }
}

/** A module of CommonJS is its own default export. */
function importedMember(value: Value, name: string, reading: Reading): Value {
  if (name !== 'default' || value?.kind !== 'part') return value && reading.member(value, name)
  return value
}
