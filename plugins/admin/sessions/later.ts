import { finished } from 'node:stream'
import type { Context } from 'koa'
import type { Host } from '../../../core/index.js'

/** Work that begins once a response is sent, so that the time of the response reveals nothing about it. */
export class Later {
  readonly #log: Host['log']
  readonly #pending = new Set<Promise<void>>()

  constructor(log: Host['log']) {
    this.#log = log
  }

  run({ res }: Pick<Context, 'res'>, work: () => Promise<unknown>): void {
    const done = new Promise<void>(resolve => finished(res, () => resolve()))
      .then(async () => void (await work()))
      .catch(error => this.#log.error({ err: error }, 'work after a response failed'))
      .finally(() => this.#pending.delete(done))
    this.#pending.add(done)
  }

  async settled(): Promise<void> {
    await Promise.all(this.#pending)
  }
}
