/** The element of a browser, where the compiler knows it (`"lib": ["dom"]`). */
export type Place = typeof globalThis extends { HTMLElement: { prototype: infer Element } } ? Element : never

/** A text of the extension by its key, in the language of the page; the key itself where there is none. */
export type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** Sends a request below the API in the name of the editor: `api('/articles?fields=title')`. */
export type Api = (path: string, request?: ApiRequest) => Promise<Response>

export interface ApiRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** It is sent as JSON. */
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** The values of a form as they are, by attribute; what cannot be read yet is as it was typed. */
export type Values = Readonly<Record<string, unknown>>

/** An attribute as `GET /console/meta.json` describes it. */
export interface Attribute {
  readonly name: string
  readonly type: string
  readonly required?: boolean
  readonly customField?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly minLength?: number
  readonly maxLength?: number
  readonly [rule: string]: unknown
}

export interface ChosenFile {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly [attribute: string]: unknown
}

/** The state of a field while it is shown. */
export interface FieldState<Value> {
  readonly value: Value | null
  readonly label: string
  readonly isReadOnly: boolean
  readonly isRequired: boolean
  /** The sentence about what is wrong with it, which the page shows. */
  readonly error: string | undefined
  readonly locale: string | null
  /** The ids of what describes it, for `aria-describedby`. */
  readonly describedBy: string | undefined
}

/** A field of a form, as its editor gets it. */
export interface EditedField<Value> extends FieldState<Value> {
  /** The id for its control: the label leads to it. */
  readonly id: string
  readonly attribute: Attribute
  /** The whole form, with what is not saved. */
  readonly entry: () => Values
  readonly change: (value: Value | null) => void
  /** Opens the library of files; nothing where it was closed. */
  readonly files: { readonly choose: (options?: { readonly many?: boolean }) => Promise<readonly ChosenFile[]> }
  readonly api: Api
  readonly t: Translate
}

/** The methods of an editor while it is there; all of them may be left out. */
export interface MountedField<Value> {
  /** The value was changed from outside, or anything else of the state. */
  readonly update?: (next: FieldState<Value>) => void
  readonly focus?: () => void
  readonly remove?: () => void
}

/** `export const mount` of the module of a field. */
export type FieldMount<Value = unknown> = (
  element: Place,
  field: EditedField<Value>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a result is one, too
) => MountedField<Value> | void

/** A value in a list, as its module gets it. */
export interface ShownCell<Value> {
  readonly value: Value | null
  readonly attribute: Attribute
  readonly entry: Values
  readonly t: Translate
}

/** `export const mount` of the module of a cell. */
export type CellMount<Value = unknown> = (
  element: Place,
  cell: ShownCell<Value>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a result is one, too
) => { readonly update?: (next: ShownCell<Value>) => void; readonly remove?: () => void } | void

/** The argument of pages and widgets. */
export interface ViewContext {
  readonly api: Api
  /** Goes to an address of the console: `/console/c/article/1`. */
  readonly go: (address: string) => void
  readonly say: (text: string) => void
  readonly t: Translate
  readonly account: { readonly id: number; readonly name: string; readonly language: string | null }
}

/** `export const mount` of the module of a page or a widget. */
export type ViewMount = (
  element: Place,
  view: ViewContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a result is one, too
) => { readonly remove?: () => void } | void

/** The argument of an action: the entries that it is about. */
export interface ActionContext extends ViewContext {
  /** The uid of the type. */
  readonly type: string
  /** The path of the type below the API. */
  readonly path: string
  readonly locale: string | null
  /** The chosen entries, or the one of the form; empty for one that is not stored. */
  readonly ids: readonly number[]
  /** In place of ids, where all that match are chosen: a query string that finds them. */
  readonly query?: string
  /** The ids of entries of the query that are not chosen. */
  readonly except?: readonly number[]
  /** The form as it is, where the action is on an entry. */
  readonly entry?: () => Values
  /** Puts values into the form, as if they were typed. */
  readonly change?: (values: Values) => void
  /** Shows what the server has now. */
  readonly reload: () => Promise<void>
}

/** `export const run` of the module of an action. What it throws is shown. */
export type ActionRun = (action: ActionContext) => unknown
