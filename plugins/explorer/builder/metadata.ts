import type { AttributeInfo, FieldInfo, LinkInfo, OperatorInfo } from '../../pages/values/attributes.js'
import type { Limits } from './budget.js'
import type { GraphqlInfo } from './graphql/schema.js'

export type { AttributeInfo, FieldInfo, LinkInfo, OperatorInfo }

/** The page's description of the app: the plugin builds it once, and everything that the builder offers follows from it. */
export interface Metadata {
  readonly app: AppInfo
  readonly paging: PagingInfo
  /** The limits of one request. */
  readonly limits: Limits
  readonly types: readonly TypeInfo[]
  readonly operators: readonly OperatorInfo[]
  /** Query parameters of plugins. */
  readonly params: readonly ParamInfo[]
  readonly plugins: readonly PluginInfo[]
  /** Endpoints beside those that every content type has. */
  readonly routes: readonly RouteInfo[]
  /** The path where accounts sign in, if they can. */
  readonly signIn?: string
  /** `POST /articles/query` takes the query as a body. */
  readonly queryBody: boolean
  /** Absent without the plugin. */
  readonly graphql?: GraphqlInfo
}

export interface AppInfo {
  readonly name: string
  /** The version of the server. */
  readonly version: string
  readonly environment: string
  /** The prefix of every content endpoint. */
  readonly prefix: string
}

export interface PagingInfo {
  readonly defaultLimit: number
  readonly maxLimit: number | null
  readonly withCount: boolean
  /** A query that populates may choose its page as well. */
  readonly withPopulate: boolean
}

export interface TypeInfo {
  readonly uid: string
  readonly kind: 'collectionType' | 'singleType' | 'component'
  readonly name: string
  readonly singular: string
  readonly plural: string
  readonly description?: string
  /** The path of its endpoints; absent where it has none. */
  readonly path?: string
  /** The path of a list of its entries, for pickers: its own endpoint, or its plugin's. */
  readonly listedAt?: string
  /** The permissions of its endpoints. */
  readonly actions: readonly string[]
  readonly attributes: readonly AttributeInfo[]
  /** The attributes in its index of words; absent where it has none. */
  readonly searched?: readonly string[]
}

export interface ParamInfo {
  readonly name: string
  readonly plugin?: string
  readonly describe?: string
  readonly actions?: readonly string[]
  readonly types: 'all' | readonly string[]
  readonly choices?: readonly string[]
}

export interface PluginInfo {
  readonly name: string
  readonly describe?: string
}

export interface RouteInfo {
  readonly method: string
  readonly path: string
  readonly describe?: string
  readonly plugin?: string
  readonly permission?: string
  /** The type whose entries it serves. */
  readonly uid?: string
}

/** The caller's permissions at the moment, and all that depends on the database. */
export interface CallerInfo {
  /** The actions that the caller may do, by uid. */
  readonly can: Readonly<Record<string, readonly string[]>>
  /** Values of parameters, such as the codes of locales. */
  readonly choices: Readonly<Record<string, readonly string[]>>
}

/** The app as one caller sees it, which the builder asks before it offers something. */
export class Model {
  readonly meta: Metadata
  readonly caller: CallerInfo
  readonly #types: ReadonlyMap<string, TypeInfo>

  constructor(meta: Metadata, caller: CallerInfo) {
    this.meta = meta
    this.caller = caller
    this.#types = new Map(meta.types.map(type => [type.uid, type]))
  }

  type(uid: string): TypeInfo | undefined {
    return this.#types.get(uid)
  }

  can(action: string, uid: string): boolean {
    return this.caller.can[uid]?.includes(action) === true
  }

  /** The types with endpoints. */
  get served(): readonly TypeInfo[] {
    return this.meta.types.filter(({ path }) => path !== undefined)
  }

  /** The attributes with values that a response may show, the id first. */
  fields(type: TypeInfo, only?: readonly string[]): readonly FieldInfo[] {
    const seen = type.attributes.filter(
      (attribute): attribute is FieldInfo => attribute.kind === 'field' && attribute.readable,
    )
    return [idField, ...seen.filter(({ name }) => only?.includes(name) ?? true)]
  }

  /** The links that the caller may populate. */
  links(type: TypeInfo): readonly LinkInfo[] {
    return type.attributes.filter(
      (attribute): attribute is LinkInfo =>
        attribute.kind === 'link' && attribute.readable && this.targets(attribute).length > 0,
    )
  }

  /** Links that filters and sort may go through, with the type at their end. */
  followed(type: TypeInfo): readonly (readonly [LinkInfo, TypeInfo])[] {
    return this.links(type).flatMap(link => {
      const [target] = this.targets(link)
      return link.followed && target ? [[link, target] as const] : []
    })
  }

  /** The types behind a link that the caller may find. */
  targets({ targets, open }: LinkInfo): readonly TypeInfo[] {
    const known = targets ? targets.flatMap(uid => this.type(uid) ?? []) : this.served
    return open ? known : known.filter(({ uid }) => this.can('find', uid))
  }

  /** True if the link leads to entries of one type. */
  isPlain(link: LinkInfo): boolean {
    return link.targets?.length === 1 && link.shape !== 'zone'
  }

  operators({ family, type }: FieldInfo): readonly OperatorInfo[] {
    return this.meta.operators.filter(({ families, types }) => types?.includes(type) ?? families.includes(family))
  }

  operator(name: string): OperatorInfo | undefined {
    return this.meta.operators.find(operator => operator.name === name)
  }

  /** The parameters of plugins that an action on a type takes. */
  params(type: TypeInfo, action: string): readonly ParamInfo[] {
    return this.meta.params.filter(
      param => (param.types === 'all' || param.types.includes(type.uid)) && (param.actions?.includes(action) ?? true),
    )
  }

  choices({ name, choices }: ParamInfo): readonly string[] | undefined {
    return choices ?? this.caller.choices[name]
  }
}

export const idField: FieldInfo = {
  kind: 'field',
  name: 'id',
  type: 'id',
  family: 'order',
  readable: true,
  writable: false,
}

/** The field that names an entry for people: the first descriptive text of the type. */
export function labelField(type: TypeInfo): string | undefined {
  const texts = type.attributes.filter(
    attribute => attribute.kind === 'field' && attribute.readable && attribute.type === 'string',
  )
  const known = ['title', 'name', 'label', 'username', 'heading', 'email']
  return (texts.find(({ name }) => known.includes(name)) ?? texts[0])?.name
}
