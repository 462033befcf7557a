import type { AttributeInfo, OperatorInfo } from '../../pages/values/attributes.js'

export type { AttributeInfo, FieldInfo, LinkInfo, OperatorInfo } from '../../pages/values/attributes.js'

/** `GET /console/meta.json`: the app as one account may see and change it. What the account may not read is not in it. */
export interface Meta {
  readonly app: AppInfo
  readonly account: AccountInfo
  /** Content types, those of files and accounts of the site included; `component` is among the `components`. */
  readonly types: readonly TypeMeta[]
  readonly components: readonly ComponentMeta[]
  /** Empty without the plugin i18n. */
  readonly languages: readonly LanguageInfo[]
  readonly operators: readonly OperatorInfo[]
  /** The parts of the settings that the account may open. */
  readonly settings: readonly string[]
  readonly extensions: readonly never[]
  readonly dialect: DialectInfo
  readonly limits: LimitsInfo
}

export interface AppInfo {
  readonly name: string
  /** The version of the server. */
  readonly version: string
  /** The address of the API for the page: paths of types stand behind it. */
  readonly api: '/console/api'
  readonly environment: string
}

export interface AccountInfo {
  readonly id: number
  readonly name: string
  readonly email: string
  /** The language of the page that the account prefers. */
  readonly language: string | null
  readonly isSuperAdmin: boolean
}

export interface TypeMeta {
  readonly uid: string
  readonly kind: 'collectionType' | 'singleType'
  readonly name: string
  readonly singular: string
  readonly plural: string
  readonly description?: string
  /** The path of its endpoints below `app.api`: `/articles`; absent where it has none, as accounts of editors have. */
  readonly path?: string
  /** `nested`: its entries are `{ id, attributes }`; `plain`: one flat object, without `data` around it where `isBare`. */
  readonly entry: 'nested' | 'plain'
  /** Responses are the entry or the list themselves, and so are bodies, as those of `/users` and `/upload/files` are. */
  readonly isBare: boolean
  /** Those that the account may read or write. */
  readonly attributes: readonly AttributeInfo[]
  readonly can: Permissions
  readonly layout: Layout
  readonly options: TypeFeatures
  /** The attributes in its index of words; empty where it has none. */
  readonly search: readonly string[]
}

/** What the account may do with a type; null is nothing. */
export interface Permissions {
  readonly read: Right | null
  readonly create: Right | null
  readonly update: Right | null
  readonly delete: Right | null
  /** Publish and unpublish. */
  readonly publish: Right | null
}

export interface Right {
  /** Names of attributes, with dots for parts of components: `seo.metaTitle`. Absent: all; to write, all of the schema file. */
  readonly fields?: readonly string[]
  /** Codes of languages. Absent: all, and types without languages. */
  readonly locales?: readonly string[]
  /** It holds for some entries only: the server says for which. */
  readonly own?: true
}

/** What plugins and options add to a type. */
export interface TypeFeatures {
  readonly drafts: boolean
  readonly scheduling: boolean
  readonly versions: boolean
  readonly trash: boolean
  readonly localized: boolean
  readonly bulk: boolean
  readonly events: boolean
  /** `POST <path>/uid` proposes values for attributes of type `uid`. */
  readonly uid: boolean
  /** `GET <path>/aggregate` counts. */
  readonly aggregate: boolean
}

export interface ComponentMeta {
  readonly uid: string
  readonly name: string
  /** The part of the uid before the dot. */
  readonly category: string
  readonly description?: string
  readonly attributes: readonly AttributeInfo[]
  readonly layout: Layout
}

/** How lists and forms of a type look: as stored, as code says, or by default; made fit to the attributes that the account may read. */
export interface Layout {
  readonly settings: LayoutSettings
  /** The columns. */
  readonly list: readonly string[]
  /** The rows of the form, on 12 columns. */
  readonly edit: readonly (readonly Cell[])[]
  /** By attribute, `id` included. */
  readonly fields: Readonly<Record<string, FieldLayout>>
  /** It is in the database; otherwise it is the default, or that of `config/console`. */
  readonly isStored: boolean
  /** `config/console` declares it: it cannot be changed in the page. */
  readonly isDeclared: boolean
}

export interface LayoutSettings {
  readonly bulkable: boolean
  readonly filterable: boolean
  readonly searchable: boolean
  readonly pageSize: number
  /** The field that names an entry. */
  readonly mainField: string
  readonly defaultSortBy: string
  readonly defaultSortOrder: 'ASC' | 'DESC'
}

export interface Cell {
  readonly name: string
  /** From 1 to 12. */
  readonly size: number
}

export interface FieldLayout {
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  readonly visible: boolean
  readonly editable: boolean
  /** Of a relation: the field that names an entry behind it. */
  readonly mainField?: string
  /** The head of its column. */
  readonly listLabel: string
  readonly searchable: boolean
  readonly sortable: boolean
}

export interface LanguageInfo {
  readonly code: string
  readonly name: string
  readonly isDefault: boolean
}

/** The differences between dialects and settings that the page has to know. */
export interface DialectInfo {
  /** When values that are not localized are copied to the other languages: always, or those that the request populates. */
  readonly sharing: 'populated' | 'always'
  /** A further language of an entry is sent without `data` around it. */
  readonly bareLocalizations: boolean
  /** `start` and `limit` inside a populate. */
  readonly pagingInPopulate: boolean
  /** `count` inside a populate. */
  readonly countInPopulate: boolean
  /** A query that populates may choose its page as well. */
  readonly populateWithPagination: boolean
  /** Lists come with their total unless the request says otherwise. */
  readonly withCount: boolean
  /** A zone takes every component, not only those that it lists. */
  readonly openZones: boolean
  /** Values of type `uid` that are not sent are made by the server. */
  readonly madeUids: boolean
  /** A draft may lack required lists of components. */
  readonly incompleteLists: boolean
  /** `null` empties lists of components, as `[]` does. */
  readonly nullClearsLists: boolean
  /** Entries found by the index of words come with the best match first. */
  readonly rankedSearch: boolean
}

export interface LimitsInfo {
  /** The sizes of pages that the list offers. */
  readonly pageSizes: readonly number[]
  readonly defaultLimit: number
  readonly maxLimit: number | null
  /** Of one request. */
  readonly statements: number
  readonly joins: number
  readonly conditions: number
  readonly entries: number
  /** How deep a filter may nest in the page. */
  readonly filterDepth: number
}
