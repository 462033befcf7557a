import type { ContentType } from '../../../../../core/index.js'
import type { Hides } from '../../../../graphql/index.js'
import type { Bag, Loose } from '../../../types.js'

type Place = 'output' | 'input' | 'filters'

const places: readonly Place[] = ['output', 'input', 'filters']
const queries = ['find', 'findOne']
const mutations = ['create', 'update', 'delete']

/** A type, as code takes parts of it out of the schema and puts them back. */
class Shadow {
  isHidden = false
  readonly actions = new Set<string>()
  readonly attributes = new Map<string, Set<Place>>()

  /** The functions that code calls, each of which gives them all. */
  readonly asked: Bag = (() => {
    const toggle = (isHidden: boolean) => {
      this.isHidden = isHidden
    }
    const act = (names: readonly string[], isHidden: boolean) => change(this.actions, names, isHidden)
    return chained(
      {
        enable: () => toggle(false),
        disable: () => toggle(true),
        enableQueries: () => act(queries, false),
        disableQueries: () => act(queries, true),
        enableMutations: () => act(mutations, false),
        disableMutations: () => act(mutations, true),
        enableAction: (name: string) => act([name], false),
        disableAction: (name: string) => act([name], true),
        enableActions: (names: readonly string[]) => act(names, false),
        disableActions: (names: readonly string[]) => act(names, true),
      },
      {
        isEnabled: () => !this.isHidden,
        isDisabled: () => this.isHidden,
        areQueriesEnabled: () => !queries.some(name => this.actions.has(name)),
        areQueriesDisabled: () => queries.some(name => this.actions.has(name)),
        areMutationsEnabled: () => !mutations.some(name => this.actions.has(name)),
        areMutationsDisabled: () => mutations.some(name => this.actions.has(name)),
        isActionEnabled: (name: string) => !this.actions.has(name),
        isActionDisabled: (name: string) => this.actions.has(name),
        field: (name: string) => this.#field(name),
      },
    )
  })()

  #field(name: string): Bag {
    const hidden = this.attributes.get(name) ?? new Set<Place>()
    this.attributes.set(name, hidden)
    const at = (where: readonly Place[], isHidden: boolean) => () => change(hidden, where, isHidden)
    const has = (where: readonly Place[]) => () => !where.some(place => hidden.has(place))
    return chained(
      {
        enable: at(places, false),
        disable: at(places, true),
        enableOutput: at(['output'], false),
        disableOutput: at(['output'], true),
        enableInput: at(['input'], false),
        disableInput: at(['input'], true),
        enableFilters: at(['filters'], false),
        disableFilters: at(['filters'], true),
      },
      {
        isEnabled: has(places),
        hasOutputEnabled: has(['output']),
        hasInputEnabled: has(['input']),
        hasFiltersEnabeld: has(['filters']),
      },
    )
  }
}

function change<T>(set: Set<T>, values: readonly T[], isIn: boolean): void {
  for (const value of values)
    if (isIn) set.add(value)
    else set.delete(value)
}

/** The setters give everything, so that calls may be chained; the others what they find. */
function chained(setters: Readonly<Record<string, (...given: Loose[]) => void>>, others: Bag): Bag {
  const all: Bag = { ...others }
  for (const [name, set] of Object.entries(setters))
    all[name] = (...given: Loose[]) => {
      set(...given)
      return all
    }
  return all
}

/** The parts of the content that code takes out of the schema. */
export class Shadows implements Hides {
  readonly #shadows = new Map<string, Shadow>()

  get isEmpty(): boolean {
    return this.#shadows.size === 0
  }

  of(uid: string): Bag {
    const shadow = this.#shadows.get(uid) ?? new Shadow()
    this.#shadows.set(uid, shadow)
    return shadow.asked
  }

  readonly type = ({ uid }: ContentType): boolean => this.#shadows.get(uid)?.isHidden === true

  readonly action = ({ uid }: ContentType, action: string): boolean => {
    const shadow = this.#shadows.get(uid)
    return shadow !== undefined && (shadow.isHidden || shadow.actions.has(action))
  }

  readonly attribute = ({ uid, links }: ContentType, name: string, place: Place): boolean => {
    const targets = links.get(name)?.targets ?? []
    if (targets.length > 0 && targets.every(target => this.#shadows.get(target)?.isHidden === true)) return true
    return this.#shadows.get(uid)?.attributes.get(name)?.has(place) === true
  }
}
