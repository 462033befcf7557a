import type { Ask, ContentType, Link } from '../../core/index.js'
import type { DeepOptions } from './settings.js'

/** The value of one populated attribute. */
export type Wish = true | { readonly populate: Tree } | { readonly on: Readonly<Record<string, Wish>> }
/** The value of a `populate`, by the names of attributes. */
export interface Tree {
  readonly [name: string]: Wish
}

/** Thrown where a tree grows beyond what a query may cost. */
export class TreeLimitError extends Error {}

/** A query may be planned with so many times the statements that it may run: in zones most types stand nowhere. */
const mostPossible = 10

/** A place on the way from the entry that was asked for. */
interface Place {
  readonly type: ContentType
  readonly depth: number
  /** The types of the entries on the way here. */
  readonly way: readonly string[]
  /** The relation that leads here. */
  readonly from?: Link
  /** Components of a zone, and all below them, may stand nowhere. */
  readonly isPossible?: true
}

/** Everything that a caller may find around an entry, down to a depth. */
export class DeepTree {
  readonly #can: Ask['can']
  readonly #options: DeepOptions
  #statements = 1
  #possible = 0

  constructor(can: Ask['can'], options: DeepOptions) {
    this.#can = can
    this.#options = options
  }

  /** The tree of a type; throws `TreeLimitError` once it is known that no query may have it. */
  of(type: ContentType, depth: number): Tree {
    return this.#below({ type, depth, way: [type.uid] })
  }

  #below(place: Place): Tree {
    if (place.depth <= 1) return {}
    const links = [...place.type.links.values()].filter(link => this.#isWanted(link, place))
    return Object.fromEntries(links.map(link => [link.name, this.#wish(link, { ...place, depth: place.depth - 1 })]))
  }

  #isWanted(link: Link, { type, from }: Place): boolean {
    const { targets, readable } = link
    if (!(readable || this.#options.showsPrivate) || !this.#mayFind(link)) return false
    if (this.#options.skipsCreators && targets?.length === 1 && targets[0] === 'admin::user') return false
    // A file leads to everything that shows it.
    if (type.uid === 'plugin::upload.file' && link.name === 'related') return false
    return !(this.#options.cutsCycles && from && isInverse(from, link))
  }

  #mayFind({ open, targets }: Link): boolean {
    return open === true || targets === undefined || targets.some(uid => this.#can('find', uid))
  }

  #wish(link: Link, place: Place): Wish {
    this.#count(place)
    if (link.shape === 'zone') return { on: this.#zone(link, place) }
    const [type] = link.types()
    if (!type || !this.#isFollowed(link, type, place)) return true
    const way = link.embedded ? place.way : [...place.way, type.uid]
    return wishOf(this.#below({ ...place, type, way, from: link }))
  }

  /** Each component that may stand in a zone, with all that is below it. */
  #zone(link: Link, place: Place): Readonly<Record<string, Wish>> {
    const { listed } = link
    return Object.fromEntries(
      link.types().map(type => {
        const inner: Place = { ...place, type, from: link, isPossible: true }
        this.#count(inner)
        // Strapi shows components that a zone does not list as they are.
        const isListed = listed?.includes(type.uid) ?? true
        return [type.uid, isListed ? wishOf(this.#below(inner)) : true]
      }),
    )
  }

  /** Files, localizations and the like are shown as they are; so are entries of any type. */
  #isFollowed({ embedded, attribute, targets }: Link, { uid }: ContentType, { way }: Place): boolean {
    if (embedded) return true
    if (attribute.type !== 'relation' || targets?.length !== 1) return false
    return !(this.#options.cutsCycles && way.includes(uid))
  }

  #count({ isPossible }: Place): void {
    const { statements } = this.#options
    if (!isPossible) this.#statements += 1
    this.#possible += 1
    if (this.#statements > statements || this.#possible > statements * mostPossible) throw new TreeLimitError()
  }
}

const wishOf = (populate: Tree): Wish => (Object.keys(populate).length > 0 ? { populate } : true)

/** The other end of the same relation: it leads back to where it came from. */
const isInverse = ({ inverse, name, table }: Link, back: Link): boolean =>
  back.inverse === name && (inverse === undefined || inverse === back.name) && back.types()[0]?.table === table
