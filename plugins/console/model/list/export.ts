import type { ExportText } from './export-text.js'
import type { PageOfRows, Row } from './page.js'
import { isChosen, type Selection } from './selection.js'
import { firstPage, type Place } from './view.js'

/** The entries that a file has at most. */
export const mostExported = 100_000

/** Parts of a list are read one after another; fewer entries at once where the server refuses so many. */
interface Export {
  readonly selection: Selection
  readonly text: ExportText
  readonly size: number
  /** Reads a part of the list, or some entries; `tooLarge` where fewer may be read, and undefined where none can. */
  readonly read: (part: Part) => Promise<PageOfRows | 'tooLarge' | undefined>
  /** Takes a piece of the file. */
  readonly write: (piece: string) => void
  readonly isStopped: () => boolean
  readonly onProgress: (done: number) => void
}

export interface Part {
  readonly place: Place
  readonly size: number
  readonly ids?: readonly number[]
}

/** Writes chosen entries while they are read; gives how many, and undefined where it was stopped or could not be read. */
export async function exportEntries(work: Export): Promise<number | undefined> {
  const { text, write, isStopped, onProgress } = work
  let done = 0
  write(text.start)
  for await (const rows of parts(work)) {
    if (!rows || isStopped()) return undefined
    const taken = rows.slice(0, mostExported - done)
    write(text.rows(taken))
    done += taken.length
    onProgress(done)
    if (done >= mostExported) break
  }
  write(text.end)
  return done
}

async function* parts(work: Export): AsyncGenerator<readonly Row[] | undefined> {
  const { selection } = work
  let { size } = work
  let ids = selection.kind === 'some' ? [...selection.ids].sort((one, other) => one - other) : undefined
  let place: Place | undefined = firstPage
  while (place && ids?.length !== 0) {
    const part = ids?.slice(0, size)
    const page: PageOfRows | 'tooLarge' | undefined = await work.read({ place, size, ...(part && { ids: part }) })
    if (page === 'tooLarge' && size > 1) {
      size = Math.ceil(size / 2)
      continue
    }
    if (!page || page === 'tooLarge') return yield undefined
    yield page.rows.filter(({ id }) => isChosen(selection, id))
    if (ids) ids = ids.slice(size)
    else place = page.next
  }
}
