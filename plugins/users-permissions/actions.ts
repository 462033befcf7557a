/** An action that some route asks for. */
export interface KnownAction {
  readonly uid: string
  readonly action: string
}

type Switches = Record<string, { enabled: boolean; policy: '' }>
/** Actions as the panel of Strapi 4 groups them: by API or plugin, then by controller. */
export type ActionTree = Record<string, { controllers: Record<string, Switches> }>

/**
 * `api::article.article` is the controller `article` of `api::article`. An action of a plugin as a whole has no controller in
 * its name: the tree has it under one that is called like the plugin.
 */
function placeOf({ uid, action }: KnownAction): Place {
  const cut = uid.lastIndexOf('.')
  const [group, controller] =
    cut < 0 ? [uid, uid.slice(uid.lastIndexOf(':') + 1)] : [uid.slice(0, cut), uid.slice(cut + 1)]
  return { group, controller, action, granted: `${uid}.${action}` }
}

interface Place {
  readonly group: string
  readonly controller: string
  readonly action: string
  /** The action as it is granted. */
  readonly granted: string
}

const nameOf = ({ group, controller, action }: Omit<Place, 'granted'>): string => `${group}.${controller}.${action}`

/** The tree of the actions of an app: how it is written for a role, and what one that is sent grants. */
export class Actions {
  /** By what the tree calls them. Where two would be called the same, the one whose name says so is it. */
  readonly #places = new Map<string, Place>()
  readonly #granted: ReadonlySet<string>

  constructor(actions: readonly KnownAction[]) {
    const isNamed = ({ uid }: KnownAction) => uid.includes('.')
    const named = new Set(actions.filter(isNamed).map(known => nameOf(placeOf(known))))
    for (const known of actions) {
      const place = placeOf(known)
      if (isNamed(known) || !named.has(nameOf(place))) this.#places.set(nameOf(place), place)
    }
    this.#granted = new Set([...this.#places.values()].map(({ granted }) => granted))
  }

  /** Whether the tree has a place for an action: what it cannot say, sending it does not change. */
  has(granted: string): boolean {
    return this.#granted.has(granted)
  }

  /** All actions, switched on where they are granted. */
  tree(granted: ReadonlySet<string>): ActionTree {
    const tree: ActionTree = {}
    for (const { group, controller, action, granted: name } of this.#places.values()) {
      tree[group] ??= { controllers: {} }
      const { controllers } = tree[group]
      controllers[controller] = { ...controllers[controller], [action]: { enabled: granted.has(name), policy: '' } }
    }
    return tree
  }

  /** The actions that a tree switches on, as it was sent: anything that has no form of a tree grants nothing. */
  enabledIn(tree: unknown): Set<string> {
    const granted = new Set<string>()
    for (const [group, part] of entriesOf(tree))
      for (const [controller, switches] of entriesOf((part as { controllers?: unknown } | null)?.controllers))
        for (const [action, state] of entriesOf(switches)) {
          const name = nameOf({ group, controller, action })
          if ((state as { enabled?: unknown } | null)?.enabled === true)
            granted.add(this.#places.get(name)?.granted ?? name)
        }
    return granted
  }
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
