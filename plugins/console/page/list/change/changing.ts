import { isDone, type Reply } from '../../../../pages/page/request.js'
import { type Done, several } from '../../../model/list/batch.js'
import { mostStanding } from '../../../model/list/requests.js'
import {
  ChangeWrites,
  type EntryChange,
  type EntryWrite,
  type Standing,
  standingsIn,
} from '../../../model/list/standing.js'
import { ask } from '../../api.js'
import { t } from '../../text.js'
import type { ListStore } from '../store.js'

/** The writes of entries that may be changed, and what there is to say of the others. */
export interface ReadyWrites {
  readonly writes: ReadonlyMap<number, EntryWrite>
  readonly left: readonly Done[]
}

/** A change of chosen entries: each is read right before it is written, and left as it is where others have changed it. */
export class Changing {
  readonly #list: ListStore
  readonly #change: EntryChange
  readonly #writes: ChangeWrites
  readonly #messageOf: (reply: Reply) => string

  constructor(list: ListStore, change: EntryChange, messageOf: (reply: Reply) => string) {
    this.#list = list
    this.#change = change
    this.#writes = new ChangeWrites(change, new Map(list.shown))
    this.#messageOf = messageOf
  }

  get query(): EntryChange['query'] {
    return this.#change.query
  }

  async writesOf(ids: readonly number[], stopped: AbortSignal): Promise<ReadyWrites> {
    const size = Math.min(mostStanding, this.#list.requests.idsAtOnce)
    const parts = Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size))
    const read = await several(parts, partsAtOnce, part => this.#read(part, stopped))
    const writes = new Map<number, EntryWrite>()
    const left: Done[] = []
    for (const [index, part] of parts.entries()) {
      const known = read[index]
      for (const id of part) {
        const said = this.#one(id, known)
        if (typeof said === 'string') left.push({ id, error: said })
        else writes.set(id, said)
      }
    }
    return { writes, left }
  }

  #one(id: number, known: ReadonlyMap<number, Standing> | string | undefined): EntryWrite | string {
    if (typeof known === 'string') return known
    const standing = known?.get(id)
    if (!standing) return t('run.gone')
    return this.#writes.of(id, standing) ?? t('run.changed')
  }

  async #read(ids: readonly number[], stopped: AbortSignal): Promise<ReadonlyMap<number, Standing> | string> {
    const reply = await ask({ url: this.#list.requests.standing(ids, this.#change) }, stopped)
    return isDone(reply) ? standingsIn(reply.body, Object.keys(this.#change.added)) : this.#messageOf(reply)
  }
}

const partsAtOnce = 4
