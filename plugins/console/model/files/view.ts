/** Files of a page of the library. */
export const filesOnPage = 50

/** Kinds of files as the filter of the library offers them. */
export const fileKinds = ['images', 'videos', 'audios', 'files'] as const
export type FileKind = (typeof fileKinds)[number]

/** The orders of the library besides the newest first, by their names in its address. */
export const fileOrders = { oldest: 'createdAt:asc', name: 'name:asc', changed: 'updatedAt:desc' } as const
export type FileOrder = keyof typeof fileOrders

/** The order of a list of files, as a request has it. */
export const fileSort = (order: FileOrder | undefined): string =>
  order === undefined ? 'createdAt:desc' : fileOrders[order]

/** The state of the library, as its address has it. */
export interface MediaView {
  /** The id of a folder; all files without it. */
  readonly folder?: number
  readonly text: string
  readonly kind?: FileKind
  /** Only pictures without an alternative text. */
  readonly isMissing: boolean
  /** The newest first without it. */
  readonly order?: FileOrder
  readonly from: number
}

const orderNames = Object.keys(fileOrders) as readonly FileOrder[]

export function mediaViewIn(search: string): MediaView {
  const query = new URLSearchParams(search)
  const number = (name: string) => (/^\d{1,15}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : 0)
  const kind = fileKinds.find(one => one === query.get('type'))
  const order = orderNames.find(one => one === query.get('order'))
  const folder = number('folder')
  return {
    ...(folder > 0 && { folder }),
    text: query.get('q') ?? '',
    ...(kind && { kind }),
    isMissing: query.get('text') === 'missing',
    ...(order && { order }),
    from: number('from'),
  }
}

/** The address of a view, as the search of a URL. */
export function mediaViewText({ folder, text, kind, isMissing, order, from }: MediaView): string {
  const query = new URLSearchParams()
  if (folder !== undefined) query.set('folder', String(folder))
  if (text !== '') query.set('q', text)
  if (kind !== undefined) query.set('type', kind)
  if (isMissing) query.set('text', 'missing')
  if (order !== undefined) query.set('order', order)
  if (from > 0) query.set('from', String(from))
  const said = query.toString()
  return said === '' ? '' : `?${said}`
}

/** The conditions on a list of files. */
export interface FileFilter {
  /** The path of a folder; all files without it. */
  readonly path?: string | undefined
  readonly text: string
  /** Kinds of files; all without it. */
  readonly kinds?: readonly string[] | undefined
  readonly isMissing?: boolean
}

const families: Readonly<Record<string, string>> = { images: 'image/', videos: 'video/', audios: 'audio/' }

/** The filters of a request for files; undefined where all are meant. */
export function fileFilters({ path, text, kinds, isMissing }: FileFilter): object | undefined {
  const named =
    text === '' ? [] : [{ $or: [{ name: { $containsi: text } }, { alternativeText: { $containsi: text } }] }]
  const missing = { $or: [{ alternativeText: { $null: true } }, { alternativeText: { $eq: '' } }] }
  const filters = [
    ...(path === undefined ? [] : [{ folderPath: { $eq: path } }]),
    ...named,
    ...(kinds && kinds.length < fileKinds.length ? [{ $or: kinds.map(ofKind) }] : []),
    ...(isMissing ? [ofKind('images'), missing] : []),
  ]
  return filters.length > 0 ? { $and: filters } : undefined
}

function ofKind(kind: string): object {
  const family = families[kind]
  if (family !== undefined) return { mime: { $startsWith: family } }
  return { $and: Object.values(families).map(other => ({ mime: { $notContains: other } })) }
}
