import type { Link } from '../../../core/index.js'
import type { ToldError } from './projector.js'

/** Arguments of a populated attribute, in the words of REST. */
export type LinkQuery = Readonly<Record<string, unknown>>

/** An attribute that leads to other entries, asked for with one set of arguments. */
export interface LinkNeed {
  /** The name under which it is populated: its own, or an alias where it is asked for with other arguments too. */
  readonly name: string
  readonly link: Link
  readonly query: LinkQuery
  /** The needs of its entries: of one type, or of each that may stand there. */
  readonly below: Need | Map<string, Need>
  /** The refusal that it met while it was planned: it is not asked for then, and answers with this. */
  refusal?: ToldError
}

/** All that an operation needs of the entries at one place: columns, and what they lead to. */
export class Need {
  readonly fields = new Set<string>()
  /** Every column that the caller may read: a function is given the entry, and what it reads is not known. */
  isWhole = false
  readonly #links = new Map<string, LinkNeed>()
  #aliases = 0

  get links(): Iterable<LinkNeed> {
    return this.#links.values()
  }

  /** The need behind an attribute with these arguments; the same for the same arguments. */
  link(link: Link, query: LinkQuery, below: () => LinkNeed['below']): LinkNeed {
    const key = `${link.name} ${JSON.stringify(query)}`
    const known = this.#links.get(key)
    if (known) return known
    const isTaken = [...this.#links.values()].some(({ name }) => name === link.name)
    if (isTaken) this.#aliases += 1
    const need = { name: isTaken ? `~${this.#aliases} ${link.name}` : link.name, link, query, below: below() }
    this.#links.set(key, need)
    return need
  }

  /** The place of a refusal among what was asked for: the parameters of REST lead to it. */
  at([word, name, ...rest]: readonly string[]): LinkNeed | undefined {
    if (word !== 'populate') return undefined
    const need = [...this.#links.values()].find(one => one.name === name)
    if (!need) return undefined
    if (need.below instanceof Need) return need.below.at(rest) ?? need
    const [on, uid = '', ...further] = rest
    return (on === 'on' ? need.below.get(uid)?.at(further) : undefined) ?? need
  }
}

/** The need as the parameters `fields` and `populate` of REST. */
export function asQuery(need: Need): Readonly<Record<string, unknown>> {
  const populate: Record<string, unknown> = {}
  for (const { name, link, query, below, refusal } of need.links) {
    if (refusal) continue
    const inner = below instanceof Need ? asQuery(below) : onEach(link, below)
    const asked = { ...(name !== link.name && { attribute: link.name }), ...query, ...inner }
    populate[name] = Object.keys(asked).length > 0 ? asked : true
  }
  return {
    ...(!need.isWhole && { fields: need.fields.size > 0 ? [...need.fields] : ['id'] }),
    ...(Object.keys(populate).length > 0 && { populate }),
  }
}

/** The types that may stand anywhere are paid for by their names, so that none is named without a reason. */
function onEach(link: Link, needs: ReadonlyMap<string, Need>) {
  const leads = [...needs.values()].some(({ links }) => [...links].length > 0)
  if (link.targets === undefined && !leads) return {}
  return { on: Object.fromEntries([...needs].map(([uid, need]) => [uid, asQuery(need)])) }
}
