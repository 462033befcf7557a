import type { Link } from '../../../core/index.js'
import { ApplicationError } from '../packages/utils/errors.js'
import type { Bag, Loose } from '../types.js'
import type { Model, Models } from './models.js'
import type { Query } from './query.js'
import { isPlain } from './where.js'

interface ComponentParts {
  readonly models: Models
  readonly query: (uid: string) => Query
  /** The work that has to be done on values of a component before they are stored. */
  readonly prepare: (model: Model, data: Bag) => Promise<Bag>
  /** True where anything hears of components of a type that go. */
  readonly isHeard: (uid: string) => boolean
}

/** A component of an entry: its type and its id. */
export interface Part {
  readonly uid: string
  readonly id: number
}

/** Writes the components of entries as entries of their own, whose events are fired. */
export class Components {
  readonly #parts: ComponentParts

  constructor(parts: ComponentParts) {
    this.#parts = parts
  }

  /** Stores new components; gives the data with where they stand in their place. `made` has their ids. */
  async create(model: Model, data: Bag, made: Part[]): Promise<Bag> {
    const stored: Bag = { ...data }
    for (const link of embedded(model)) {
      const value = data[link.name]
      // Of a new entry, nothing is to be taken away.
      if (value === undefined || value === null) delete stored[link.name]
      else stored[link.name] = await this.#each(link, value, item => this.#create(link, item, made))
    }
    return stored
  }

  /** Changes those that have an id, stores the others; `gone` has those that no longer belong to the entry. */
  async update(model: Model, before: Bag, data: Bag, { made, gone }: { made: Part[]; gone: Part[] }): Promise<Bag> {
    const stored: Bag = { ...data }
    for (const link of embedded(model)) {
      const value = data[link.name]
      if (value === undefined) continue
      const former = partsIn(link, before[link.name])
      const items = value === null ? [] : ([value].flat() as Bag[])
      const kept = items
        .filter(item => item.id !== undefined && item.id !== null)
        .map(item => ({ uid: uidOf(link, item), id: Number(item.id) }))
      const isStrange = kept.some(one => !former.some(other => other.id === one.id && other.uid === one.uid))
      if (isStrange)
        throw new ApplicationError(`Some of the provided components in ${link.name} are not related to the entity`)
      gone.push(...former.filter(one => !kept.some(other => other.id === one.id && other.uid === one.uid)))
      if (value === null) continue
      stored[link.name] = await this.#each(link, value, item =>
        item.id === undefined || item.id === null
          ? this.#create(link, item, made)
          : this.#update(link, item, before[link.name], { made, gone }),
      )
    }
    return stored
  }

  /** Removes components, those inside of them as well: those that nothing hears of all at once. */
  async remove(parts: readonly Part[]): Promise<void> {
    const quiet = new Map<string, number[]>()
    for (const part of parts)
      if (this.#parts.isHeard(part.uid)) await this.#removeOne(part)
      else quiet.set(part.uid, [...(quiet.get(part.uid) ?? []), part.id])
    for (const [uid, ids] of quiet) {
      const inner = await this.#inside(uid, ids)
      await this.#parts.query(uid).removeQuietly(ids)
      await this.remove(inner)
    }
  }

  async #removeOne({ uid, id }: Part): Promise<void> {
    const inner = await this.#inside(uid, [id])
    await this.#parts.query(uid).delete({ where: { id } })
    await this.remove(inner)
  }

  async #inside(uid: string, ids: readonly number[]): Promise<Part[]> {
    const model = this.#parts.models.get(uid)
    const names = embedded(model).map(({ name }) => name)
    if (names.length === 0) return []
    const populate = Object.fromEntries(names.map(name => [name, true]))
    const found = await this.#parts.query(uid).listQuietly({ where: { id: { $in: ids } }, select: ['id'], populate })
    return found.flatMap(entry => this.partsOf(model, entry))
  }

  /** The components in an entry that was read with them. */
  partsOf(model: Model, entry: Bag): Part[] {
    return embedded(model).flatMap(link => partsIn(link, entry[link.name]))
  }

  async #each(link: Link, value: Loose, store: (item: Bag) => Promise<Bag>): Promise<Loose> {
    if (!link.many) return store(value)
    const stored: Bag[] = []
    for (const item of value as Bag[]) stored.push(await store(item))
    return stored
  }

  async #create(link: Link, item: Bag, made: Part[]): Promise<Bag> {
    const uid = uidOf(link, item)
    const model = this.#parts.models.get(uid)
    const { id: _, __component, ...values } = item
    const prepared = await this.#parts.prepare(model, await this.create(model, values, made))
    const { id } = await this.#parts.query(uid).create({ data: prepared })
    made.push({ uid, id: Number(id) })
    return placed(link, uid, Number(id))
  }

  async #update(link: Link, item: Bag, before: Loose, parts: { made: Part[]; gone: Part[] }): Promise<Bag> {
    const uid = uidOf(link, item)
    const model = this.#parts.models.get(uid)
    const { id, __component, ...values } = item
    const former =
      [before].flat().find((one: Loose) => Number(one?.id) === Number(id) && uidOf(link, one) === uid) ?? {}
    const inner = await this.update(model, former, values, parts)
    if (Object.keys(inner).length > 0)
      await this.#parts.query(uid).update({ where: { id: Number(id) }, data: await this.#parts.prepare(model, inner) })
    return placed(link, uid, Number(id))
  }
}

/** All levels of components, as what is populated. */
export function wholeParts(model: Model, models: Models, depth = 0): Loose {
  const links = embedded(model)
  if (links.length === 0 || depth > 6) return undefined
  return Object.fromEntries(
    links.map(link => {
      const target = models.target(link)
      if (target) {
        const populate = wholeParts(target, models, depth + 1)
        return [link.name, populate === undefined ? true : { populate }]
      }
      const on = Object.fromEntries(
        (link.targets ?? []).map(uid => [uid, { populate: wholeParts(models.get(uid), models, depth + 1) }]),
      )
      return [link.name, { on }]
    }),
  )
}

export const embedded = ({ links }: Model): readonly Link[] =>
  [...links.values()].filter(link => link.embedded === true)

const uidOf = (link: Link, item: Loose): string =>
  link.shape === 'zone' ? String(item?.__component) : (link.targets?.[0] as string)

/** A component in the data of its owner: its id, and how the row that leads to it is found. */
const placed = (link: Link, uid: string, id: number): Bag =>
  link.shape === 'zone'
    ? { id, __component: uid, __pivot: { field: link.name, component_type: uid } }
    : { id, __pivot: { field: link.name, component_type: uid } }

const partsIn = (link: Link, value: Loose): Part[] =>
  [value]
    .flat()
    .filter(item => isPlain(item) && item.id !== undefined)
    .map((item: Loose) => ({ uid: uidOf(link, item), id: Number(item.id) }))
