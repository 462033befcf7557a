import type { Source } from './source.js'
import { childrenOf, keyOf, type Node } from './syntax.js'

/** The actions that call a service. */
const callers: Readonly<Record<string, readonly string[]>> = {
  user: ['auth.register', 'user.create', 'user.update', 'user.destroy'],
  jwt: ['auth.callback', 'auth.register', 'auth.resetPassword', 'auth.changePassword'],
  upload: ['content-api.upload'],
  locales: ['locales.listLocales'],
}

/**
 * The actions that an extension changes, as far as its text tells. An action is changed where it is set, and a whole controller
 * where it is handed on or gone through. Routes that are more than added to may be guarded: then none is what it was.
 */
export function changedIn(sources: readonly Source[]): (handler: string) => boolean {
  const names = new Set<string>()
  for (const { program } of sources) if (program) visit(program, undefined, names)
  return handler => names.has('*') || names.has(handler) || names.has(handler.split('.')[0] as string)
}

function visit(node: Node, parent: Node | undefined, names: Set<string>): void {
  if (node.type === 'MemberExpression' && !(parent?.type === 'MemberExpression' && parent.object === node))
    note(node, parent, names)
  if (node.type === 'ObjectPattern')
    for (const property of node.properties as Node[])
      if (property.key && ['controllers', 'routes', 'services'].includes(keyOf(property) ?? '')) names.add('*')
  for (const child of childrenOf(node)) visit(child, node, names)
}

/** A whole chain of members, such as `plugin.controllers.auth.callback`. */
function note(node: Node, parent: Node | undefined, names: Set<string>): void {
  const path = pathOf(node)
  const at = path.findIndex(name => name === 'controllers' || name === 'services' || name === 'routes')
  if (at < 1) return
  const [kind, ...rest] = path.slice(at)
  for (const name of kind === 'routes' ? ofRoutes(path) : ofPart(kind === 'services', rest, { node, parent }))
    names.add(name)
}

/** Routes that are added change no others. */
const ofRoutes = (path: readonly string[]): readonly string[] =>
  ['push', 'unshift'].includes(path.at(-1) ?? '') ? [] : ['*']

interface Place {
  readonly node: Node
  readonly parent: Node | undefined
}

function ofPart(isService: boolean, [part, action]: readonly string[], { node, parent }: Place): readonly string[] {
  const taken = takenOut(parent)
  // An action that is taken out of a controller is called; a controller that is taken out may get other actions.
  if (taken) return !isService && part === undefined ? taken : []
  if (part === undefined) return ['*']
  if (isService) return isSet(node, parent) ? (callers[part] ?? []) : []
  if (action === undefined) return [part]
  return isSet(node, parent) ? [`${part}.${action}`] : []
}

/** The members that are read of an object: by a pattern, or all of them for another object. */
function takenOut(parent: Node | undefined): string[] | undefined {
  if (parent?.type === 'SpreadElement') return []
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'ObjectPattern') return undefined
  return (parent.id.properties as Node[]).flatMap(property => (property.key && keyOf(property)) ?? [])
}

const isSet = (node: Node, parent: Node | undefined): boolean =>
  (parent?.type === 'AssignmentExpression' && parent.left === node) ||
  (parent?.type === 'CallExpression' && parent.arguments.includes(node))

/** The names of a chain of members: those of `plugin.controllers.user` are these three. */
function pathOf(node: Node): string[] {
  if (node.type === 'Identifier') return [node.name]
  if (node.type !== 'MemberExpression') return []
  return [...pathOf(node.object), keyOf(node) ?? '']
}
