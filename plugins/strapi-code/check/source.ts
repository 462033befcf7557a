import { readFileSync } from 'node:fs'
import path from 'node:path'
import { declareStatements, type FileOfScope, type Reading, Scope } from './scope.js'
import { bare, eachNode, keyOf, type Node, treeOf, WrongSyntax } from './syntax.js'
import type { Value } from './values.js'

/** A script of the project, read. */
export class Source implements FileOfScope {
  /** Relative to the folder of the app. */
  readonly place: string
  readonly file: string
  readonly text: string
  readonly program: Node | undefined
  readonly wrong: WrongSyntax | undefined
  readonly assigned = new Map<string, Node[]>()
  #scope: Scope | undefined

  constructor(appDir: string, file: string) {
    this.file = file
    this.place = path.relative(appDir, file).split(path.sep).join('/')
    this.text = readFileSync(file, 'utf8')
    try {
      this.program = treeOf(this.text, file)
      eachNode(this.program, node => this.#note(node))
    } catch (error) {
      if (!(error instanceof WrongSyntax)) throw error
      this.wrong = error
    }
  }

  #note({ type, left, right, operator }: Node): void {
    if (type !== 'AssignmentExpression' || left.type !== 'Identifier') return
    const all = this.assigned.get(left.name) ?? []
    this.assigned.set(left.name, [...all, operator === '=' ? right : left])
  }

  /** The scope of the file itself. */
  scope(reading: Reading): Scope {
    if (!this.#scope) {
      this.#scope = new Scope(this)
      if (this.program) declareStatements(this.#scope, this.program.body, reading)
    }
    return this.#scope
  }

  /** Values that were found are found again, as more is known by now. */
  forget(): void {
    this.#scope = undefined
  }

  /** The expression that the file exports as a whole; single exports are the members of an object. */
  get exported(): Node | undefined {
    const members: Node[] = []
    let whole: Node | undefined
    for (const statement of (this.program?.body ?? []) as Node[]) {
      if (statement.type === 'ExportDefaultDeclaration') whole = statement.declaration
      else if (statement.type === 'ExportNamedDeclaration') members.push(...namedExports(statement))
      else if (statement.type === 'TSExportAssignment') whole = statement.expression
      else if (statement.type === 'ExpressionStatement') {
        const { left, right } = bare(statement.expression) as Node
        const name = left && exportName(left)
        if (name === '') whole = right
        else if (name !== undefined) members.push(property(name, right))
      }
    }
    return whole ?? (members.length > 0 ? ({ type: 'ObjectExpression', properties: members } as Node) : undefined)
  }

  value(reading: Reading): Value {
    return this.exported && reading.value(this.exported, this.scope(reading))
  }
}

const property = (name: string, value: Node): Node => ({
  type: 'ObjectProperty',
  key: { type: 'Identifier', name },
  value,
  loc: value.loc,
})

/** `module.exports` is the empty name, `exports.x` and `module.exports.x` are `x`. */
function exportName(node: Node): string | undefined {
  if (node.type !== 'MemberExpression') return undefined
  const name = keyOf(node)
  const { object } = node
  if (object.type === 'Identifier' && object.name === 'module' && name === 'exports') return ''
  const isExports = (object.type === 'Identifier' && object.name === 'exports') || exportName(object) === ''
  return isExports ? name : undefined
}

function namedExports({ declaration, specifiers, source }: Node): Node[] {
  if (!declaration)
    return source
      ? []
      : (specifiers as Node[]).map(({ local, exported }) => property(exported.name ?? exported.value, local))
  if (declaration.type === 'VariableDeclaration')
    return (declaration.declarations as Node[]).flatMap(({ id }) =>
      id.type === 'Identifier' ? [property(id.name, id)] : [],
    )
  return declaration.id ? [property(declaration.id.name, declaration.id)] : []
}
