import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { type ContentType, ForbiddenError, type Link } from '../../../core/index.js'
import { isWrapper } from '../meaning.js'
import { fieldsBelow, type SelectionContext } from './fields.js'
import { type LinkQueryParts, linkQuery } from './link-query.js'
import { type LinkNeed, type LinkQuery, Need } from './needs.js'
import { type OwnField, ownField } from './own-fields.js'
import {
  guarded,
  nullFails,
  type ProjectedField,
  type Projector,
  projectList,
  projectObject,
  required,
  type ToldError,
  under,
} from './projector.js'

/** The facts of the app and of the caller that decide what a selection may ask for. */
export interface BinderParts extends SelectionContext, LinkQueryParts {
  /** The scope of the caller may do an action. */
  readonly can: (action: string, uid: string) => boolean
  /** The words of the response for an error. */
  readonly tell: (error: unknown) => ToldError
}

/** An object type with the nodes that select from it. */
interface Place {
  readonly type: GraphQLObjectType
  readonly nodes: readonly FieldNode[]
}

export interface FieldPlace {
  readonly key: string
  readonly holder: GraphQLObjectType
  readonly field: GraphQLField<unknown, unknown>
  readonly nodes: readonly FieldNode[]
}

/** Walks a selection once: gathers what is needed of entries, and makes the functions that write the response of them. */
export class Binder {
  readonly #parts: BinderParts
  /** The fields that functions answer, by the numbers in places to be filled. */
  readonly owns: OwnField[] = []
  readonly #told: string[] = []

  constructor(parts: BinderParts) {
    this.#parts = parts
  }

  /** A text that two selections have in common only if their answers are made alike. */
  get signature(): string {
    return this.#told.join('')
  }

  /** The value of a field, whatever its type. */
  value(type: GraphQLOutputType, nodes: readonly FieldNode[], need: Need | Map<string, Need>): Projector {
    if (isNonNullType(type)) return this.value(type.ofType, nodes, need)
    if (isListType(type)) {
      const item = this.value(type.ofType, nodes, need)
      return projectList(isNonNullType(type.ofType) ? nullFails(item) : item)
    }
    if (isUnionType(type)) return this.#varied(this.#parts.schema.getPossibleTypes(type), nodes, need)
    if (isLeafType(type)) return value => (value === null || value === undefined ? null : type.serialize(value))
    return this.#object({ type: type as GraphQLObjectType, nodes }, need instanceof Need ? need : new Need())
  }

  /** The fields of an object, each under its key. */
  fields({ type, nodes }: Place, need: Need): ProjectedField[] {
    const selected = fieldsBelow(this.#parts, type, nodes)
    this.#told.push('{')
    const fields = [...selected].map(([key, of]): ProjectedField => {
      const name = (of[0] as FieldNode).name.value
      this.#told.push(`${key}:${name}`)
      if (name === '__typename') return { key, project: () => type.name }
      const field = type.getFields()[name] as GraphQLField<unknown, unknown>
      const place = { key, holder: type, field, nodes: of }
      return { key, project: field.extensions.own ? this.#own(place, need) : this.#field(place, need) }
    })
    this.#told.push('}')
    return fields
  }

  /** A field that a function answers, once the entries are there. */
  #own(place: FieldPlace, need: Need): Projector {
    const { key, holder, field, nodes } = place
    const { type, part } = holder.extensions.stele ?? {}
    if (part !== undefined) need.isWhole = true
    const number = this.owns.length
    // The number is taken before those of the fields below.
    this.owns.push({} as OwnField)
    const project = guarded(this.value(field.type, nodes, new Need()), nodes[0] as FieldNode)
    this.owns[number] = ownField(place, project, this.#parts)
    const columns = type && ['id', ...type.fields.keys()]
    return (source, sink) => {
      sink.seeds.push({ own: number, path: [...sink.path, key], source: columns ? picked(source, columns) : source })
      return null
    }
  }

  #object(place: Place, need: Need): Projector {
    return projectObject(this.fields(place, need))
  }

  /** One of several types: each entry tells its own. */
  #varied(
    types: readonly GraphQLObjectType[],
    nodes: readonly FieldNode[],
    needs: Need | Map<string, Need>,
  ): Projector {
    const byUid = new Map<string, Projector>()
    for (const type of types) {
      const meant = type.extensions.stele?.type
      if (meant === undefined) continue
      const { uid } = meant
      const need = this.#needOf(meant, needs)
      if (!need) continue
      this.#told.push(uid)
      byUid.set(uid, this.#object({ type, nodes }, need))
    }
    return (source, sink) => {
      if (source === null || source === undefined) return null
      const { __component, __type } = source as Readonly<Record<string, string>>
      return byUid.get(__component ?? __type ?? '')?.(source, sink) ?? null
    }
  }

  /** The need of one of several types; where any may stand, of the content types that the caller may find. */
  #needOf({ uid, kind }: ContentType, needs: Need | Map<string, Need>): Need | undefined {
    if (needs instanceof Need) return needs
    const known = needs.get(uid)
    if (known || kind === 'component' || !this.#parts.can('find', uid)) return known
    const made = new Need()
    needs.set(uid, made)
    return made
  }

  #field(place: FieldPlace, need: Need): Projector {
    const { key, holder, field, nodes } = place
    const [node] = nodes as readonly [FieldNode]
    const isLeaf = isLeafType(getNamedType(field.type))
    const made = this.#meant(place, need)
    // A leaf has no places below it: its key is told only where it fails.
    const placed = isLeaf ? guarded(made, node, key) : under(key, guarded(made, node))
    return isNonNullType(field.type) ? required(placed, { node, key, name: `${holder.name}.${field.name}` }) : placed
  }

