import type { ContentType } from '../schema/types.js'
import { type Named, namedIn } from './named.js'

/** Attributes that a caller may name of those entries that meet the filters. */
export interface MoreFields {
  readonly rows: Readonly<Record<string, unknown>>
  readonly fields: ReadonlySet<string>
}

/** The attributes of a type that are shown of some entries only, which no filter and no sort may name. */
export class MoreView {
  /** The type with all attributes that some entry may show. */
  readonly wide: ContentType
  readonly parts: readonly MoreFields[]
  /** The attributes of which some entries show more than all do. */
  readonly names: ReadonlySet<string>
  readonly #type: ContentType
  readonly #all: ReadonlySet<string>
  readonly #named = new Map<string, Named>()

  constructor(type: ContentType, wide: ContentType, all: ReadonlySet<string>, parts: readonly MoreFields[]) {
    this.#type = type
    this.#all = all
    this.wide = wide
    this.parts = parts
    const beyond = parts.flatMap(({ fields }) => [...fields].filter(name => !covers(all, name)))
    this.names = new Set(beyond.map(topOf))
  }

  /** The attributes that an entry shows, by the parts whose rows it is one of. */
  named(met: readonly boolean[]): Named {
    const key = met.map(Number).join('')
    const known = this.#named.get(key)
    if (known) return known
    const named = namedIn(
      [this.#type],
      union(
        this.#all,
        this.parts.filter((_, index) => met[index]),
      ),
    )
    this.#named.set(key, named)
    return named
  }

  /** For each part whether it has something of an attribute. */
  givers(attribute: string): readonly boolean[] {
    return this.parts.map(({ fields }) => [...fields].some(name => topOf(name) === attribute))
  }
}

/** The names of all attributes together. */
export const union = (all: ReadonlySet<string>, parts: readonly Pick<MoreFields, 'fields'>[]): ReadonlySet<string> =>
  new Set([...all, ...parts.flatMap(({ fields }) => [...fields])])

const known = new WeakMap<ContentType, MoreView>()

/** The attributes that only some entries of a type show; undefined where there are none. */
export const moreBehind = (view: ContentType): MoreView | undefined => known.get(view)

export const noteMore = (view: ContentType, more: MoreView): void => void known.set(view, more)

const topOf = (name: string): string => name.split('.', 1)[0] as string

/** True if names include one, or a component that it is a part of. */
function covers(names: ReadonlySet<string>, name: string): boolean {
  for (let at = name; ; at = at.slice(0, at.lastIndexOf('.'))) {
    if (names.has(at)) return true
    if (!at.includes('.')) return false
  }
}

type Values = Record<string, unknown>

/** Takes from an entry what it does not show; `shown` are its members by the attributes that they have. */
export function prune(entry: Values, named: Named, shown: readonly (readonly [member: string, attribute: string])[]) {
  for (const [member, attribute] of shown) {
    const parts = named.get(attribute)
    if (parts === undefined) delete entry[member]
    else if (parts !== true) pruneParts(entry[member], parts)
  }
}

const ofItem = ['id', '__component', '__type']

function pruneParts(value: unknown, named: Named): void {
  for (const item of [value].flat()) {
    if (typeof item !== 'object' || item === null) continue
    const names = Object.keys(item).filter(name => !ofItem.includes(name))
    prune(
      item as Values,
      named,
      names.map(name => [name, name]),
    )
  }
}
