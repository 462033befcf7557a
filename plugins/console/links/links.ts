import { type Caller, type CallerContent, type Host, NotFoundError, rowsOf } from '../../../core/index.js'
import { queryText, readId } from '../../../core/plugin-kit.js'
import type { BaseType } from '../description/base.js'
import type { EditorView } from '../description/view.js'
import { ownersBy } from './owners.js'
import { type LinkPath, pathsTo } from './paths.js'

/** Entries of one type that lead to an entry by one attribute. */
export interface LinksByAttribute {
  readonly uid: string
  /** With dots, where it stands in components. */
  readonly attribute: string
  /** The number of them that the caller may find; of more than are counted, some. */
  readonly total: number
  /** There are more than are counted. */
  readonly isMore: boolean
  readonly entries: readonly LinkedEntry[]
}

export interface LinkedEntry {
  readonly id: number
  readonly title: unknown
  readonly locale?: unknown
  readonly publishedAt?: unknown
}

interface Asked {
  readonly uid: string
  readonly id: unknown
  readonly caller: Caller
  readonly content: CallerContent
  readonly view: EditorView
}

/** Entries that are counted for each attribute: a database has to find them, and the caller's rules have to be asked about each. */
const most = 500
/** Entries that are shown for each attribute. */
const shown = 5

/** The links to an entry, by attribute, as far as the caller may find them: two statements or three for each attribute. */
export async function linksTo(host: Pick<Host, 'store' | 'types'>, asked: Asked): Promise<LinksByAttribute[]> {
  const { store, types } = host
  const { uid, caller, content, view } = asked
  const sources = view.types.filter(type => type.path !== undefined && caller.can('find', type.uid))
  const byUid = new Map(sources.map(type => [type.uid, type]))
  const asks = byUid.get(uid)
  if (!asks) throw new NotFoundError()
  const id = await idOf(asked, asks)
  const target = types.get(uid)
  const paths = pathsTo(
    target,
    sources.map(type => types.get(type.uid)),
  ).filter(({ type, name }) => view.isReadable(type.uid, name))
  const found: LinksByAttribute[] = []
  for (const group of grouped(paths)) {
    const { type, name } = group[0] as LinkPath
    const rows = await rowsOf(store.reader, ownersBy(store.knex, group, { type: target, id }, most + 1))
    if (rows.length === 0) continue
    const ids = rows.slice(0, most).map(([owner]) => Number(owner))
    const { entries, total } = await readable(content, byUid.get(type.uid) as BaseType, ids, view.title(type.uid))
    if (total > 0) found.push({ uid: type.uid, attribute: name, total, isMore: rows.length > most, entries })
  }
  return found
}

/** The id of the entry, if the caller may find it. */
async function idOf({ uid, id, content }: Asked, type: BaseType): Promise<number> {
  const read = readId(id)
  if (read === undefined) throw new NotFoundError()
  const query = queryText({ filters: { id: { $eq: read } }, ...everything(type) })
  if ((await content.count(uid, { query })) === 0) throw new NotFoundError()
  return read
}

/** Several components of a zone may have attributes of one name: together they are one. */
function grouped(paths: readonly LinkPath[]): LinkPath[][] {
  const groups = new Map<string, LinkPath[]>()
  for (const path of paths) {
    const key = `${path.type.uid} ${path.name}`
    groups.set(key, [...(groups.get(key) ?? []), path])
  }
  return [...groups.values()]
}

/** The entries among some that the caller may find. */
async function readable(content: CallerContent, type: BaseType, ids: readonly number[], title: string) {
  const { drafts, localized } = type.options
  const fields = [...new Set(['id', title, ...(drafts ? ['publishedAt'] : []), ...(localized ? ['locale'] : [])])]
  const finished = await content.find(type.uid, {
    query: queryText({
      filters: { id: { $in: ids } },
      ...everything(type),
      fields,
      sort: 'id:desc',
      pagination: { limit: shown, withCount: true },
    }),
    shape: {
      key: 'links',
      entry: 'plain',
      one: entry => entry,
      many: (entries, { pagination }) => ({ entries, total: pagination?.total ?? entries.length }),
    },
    whole: true,
  })
  const { entries, total } = finished.value() as { readonly entries: readonly Entry[]; readonly total: number }
  return {
    total,
    entries: entries.map(
      (entry): LinkedEntry => ({
        id: entry.id,
        title: entry[title] ?? null,
        ...(localized && { locale: entry.locale }),
        ...(drafts && { publishedAt: entry.publishedAt ?? null }),
      }),
    ),
  }
}

type Entry = Readonly<Record<string, unknown>> & { readonly id: number }

/** Parameters with which drafts and entries in all languages are found. */
const everything = ({ options: { drafts, localized } }: BaseType) => ({
  ...(drafts && { publicationState: 'preview' }),
  ...(localized && { locale: 'all' }),
})
