import { type GraphQLFieldConfig, type GraphQLFieldConfigArgumentMap, GraphQLID, GraphQLNonNull } from 'graphql'
import { BootError, type ContentType } from '../../../core/index.js'
import type { FieldMeaning, OperationContext } from '../meaning.js'
import type { Catalogue } from './catalogue.js'
import { hasDrafts, hasMutations, hasQueries, isLocalized, permissionOf } from './facts.js'
import { inputOf } from './inputs.js'
import { isName, listRootOf, nameOf, rootOf } from './names.js'
import { listArgs } from './outputs.js'
import type { ModelParts } from './parts.js'
import { idNamed, type Shape } from './shape.js'

type RootField = GraphQLFieldConfig<unknown, OperationContext>
type Roots = Record<string, RootField>
type Root = Extract<FieldMeaning, { readonly permission: unknown }>['is']

/** The root fields of content in `Query`. */
export function queriesOf(catalogue: Catalogue): Roots {
  const roots = new RootFields('Query', catalogue.parts)
  const { shape } = catalogue
  for (const type of contentTypes(catalogue)) {
    if (!hasQueries(type)) continue
    const locale = localeArgs(catalogue, type)
    const one = shape.one(catalogue, type)
    if (type.kind === 'singleType') {
      const args = { ...(hasDrafts(type) && shape.states), ...locale }
      roots.add(type, rootOf(type), { type: one, args, ...meaning('single', type, 'find') })
    } else {
      const args = {
        ...idNamed(shape, shape.idType),
        ...statesOfOne(shape, type),
        ...(shape.hasIdleArguments && locale),
      }
      roots.add(type, rootOf(type), { type: one, args, ...meaning('one', type, 'findOne') })
      const listed = { args: { ...listArgs(catalogue, type), ...locale }, ...meaning('list', type, 'find') }
      for (const [suffix, list] of Object.entries(shape.lists(catalogue, type)))
        roots.add(type, listRootOf(type) + suffix, { type: list, ...listed })
    }
  }
  return roots.fields
}

/** The root fields of content in `Mutation`. */
export function mutationsOf(catalogue: Catalogue): Roots {
  const roots = new RootFields('Mutation', catalogue.parts)
  const { shape } = catalogue
  for (const type of contentTypes(catalogue)) {
    if (!hasMutations(type)) continue
    const name = nameOf(type)
    const isSingle = type.kind === 'singleType'
    const locale = localeArgs(catalogue, type)
    const localeOfOne = isSingle || shape.hasIdleArguments ? locale : {}
    const id: GraphQLFieldConfigArgumentMap = isSingle ? {} : idNamed(shape, new GraphQLNonNull(GraphQLID))
    const input = inputOf(catalogue, type)
    const data: GraphQLFieldConfigArgumentMap = input ? { data: { type: new GraphQLNonNull(input) } } : {}
    const add = (root: Root, field: string, args: GraphQLFieldConfigArgumentMap) => {
      const action = root === 'localize' ? 'createLocalization' : root
      const answered = root === 'delete' ? shape.deleted(catalogue, type) : shape.one(catalogue, type)
      roots.add(type, field, { type: answered, args, ...meaning(root, type, action, shape) })
    }
    if (!isSingle) add('create', `create${name}`, { ...data, ...locale, ...statesOfOne(shape, type) })
    add('update', `update${name}`, { ...id, ...data, ...localeOfOne })
    add('delete', `delete${name}`, { ...id, ...localeOfOne })
    if (!isLocalized(type)) continue
    const part: GraphQLFieldConfigArgumentMap = input ? { data: { type: input } } : {}
    const source = isSingle && !shape.hasIdleArguments ? {} : idNamed(shape, shape.idType)
    add('localize', `create${name}Localization`, { ...source, ...part, ...locale })
  }
  return roots.fields
}

const contentTypes = ({ types }: Catalogue): ContentType[] =>
  [...types.values()].filter(({ kind }) => kind !== 'component')

const localeArgs = ({ localeCode }: Catalogue, type: ContentType): GraphQLFieldConfigArgumentMap =>
  isLocalized(type) ? { locale: { type: localeCode } } : {}

const statesOfOne = (shape: Pick<Shape<never>, 'statesOfOne'>, type: ContentType): GraphQLFieldConfigArgumentMap =>
  hasDrafts(type) ? shape.statesOfOne : {}

const meaning = (
  is: Root,
  type: ContentType,
  action: string,
  shape?: Pick<Shape<never>, 'publishes'>,
): Pick<RootField, 'extensions'> => ({
  extensions: {
    stele: { is, type, permission: permissionOf(type, action), ...(shape?.publishes && { publishes: true }) },
  },
})

/** Root fields, of which no two have one name. */
class RootFields {
  readonly fields: Roots = {}
  readonly #parent: string
  readonly #parts: Pick<ModelParts, 'isLenient' | 'note'>
  readonly #owners = new Map<string, string>()

  constructor(parent: string, parts: Pick<ModelParts, 'isLenient' | 'note'>) {
    this.#parent = parent
    this.#parts = parts
  }

  add({ uid }: ContentType, name: string, field: RootField): void {
    const problem = this.#problem(uid, name)
    if (problem === undefined) {
      this.#owners.set(name, uid)
      this.fields[name] = field
      return
    }
    const { isLenient, note } = this.#parts
    if (!isLenient)
      throw new BootError(
        `graphql: ${problem}; ${this.#owners.get(name) === uid ? 'give the type another pluralName' : 'rename one of them'}, or disable the plugin graphql`,
      )
    note?.(`graphql: ${problem}; the schema leaves that of ${uid} out`)
  }

  /** The reason why a type may not have a field of a name. */
  #problem(uid: string, name: string): string | undefined {
    const other = this.#owners.get(name)
    const field = `the field "${name}" of ${this.#parent}`
    if (other === uid) return `one entry of ${uid} and a list of them would both be ${field}`
    if (other !== undefined) return `${uid} and ${other} would both have ${field}`
    return isName(name) ? undefined : `${uid} would have ${field}, which is no name in GraphQL`
  }
}
