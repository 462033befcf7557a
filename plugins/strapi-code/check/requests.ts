import { missingPackage } from '../project/failure.js'
import type { CodeOnDisk } from './project.js'
import type { Source } from './source.js'
import { childrenOf, eachNode, lineOf, type Node, textIn } from './syntax.js'
import type { Finding } from './walk.js'

/** The modules that a script asks for and does not get. */
export function lackingModules(code: CodeOnDisk, source: Source): Finding[] {
  const { appDir } = code.app
  return requestsIn(source).flatMap(({ request, node }): Finding[] => {
    const found = request === undefined ? undefined : code.lacks(source, request)
    if (!found) return []
    const place = { file: source.place, line: lineOf(node) }
    return 'file' in found
      ? [{ ...place, says: `there is no file ${found.file}` }]
      : [{ ...place, says: missingPackage(appDir, found.package), package: found.package }]
  })
}

interface Request {
  /** Undefined where the text does not tell. */
  readonly request: string | undefined
  readonly node: Node
}

/** The modules that a script asks for. */
export function requestsIn({ program, file }: Source): Request[] {
  if (!program) return []
  const found: Request[] = []
  const used = /\.ts$/.test(file) ? namesUsedIn(program) : undefined
  const note = (given: Node | undefined, node: Node) => {
    if (given) found.push({ request: textIn(given), node })
  }
  eachNode(program, node => {
    const { type, callee, source, importKind, exportKind, specifiers } = node
    if (type === 'CallExpression' && (callee.type === 'Import' || callee.name === 'require'))
      note(node.arguments[0], node)
    else if (type === 'ImportExpression') note(source, node)
    else if (type === 'TSImportEqualsDeclaration') note(node.moduleReference?.expression, node)
    else if (source && importKind !== 'type' && exportKind !== 'type') {
      // A compiler leaves out what is imported for its types alone.
      const isUsed = type !== 'ImportDeclaration' || specifiers.length === 0 || !used
      if (isUsed || specifiers.some(({ local, importKind: kind }: Node) => kind !== 'type' && used.has(local.name)))
        note(source, node)
    }
  })
  return found
}

/** Names that stand in the program as values. */
function namesUsedIn(program: Node): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (node: Node): void => {
    if (node.type === 'ImportDeclaration') return
    if (node.type === 'Identifier') found.add(node.name)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(program)
  return found
}
