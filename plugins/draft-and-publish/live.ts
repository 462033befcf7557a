import { type Filters, now, type TypeOutline } from '../../core/index.js'

/** `config/plugins: draft-and-publish.config`, as far as it decides which entries are live. */
export interface Settings {
  /** Drafts stay hidden everywhere, and published entries are complete. */
  readonly strict: boolean
  /** Entries with a later publication date are not live before it. */
  readonly awaitDate: boolean
  /** Entries have `publishAt` and `unpublishAt`. */
  readonly scheduling: boolean
  /** Seeing drafts is a permission of its own. */
  readonly restrictPreview: boolean
}

/** True if the entries of a type with drafts can be published and unpublished at a time: the type decides, or the settings. */
export const isScheduled = ({ options }: Pick<TypeOutline, 'options'>, { scheduling }: Pick<Settings, 'scheduling'>) =>
  options.scheduling ?? scheduling

/** Filters that live entries meet, with times that are evaluated whenever a query runs. */
export function liveFilters({ awaitDate }: Pick<Settings, 'awaitDate'>): (scheduled: boolean) => Filters {
  const published = Object.freeze({ publishedAt: Object.freeze(awaitDate ? { $lte: now() } : { $notNull: true }) })
  const begun = { $or: [published, { publishAt: { $lte: now() } }] }
  const isNotOver = { $or: [{ unpublishAt: { $null: true } }, { unpublishAt: { $gt: now() } }] }
  const onTime = Object.freeze({ $and: [begun, isNotOver] })
  return scheduled => (scheduled ? onTime : published)
}
