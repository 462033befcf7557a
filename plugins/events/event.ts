/** An end of a relation that a write has set or removed. */
export interface End {
  readonly attribute: string
  readonly uid: string
  readonly id: number
}

/** A change, as it is recorded. */
export interface Change {
  /** `entry.create`, `media.update`, ... */
  readonly event: string
  readonly uid: string
  readonly entry: number
  readonly locale?: string | undefined
  /** The attributes that an update has changed; undefined where all are new, or gone. */
  readonly changed?: readonly string[] | undefined
  readonly ends?: readonly End[] | undefined
  readonly gone?: unknown
}

/** An event as readers get it. */
export interface StoredEvent extends Change {
  readonly id: number
  readonly position: number
  readonly at: string
  readonly actor: string | undefined
  readonly requestId: string | undefined
  readonly trace: string | undefined
}

/** The entries of these types are files. */
export const isMedia = (uid: string): boolean => uid === 'plugin::upload.file'

/** The names of an event for receivers: publishing is also an update, as it is in Strapi 4. */
export const namesOf = (event: string): readonly string[] =>
  event === 'entry.publish' || event === 'entry.unpublish' ? [event, 'entry.update'] : [event]
