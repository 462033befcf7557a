/** `GET /console/schema.json`: the types of the app as they run, with their files. */
export interface SchemaOfApp {
  readonly types: readonly SchemaType[]
  readonly components: readonly SchemaType[]
  /** The words that schema files may have. */
  readonly words: SchemaWords
  /** True where `POST /console/schema/write` writes files: under `stele dev`, in an app that has its types in files. */
  readonly writable: boolean
  /** A sentence that says why nothing can be written. */
  readonly notWritable?: string
  /** The last write that was begun, also in an earlier run of `stele dev`; only where it is writable. */
  readonly lastWrite?: LastWrite
}

/** A write of files, from the response to its request on. */
export interface LastWrite {
  /** The time of the request, in ISO 8601: it tells one write from another. */
  readonly at: string
  /** `running` until the next server listens. What failed is undone: files and values are as they were. */
  readonly state: 'running' | 'applied' | 'failed'
  /** The paths of the files. */
  readonly files: readonly string[]
  /** Why it failed. */
  readonly reason?: string
  /** The path of the backup in the folder of the app: made first where more than additions is done to the database. */
  readonly backup?: string
}

/** Words of schema files, with the JSON schemas of their values: those of the server and of its plugins. */
export interface SchemaWords {
  readonly kinds: readonly KindWords[]
  /** Words that an attribute of any type may have. */
  readonly attribute: WordSchemas
  /** Words in `options` of types. */
  readonly options: WordSchemas
  /** Words in `pluginOptions` of types and attributes, by the name of the plugin. */
  readonly pluginOptions: Readonly<Record<string, WordSchemas>>
  /** Names that no attribute may have. */
  readonly reserved: readonly string[]
  /** Expressions that names match. */
  readonly names: { readonly attribute: string; readonly type: string; readonly table: string }
}

/** An attribute type. */
export interface KindWords {
  readonly name: string
  /** The form in which its values are stored; absent for one that leads to other entries. */
  readonly as?: string
  readonly secret?: true
  readonly options: WordSchemas
}

export type WordSchemas = Readonly<Record<string, object>>

export interface SchemaType {
  readonly uid: string
  readonly kind: 'collectionType' | 'singleType' | 'component'
  readonly name: string
  readonly singular: string
  readonly plural: string
  readonly table: string
  /** The path of its file in the folder of the app; null where a plugin has it in its code. */
  readonly file: string | null
  /** The text of the file as it is now. */
  readonly text: string | null
  /** The keys of the schema beside the attributes that are set. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly attributes: readonly SchemaAttribute[]
}

export interface SchemaAttribute {
  readonly name: string
  readonly type: string
  /** All that its schema says of it beside the type. */
  readonly options: Readonly<Record<string, unknown>>
  /** The server or a plugin adds it: it is in no file. */
  readonly added: boolean
}

/** The body of `POST /console/schema/plan`. */
export interface PlanRequest {
  /** Files in place of those of the app, by their paths: a text, an object in the form of the file, or null for none. */
  readonly files?: Readonly<Record<string, unknown>>
  /** Removals are made as well: without it tables and columns that are not needed any more stay. */
  readonly removals?: boolean
}

/** The body of `POST /console/schema/write`: a plan that was seen. The response is 202 with a `LastWrite` that is running. */
export interface WriteRequest extends PlanRequest {
  /** The `seal` of the plan; with another one, or none, nothing is written. */
  readonly seal?: string
  /** The `loses` of the plan, for one that loses something: said once it was refused for that. */
  readonly loses?: number
}

/** The `error.details` of a write that is refused with 409. */
export interface WriteRefusal {
  /** The plan is another one, or was not seen; it loses values, and `loses` does not say so; another write runs. */
  readonly reason: 'seal' | 'loses' | 'busy'
  /** The plan as it is now; none where another write runs. */
  readonly plan?: Plan
}

/** `POST /console/schema/plan`: the files that it is about, and the plan of them all. */
export interface Plan {
  /** A fingerprint of the schema files as they are, of the candidate, and of the changes. */
  readonly seal: string
  /** The number of rows and values that are gone after the changes that would be made. */
  readonly loses: number
  /** The files of the request, and those that another server needs beside them. */
  readonly files: readonly FileDiff[]
  readonly warnings: readonly string[]
  readonly changes: readonly PlanChange[]
  readonly prevented: readonly PreventedChange[]
  readonly notes: readonly string[]
}

export interface FileDiff {
  readonly path: string
  readonly change: 'added' | 'changed' | 'removed' | 'same'
  /** The changed places, each with a few lines around it. */
  readonly places: readonly (readonly DiffLine[])[]
}

export interface DiffLine {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
}

/** Groups of changes in the order in which they are made; any other is what another server left. */
export const changeGroups = ['renames', 'types', 'links', 'additions', 'misplaced', 'withheld', 'removals'] as const

export interface PlanChange {
  readonly group: string
  readonly describe: string
  readonly statements: readonly string[]
  readonly loses: number
  /** A write makes it. Removals are made if they are asked for, and what another server left stays. */
  readonly isMade: boolean
}

export interface PreventedChange {
  readonly describe: string
  readonly statements: readonly string[]
  readonly advice: string
}

/** The part of an address for a type: its singular name where that is its whole name. */
export const keyOf = ({ uid, singular }: Pick<SchemaType, 'uid' | 'singular'>): string =>
  uid === `api::${singular}.${singular}` ? singular : uid
