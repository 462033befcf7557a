import type { AttributeInfo, OperatorInfo } from '../../pages/values/attributes.js'
import type { ExtensionsMeta } from './extensions.js'
import type { Labels } from './labels.js'

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
  /** Groups of types in the navigation; types in none of them come after these. */
  readonly groups: readonly GroupMeta[]
  /** Labels of types, components and attributes by language, as the settings of the app have them. */
  readonly labels: Labels
  /** The parts of the settings that the account may open. */
  readonly settings: readonly string[]
  /** Actions of routes that the account may do in these parts, besides reading. */
  readonly sectionRights: Readonly<Record<string, readonly string[]>>
  /** Saved views of lists: those of the account, and those of all. */
  readonly views: readonly SavedView[]
  /** The parts that plugins and the app add to the page. */
  readonly extensions: ExtensionsMeta
  readonly dialect: DialectInfo
  readonly limits: LimitsInfo
}

/** A list under a name. */
export interface SavedView {
  readonly id: string
  /** The type of its entries. */
  readonly uid: string
  readonly name: string
  /** The query of its address. */
  readonly query: string
  /** All editors have it. */
  readonly isShared: boolean
}

export interface GroupMeta {
  readonly name: string
  /** Their uids, in the order of the group. */
  readonly types: readonly string[]
}

export interface AppInfo {
  readonly name: string
  /** The version of the server. */
  readonly version: string
  /** The address of the API for the page: paths of types stand behind it. */
  readonly api: '/console/api'
  /** The prefix of the API for programs. */
  readonly publicApi: string
  readonly environment: string
  /** Origins of files that are stored elsewhere: the page may show pictures from there. */
  readonly files: readonly string[]
  /** The address of the explorer, where it is enabled. */
  readonly explorer?: string
  /** The browser may keep changes that are not saved. */
  readonly keepDrafts: boolean
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
  /** Its entries have no view here, and relations that the account may write lead to them: `/console/choices/<uid>` lists them. */
  readonly isChosen?: true
  /** `nested`: its entries are `{ id, attributes }`; `plain`: one flat object, without `data` around it where `isBare`. */
  readonly entry: 'nested' | 'plain'
  /** Responses are the entry or the list themselves, and so are bodies, as those of `/users` and `/upload/files` are. */
  readonly isBare: boolean
  /** The attributes that the account may read or write. */
  readonly attributes: readonly AttributeInfo[]
  readonly can: Permissions
  readonly layout: Layout
  readonly options: TypeFeatures
  /** The address of an entry on the site, with attributes in braces: `https://example.com/{slug}`. */
  readonly preview?: string
  /** The attributes in its index of words; empty where it has none. */
  readonly search: readonly string[]
}

/** The permissions of the account on a type; null is nothing. */
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
  /** Names that hold for some entries beside: to write a stored one, `GET /console/rights/<uid>/<id>` tells which. */
  readonly more?: readonly string[]
  /** The same for new entries, by their languages; in any language without them. */
  readonly moreIn?: readonly { readonly locales?: readonly string[]; readonly fields: readonly string[] }[]
  /** Codes of languages. Absent: all, and types without languages. */
  readonly locales?: readonly string[]
  /** It holds for some entries only: the server says for which. */
  readonly own?: true
}

/** The features that plugins and options add to a type. */
interface TypeFeatures {
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

/** Lists and forms of a type: as stored, as code says, or by default; made fit to the attributes that the account may read. */
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

interface LanguageInfo {
  readonly code: string
  readonly name: string
  readonly isDefault: boolean
}

/** The differences between dialects and settings that the page has to know. */
export interface DialectInfo {
  /** Values that are not localized are copied to the other languages: always, or those that the request populates. */
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
  /** The depth to which a filter may nest in the page. */
  readonly filterDepth: number
}
