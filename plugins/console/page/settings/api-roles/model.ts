import type { Action } from '../actions/action-table.js'

/** Actions as the routes of `users-permissions` group them. */
export type ActionTree = Readonly<
  Record<
    string,
    { readonly controllers: Readonly<Record<string, Readonly<Record<string, { readonly enabled: boolean }>>>> }
  >
>

/** A role of the accounts of the site. */
export interface ApiRole {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly type: string
  readonly nb_users?: number
}

export type WholeRole = ApiRole & {
  readonly permissions: ActionTree
  /** `config/permissions` declares it. */
  readonly declared?: boolean
}

export const rolesUrl = '/console/api/users-permissions/roles'

const leaves = (tree: ActionTree) =>
  Object.entries(tree).flatMap(([group, { controllers }]) =>
    Object.entries(controllers).flatMap(([controller, actions]) =>
      Object.entries(actions).map(([action, { enabled }]) => ({ uid: `${group}.${controller}`, action, enabled })),
    ),
  )

export const actionsIn = (tree: ActionTree): readonly Action[] =>
  leaves(tree).map(({ uid, action }) => ({ uid, action }))

/** The names of the actions that a tree switches on. */
export const enabledIn = (tree: ActionTree): ReadonlySet<string> =>
  new Set(leaves(tree).flatMap(({ uid, action, enabled }) => (enabled ? [`${uid}.${action}`] : [])))

/** The tree that switches these on, and no others. */
export function treeOf(actions: readonly Action[], chosen: ReadonlySet<string>): ActionTree {
  const tree: Record<string, { controllers: Record<string, Record<string, { enabled: boolean }>> }> = {}
  for (const { uid, action } of actions) {
    const cut = uid.lastIndexOf('.')
    const [group, controller] = [uid.slice(0, cut), uid.slice(cut + 1)]
    tree[group] ??= { controllers: {} }
    const { controllers } = tree[group]
    controllers[controller] = { ...controllers[controller], [action]: { enabled: chosen.has(`${uid}.${action}`) } }
  }
  return tree
}
