import { BootError, type ContentType, type Filters, type Host, type Session, type Store } from '../../core/index.js'
import { isScheduled, liveFilters, type Settings } from './live.js'

/** The attributes that decide whether an entry is live, as they are stored. */
export interface Dates {
  readonly publishedAt: string | null
  readonly publishAt?: string | null
  readonly unpublishAt?: string | null
}

export interface Service extends Settings {
  readonly store: Store
  readonly entries: Host['entries']
  /** Types whose entries can be published and unpublished at a time. */
  readonly scheduled: readonly ContentType[]
  readonly isScheduled: (type: ContentType) => boolean
  /** The filters that a live entry meets. */
  readonly live: (type: ContentType) => Filters
  /** True if a row has been live at any time up to `at`. */
  readonly wasLive: (type: ContentType, row: Readonly<Record<string, unknown>>, at: Date) => boolean
  /** The dates of an entry, undefined where there is none. The row as it stands, past all hooks. */
  readonly datesOf: (type: ContentType, id: number, session: Session) => Promise<Dates | undefined>
}

export function checkStart({ config, types }: Pick<Host<Settings>, 'config' | 'types'>): void {
  if (config.restrictPreview && !config.strict)
    throw new BootError(
      'config/plugins: draft-and-publish.restrictPreview needs strict: without it, every caller reads drafts by their ids',
    )
  for (const { options, source } of types.types.values())
    if (options.scheduling === true && options.draftAndPublish !== true)
      throw new BootError(`${source}: options.scheduling needs options.draftAndPublish: only types with drafts have it`)
}

export function serviceOf({ config, store, entries, types }: Host<Settings>): Service {
  const all = [...types.types.values()]
  const scheduled = all.filter(type => type.options.draftAndPublish === true && isScheduled(type, config))
  const live = liveFilters(config)
  const looks = new Map<string, string>()
  const columnsOf = (type: ContentType) => namesOf(type).map(name => columnOf(type, name))
  const lookAt = (type: ContentType): string => {
    let look = looks.get(type.uid)
    if (look === undefined) {
      look = store.knex(type.table).select(columnsOf(type)).where({ id: 0 }).toSQL().toNative().sql
      looks.set(type.uid, look)
    }
    return look
  }
  return {
    ...config,
    store,
    entries,
    scheduled,
    isScheduled: type => scheduled.includes(type),
    live: type => live(scheduled.includes(type)),
    wasLive: (type, row, at) => !type.fields.has('publishedAt') || wasLive(row as Partial<Dates>, at, config),
    async datesOf(type, id, session) {
      const [row] = await session.all(lookAt(type), [id])
      const decoded = row?.map(value => store.decode('datetime', value))
      return (
        decoded &&
        (Object.fromEntries(namesOf(type).map((name, index) => [name, decoded[index]])) as Partial<Dates> as Dates)
      )
    },
  }
}

const namesOf = ({ fields }: ContentType): string[] =>
  ['publishedAt', 'publishAt', 'unpublishAt'].filter(name => fields.has(name))

export const columnOf = ({ fields }: ContentType, name = 'publishedAt'): string => fields.get(name)?.column as string

function wasLive({ publishedAt, publishAt }: Partial<Dates>, at: Date, { awaitDate }: Settings): boolean {
  const isOver = (date: string | null | undefined) => typeof date === 'string' && Date.parse(date) <= at.getTime()
  const isPublished = awaitDate && publishedAt !== undefined ? isOver(publishedAt) : publishedAt !== null
  return isPublished || isOver(publishAt)
}
