import { createRequire } from 'node:module'
import type { Jiti } from 'jiti'
import type { Loose } from '../types.js'

/** A node of a syntax tree, in the words of Babel. */
export interface Node {
  readonly type: string
  readonly loc?: { readonly start: { readonly line: number } }
  // biome-ignore lint/suspicious/noExplicitAny: the members of a node follow from its type
  readonly [member: string]: any
}

/** A mistake in the text of a file. */
export class WrongSyntax extends Error {
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

let jiti: Jiti | undefined

/** The syntax tree of a script; nothing of it runs. */
export function treeOf(source: string, file: string): Node {
  if (!jiti) {
    const { createJiti } = createRequire(import.meta.url)('jiti') as typeof import('jiti')
    jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false })
  }
  let tree: Node | undefined
  // The compiler's own parser is what is wanted of it: it is left nothing to compile.
  const keep = () => ({
    name: 'keep-the-tree',
    parserOverride(text: string, options: Loose, parse: (text: string, options: Loose) => Loose) {
      tree = parse(text, options)
      return parse('', options)
    },
  })
  const text = source.replace(/^\uFEFF/, '').replace(/^#!/, '//')
  const code = jiti.transform({ source: text, filename: file, ts: /\.[cm]?ts$/.test(file), babel: { plugins: [keep] } })
  if (tree) return tree.program
  const [, report = '{}'] = /^exports\.__JITI_ERROR__ = (\{.*\})$/s.exec(code) ?? []
  const { line = 1, message = 'it cannot be parsed' } = JSON.parse(report) as { line?: number; message?: string }
  throw new WrongSyntax(message.trim(), line)
}

/** Members of nodes that hold no part of the program. */
const aside: ReadonlySet<string> = new Set([
  ...['loc', 'start', 'end', 'type', 'extra', 'leadingComments', 'trailingComments', 'innerComments'],
  ...['typeAnnotation', 'typeParameters', 'returnType', 'typeArguments', 'superTypeParameters', 'implements'],
])

/** The nodes right below a node, those of types of TypeScript left out. */
export function childrenOf(node: Node): Node[] {
  const found: Node[] = []
  for (const [name, value] of Object.entries(node)) {
    if (aside.has(name)) continue
    for (const one of Array.isArray(value) ? value : [value]) if (isNode(one) && !isType(one)) found.push(one)
  }
  return found
}

const isNode = (value: Loose): value is Node =>
  typeof value === 'object' && value !== null && typeof value.type === 'string'

const isType = ({ type }: Node): boolean =>
  type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration' || type === 'TSDeclareFunction'

/** Calls for each node of a tree, from the outside to the inside. */
export function eachNode(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const child of childrenOf(node)) eachNode(child, visit)
}

export const isFunction = ({ type }: Node): boolean =>
  /^(?:Arrow)?Function(?:Expression|Declaration)?$|^(?:Object|Class)(?:Private)?Method$|^ArrowFunctionExpression$/.test(
    type,
  )

export const lineOf = ({ loc }: Node): number => loc?.start.line ?? 1

/** The expression in parentheses, behind `await`, or before a type. */
export function bare(node: Node): Node {
  let at = node
  while (
    at &&
    /^(?:AwaitExpression|ParenthesizedExpression|TS(?:As|Satisfies|NonNull|TypeAssertion)\w*)$/.test(at.type)
  )
    at = at.argument ?? at.expression
  return at
}

/** The name of a member or a key, where it is written out. */
export function keyOf({ computed, key, property }: Node): string | undefined {
  const name: Node = key ?? property
  if (!computed && name.type === 'Identifier') return name.name
  return name.type === 'StringLiteral' || name.type === 'NumericLiteral' ? String(name.value) : undefined
}

/** The text of a literal without anything to fill in. */
export function textIn(node: Node | undefined): string | undefined {
  if (node?.type === 'StringLiteral') return node.value
  return node?.type === 'TemplateLiteral' && node.expressions.length === 0 ? node.quasis[0].value.cooked : undefined
}
