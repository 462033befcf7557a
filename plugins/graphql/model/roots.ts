import { type GraphQLFieldConfig, type GraphQLFieldConfigArgumentMap, GraphQLID, GraphQLNonNull } from 'graphql'
import { BootError, type ContentType } from '../../../core/index.js'
import type { FieldMeaning, OperationContext } from '../meaning.js'
import type { Catalogue } from './catalogue.js'
import { stateArgs } from './common.js'
import { hasDrafts, hasMutations, hasQueries, isLocalized, permissionOf } from './facts.js'
import { inputOf } from './inputs.js'
import { listRootOf, nameOf, rootOf } from './names.js'
import { collection, listArgs, response } from './outputs.js'

type RootField = GraphQLFieldConfig<unknown, OperationContext>
type Roots = Record<string, RootField>
type Root = Extract<FieldMeaning, { readonly permission: unknown }>['is']

/** The root fields of content in `Query`. */
export function queriesOf(catalogue: Catalogue): Roots {
  const roots = new RootFields('Query')
  for (const type of contentTypes(catalogue)) {
    if (!hasQueries(type)) continue
    const locale = localeArgs(catalogue, type)
    const one = response(catalogue, type)
    if (type.kind === 'singleType') {
      const args = { ...(hasDrafts(type) && stateArgs), ...locale }
      roots.add(type, rootOf(type), { type: one, args, ...meaning('single', type, 'find') })
    } else {
      const args = { id: { type: GraphQLID }, ...locale }
      const many = { type: collection(catalogue, type), args: { ...listArgs(catalogue, type), ...locale } }
      roots.add(type, rootOf(type), { type: one, args, ...meaning('one', type, 'findOne') })
      roots.add(type, listRootOf(type), { ...many, ...meaning('list', type, 'find') })
    }
  }
  return roots.fields
}

/** The root fields of content in `Mutation`. */
export function mutationsOf(catalogue: Catalogue): Roots {
  const roots = new RootFields('Mutation')
  for (const type of contentTypes(catalogue)) {
    if (!hasMutations(type)) continue
    const name = nameOf(type)
    const isSingle = type.kind === 'singleType'
    const locale = localeArgs(catalogue, type)
    const id: GraphQLFieldConfigArgumentMap = isSingle ? {} : { id: { type: new GraphQLNonNull(GraphQLID) } }
    const input = inputOf(catalogue, type)
    const data: GraphQLFieldConfigArgumentMap = input ? { data: { type: new GraphQLNonNull(input) } } : {}
    const add = (root: Root, field: string, args: GraphQLFieldConfigArgumentMap) => {
      const action = root === 'localize' ? 'createLocalization' : root
      roots.add(type, field, { type: response(catalogue, type), args, ...meaning(root, type, action) })
    }
    if (!isSingle) add('create', `create${name}`, { ...data, ...locale })
    add('update', `update${name}`, { ...id, ...data, ...locale })
    add('delete', `delete${name}`, { ...id, ...locale })
    if (!isLocalized(type)) continue
    const part: GraphQLFieldConfigArgumentMap = input ? { data: { type: input } } : {}
    add('localize', `create${name}Localization`, { id: { type: GraphQLID }, ...part, ...locale })
  }
  return roots.fields
}

const contentTypes = ({ types }: Catalogue): ContentType[] =>
  [...types.values()].filter(({ kind }) => kind !== 'component')

const localeArgs = ({ localeCode }: Catalogue, type: ContentType): GraphQLFieldConfigArgumentMap =>
  isLocalized(type) ? { locale: { type: localeCode } } : {}

const meaning = (is: Root, type: ContentType, action: string): Pick<RootField, 'extensions'> => ({
  extensions: { stele: { is, type, permission: permissionOf(type, action) } },
})

/** Root fields, of which no two have one name. */
class RootFields {
  readonly fields: Roots = {}
  readonly #parent: string
  readonly #owners = new Map<string, string>()

  constructor(parent: string) {
    this.#parent = parent
  }

  add({ uid }: ContentType, name: string, field: RootField): void {
    const other = this.#owners.get(name)
    if (other !== undefined) throw new BootError(this.#sentence(uid, other, name))
    this.#owners.set(name, uid)
    this.fields[name] = field
  }

  #sentence(uid: string, other: string, name: string): string {
    return other === uid
      ? `graphql: one entry of ${uid} and a list of them would both be the field "${name}" of ${this.#parent}; give the type another pluralName, or disable the plugin graphql`
      : `graphql: ${uid} and ${other} would both have the field "${name}" of ${this.#parent}; rename one of them, or disable the plugin graphql`
  }
}
