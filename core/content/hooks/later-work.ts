import type { Session } from '../../engines/engine.js'
import { thrown } from '../../kit/thrown.js'
import type { Log } from '../../log.js'

type Work = () => void | Promise<void>

/** Leaves work for later. The hooks of a write run one after the other, and `plugin` is the one whose hook runs. */
export interface Leave {
  (work: Work): void
  plugin?: string
}

/** Work that the hooks of a write leave for when it is stored. */
export class LaterWork {
  readonly #log: Log
  readonly #uid: string
  readonly #steps: (() => Promise<void>)[] = []

  constructor(log: Log, uid: string) {
    this.#log = log
    this.#uid = uid
  }

  readonly leave: Leave = work => {
    if (typeof work !== 'function') throw new TypeError('afterCommit takes a function')
    const { plugin = '' } = this.leave
    this.#steps.push(() => this.#run(work, plugin))
  }

  /** The write is done, so its work waits for the commit; that of a write that fails is dropped. */
  handTo({ afterCommit }: Session): void {
    for (const step of this.#steps) afterCommit?.(step)
  }

  /** An error undoes nothing any more. */
  async #run(work: Work, plugin: string): Promise<void> {
    try {
      await work()
    } catch (reason) {
      const err = inPlugin(plugin, 'afterCommit', reason)
      this.#log.error({ err, type: this.#uid }, 'a hook failed after the write was stored')
    }
  }
}

/** An error of a plugin with the plugin's name in it; refusals are meant for the client and pass as they are. */
export function inPlugin(plugin: string, stop: string, reason: unknown): Error {
  const error = thrown(reason)
  if (!('status' in error) && !('plugin' in error))
    Object.assign(error, { plugin, message: `plugin ${plugin}, ${stop}: ${error.message}` })
  return error
}