  /** The value of a field by what it means. */
  #meant(place: FieldPlace, need: Need): Projector {
    const { field, nodes } = place
    const meaning = field.extensions.stele
    if (meaning?.is === 'field') return this.#column(meaning, field.type, need)
    if (meaning?.is === 'link') return this.#link(place, meaning.name, need)
    if (meaning?.is === 'id') return source => String(member(source, 'id'))
    const below = this.value(field.type, nodes, need)
    if (meaning?.is === 'same') return below
    const from = meaning?.is === 'held' ? found : field.name
    return (source, sink) => below(member(source, from), sink)
  }

  #column({ name, hidden }: { name: string; hidden?: true }, type: GraphQLOutputType, need: Need): Projector {
    if (hidden) return () => null
    need.fields.add(name)
    const leaf = this.value(type, [], need)
    return (source, sink) => leaf(member(source, name), sink)
  }

  /** A relation, component, zone or file: asked for once for each set of arguments. */
  #link(place: FieldPlace, name: string, need: Need): Projector {
    const { holder, nodes } = place
    const node = nodes[0] as FieldNode
    const link = holder.extensions.stele?.type.links.get(name)
    if (!link) return () => null
    if (!this.#mayShow(link)) return this.#refused(new ForbiddenError('Forbidden access'), node)
    let query: LinkQuery
    try {
      query = linkQuery(place, link, this.#parts)
    } catch (error) {
      return this.#refused(error, node)
    }
    const asked = need.link(link, query, () => needsBehind(link))
    const below = this.value(place.field.type, nodes, asked.below)
    this.#told.push(`<${asked.name}${asked.refusal ? '!' : ''}>`)
    const isWrapped = isAround(place.field.type)
    // Lists of files that are empty are null in REST, and those of a deleted entry are not there.
    const none = link.many && !link.embedded && link.targets ? [] : null
    return (source, sink) => {
      if (asked.refusal) {
        sink.fail(asked.refusal, node)
        return null
      }
      const value = member(source, asked.name) ?? none
      return below(isWrapped ? holding(value) : value, sink)
    }
  }

  #refused(error: unknown, node: FieldNode): Projector {
    this.#told.push('!')
    const told = this.#parts.tell(error)
    return (_, sink) => {
      sink.fail(told, node)
      return null
    }
  }

  #mayShow({ open, targets }: Link): boolean {
    return open === true || targets === undefined || targets.some(uid => this.#parts.can('find', uid))
  }
}

function needsBehind(link: Link): LinkNeed['below'] {
  // Any type may stand there: the needs are those of the types that the schema has and the caller may find.
  if (link.targets === undefined) return new Map()
  return link.shape === 'zone' ? new Map(link.types().map(({ uid }) => [uid, new Need()])) : new Need()
}

/** True for a type whose values are objects around entries. */
export function isAround(type: GraphQLOutputType): boolean {
  const named = getNamedType(type)
  return isObjectType(named) && isWrapper(named.extensions.stele)
}

/** The entries in the objects around them: a name that no attribute has. */
const found = '~'

/** The object around an entry, or around several. */
export const holding = (entries: unknown): unknown => ({ [found]: entries })

const picked = (source: unknown, names: readonly string[]): unknown =>
  Object.fromEntries(
    names.flatMap(name => (Object.hasOwn(source as object, name) ? [[name, member(source, name)]] : [])),
  )

const member = (source: unknown, name: string): unknown => (source as Readonly<Record<string, unknown>>)[name]
