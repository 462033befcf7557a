/** An action that some route asks for. */
export interface KnownAction {
  readonly uid: string
  readonly action: string
}

type Switches = Record<string, { enabled: boolean; policy: '' }>
/** Actions as the panel of Strapi 4 groups them: by API or plugin, then by controller. */
export type ActionTree = Record<string, { controllers: Record<string, Switches> }>

/** `api::article.article` is the controller `article` of `api::article`. */
function placeOf(uid: string): { group: string; controller: string } {
  const cut = uid.lastIndexOf('.')
  return { group: uid.slice(0, cut), controller: uid.slice(cut + 1) }
}

/** The tree of the actions of an app: writes it for a role, and reads the grants in a sent one. */
export class Actions {
  readonly #known: readonly KnownAction[]
  readonly #names: ReadonlySet<string>

  constructor(actions: readonly KnownAction[]) {
    // An action of a plugin that names no controller has no place in a tree of controllers.
    this.#known = actions.filter(({ uid }) => uid.includes('.'))
    this.#names = new Set(this.#known.map(({ uid, action }) => `${uid}.${action}`))
  }

  /** True if the tree has a place for an action: sending a tree does not change actions outside of it. */
  has(granted: string): boolean {
    return this.#names.has(granted)
  }

  /** All actions, switched on where they are granted. */
  tree(granted: ReadonlySet<string>): ActionTree {
    const tree: ActionTree = {}
    for (const { uid, action } of this.#known) {
      const { group, controller } = placeOf(uid)
      tree[group] ??= { controllers: {} }
      const { controllers } = tree[group]
      const enabled = granted.has(`${uid}.${action}`)
      controllers[controller] = { ...controllers[controller], [action]: { enabled, policy: '' } }
    }
    return tree
  }

  /** The actions that a tree switches on, as it was sent: anything that has no form of a tree grants nothing. */
  enabledIn(tree: unknown): Set<string> {
    const granted = new Set<string>()
    for (const [group, part] of entriesOf(tree))
      for (const [controller, switches] of entriesOf((part as { controllers?: unknown } | null)?.controllers))
        for (const [action, state] of entriesOf(switches))
          if ((state as { enabled?: unknown } | null)?.enabled === true) granted.add(`${group}.${controller}.${action}`)
    return granted
  }
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
