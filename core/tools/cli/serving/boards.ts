import type { Worker } from 'node:cluster'
import type { Boards } from '../../../plugin/processes/board.js'

/** Messages between a worker and the supervisor. */
type Message =
  | { readonly board: 'post'; readonly plugin: string; readonly note: unknown }
  | { readonly board: 'read'; readonly plugin: string; readonly ask: number }

interface Reply {
  readonly board: 'notes'
  readonly ask: number
  readonly notes: readonly (readonly [number, unknown])[]
}

/** Milliseconds that a worker waits for the supervisor. */
const maxWait = 2000

/** The boards of a worker: the supervisor has the notes. */
export function workerBoards(number: number): Boards {
  const waiting = new Map<number, (notes: Reply['notes']) => void>()
  let asked = 0
  const send = (message: Message) => process.send?.(message, undefined, undefined, () => undefined)
  process.on('message', (reply: Partial<Reply> | string) => {
    if (typeof reply === 'string' || reply.board !== 'notes') return
    waiting.get(reply.ask as number)?.(reply.notes ?? [])
  })
  return plugin => ({
    number,
    post: note => void send({ board: 'post', plugin, note }),
    read: () =>
      new Promise((resolve, reject) => {
        asked += 1
        const ask = asked
        const late = setTimeout(() => {
          waiting.delete(ask)
          reject(new Error('the supervisor does not tell the notes of the other processes'))
        }, maxWait)
        waiting.set(ask, notes => {
          clearTimeout(late)
          waiting.delete(ask)
          resolve(new Map(notes))
        })
        send({ board: 'read', plugin, ask })
      }),
  })
}

/** The notes of all workers, in the supervisor. */
export class Notes {
  readonly #byPlugin = new Map<string, Map<number, unknown>>()

  /** Listens to a worker. */
  serve(worker: Worker, number: number): void {
    worker.on('message', (message: Partial<Message>) => {
      const { board, plugin } = message
      if (plugin === undefined) return
      const notes = this.#byPlugin.get(plugin) ?? new Map<number, unknown>()
      this.#byPlugin.set(plugin, notes)
      if (board === 'post') notes.set(number, (message as { note: unknown }).note)
      else if (board === 'read' && worker.isConnected()) {
        const reply: Reply = { board: 'notes', ask: (message as { ask: number }).ask, notes: [...notes] }
        worker.send(reply, () => undefined)
      }
    })
  }
}
