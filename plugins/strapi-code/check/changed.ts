import type { Source } from './source.js'
import { eachNode, keyOf, type Node } from './syntax.js'

/** The actions that call a service of accounts. */
const callers: Readonly<Record<string, readonly string[]>> = {
  user: ['auth.register', 'user.create', 'user.update', 'user.destroy'],
  jwt: ['auth.callback', 'auth.register', 'auth.resetPassword', 'auth.changePassword'],
}

/** The actions that an extension replaces, as far as it says so: `plugin.controllers.auth.callback = ...`. */
export function replacedIn(sources: readonly Source[]): (handler: string) => boolean {
  const names = new Set<string>()
  const note = (node: Node) => {
    const path = pathOf(node)
    const at = path.findIndex(name => name === 'controllers' || name === 'services')
    const [kind, part, action] = path.slice(at)
    if (at < 0 || part === undefined) return
    if (kind === 'services') for (const handler of callers[part] ?? []) names.add(handler)
    else names.add(action === undefined ? part : `${part}.${action}`)
  }
  for (const { program } of sources)
    eachNode(program ?? nothing, ({ type, left, callee, arguments: given }) => {
      if (type === 'AssignmentExpression' && left.type === 'MemberExpression') note(left)
      const isAssign = type === 'CallExpression' && callee.object?.name === 'Object' && keyOf(callee) === 'assign'
      if (isAssign && given[0]?.type === 'MemberExpression') note(given[0])
    })
  return handler => names.has(handler) || names.has(handler.split('.')[0] as string)
}

const nothing: Node = { type: 'Program' }

/** The names of a chain of members: those of `plugin.controllers.user` are these three. */
function pathOf(node: Node): string[] {
  if (node.type === 'Identifier') return [node.name]
  if (node.type !== 'MemberExpression') return []
  return [...pathOf(node.object), keyOf(node) ?? '']
}
