import { change, type Host, type Session } from '../../../core/index.js'
import { receiverUid } from './content-types.js'
import type { Webhook } from './webhook.js'

/** The progress of a webhook through the events. */
export interface Receiver {
  readonly webhook: string
  readonly position: number
  /** True after a 410: nothing is sent until the webhook is enabled again, or has another address. */
  readonly gone: boolean
  readonly url: string
}

/** The rows with each webhook's position. A new webhook begins with the next event. */
export class Receivers {
  readonly #host: Host
  readonly #table: string

  constructor(host: Host) {
    this.#host = host
    this.#table = host.types.get(receiverUid).table
  }

  async all(session?: Session): Promise<Map<string, Receiver>> {
    const found = await this.#host.entries(receiverUid, session).find()
    const rows = found.map(({ webhook, position, gone, url }) => ({
      ...{ webhook: String(webhook), position: Number(position), gone: gone === true, url: String(url) },
    }))
    return new Map(rows.map(receiver => [receiver.webhook, receiver]))
  }

  /** Adds rows for webhooks that are new here and takes away those that are not there any more. */
  async follow(webhooks: readonly Webhook[], last: () => Promise<number>): Promise<void> {
    const there = await this.all()
    const enabled = webhooks.filter(({ enabled }) => enabled)
    const added = enabled.filter(({ key }) => !there.has(key))
    const moved = enabled.filter(({ key, url }) => there.has(key) && there.get(key)?.url !== url)
    const left = [...there.keys()].filter(key => !enabled.some(webhook => webhook.key === key))
    if (added.length + moved.length + left.length === 0) return
    const position = await last()
    const { store } = this.#host
    await store.transaction(async session => {
      await this.#host.shares.lock(session, receivers)
      const now = await this.all(session)
      const gone = store.encode('boolean', false) as boolean
      for (const { key, url } of added)
        if (!now.has(key)) await change(session, this.#rows().insert({ webhook: key, position, url, gone }))
      for (const { key, url } of moved)
        await change(session, this.#rows().where({ webhook: key }).update({ url, gone }))
      for (const key of left) await change(session, this.#rows().where({ webhook: key }).delete())
    })
  }

  async move(webhooks: readonly string[], position: number, session: Session): Promise<void> {
    await change(
      session,
      this.#rows()
        .whereIn('webhook', [...webhooks])
        .update({ position }),
    )
  }

  async setGone(webhook: string, isGone: boolean, session: Session): Promise<void> {
    const gone = this.#host.store.encode('boolean', isGone) as boolean
    await change(session, this.#rows().where({ webhook }).update({ gone }))
  }

  #rows() {
    return this.#host.store.knex(this.#table)
  }
}

/** The lock of these rows. */
export const receivers = 'receivers'
