import { type Caller, NotFoundError, ValidationError } from '../../../core/index.js'
import type { Events } from '../service.js'
import type { Delivery, State } from './deliveries.js'
import { readWebhook } from './input.js'
import { seesAll } from './sees-all.js'
import { placeOf } from './stored.js'
import { shownUrl, type Webhook } from './webhook.js'

/** A webhook as it is shown: values of headers and secrets are not. */
export interface WebhookView {
  readonly key: string
  readonly name: string
  /** Its place; those that a file declares cannot be changed here. */
  readonly from: 'added' | 'panel' | 'config/webhooks'
  readonly url: string
  readonly events: readonly string[]
  readonly types: readonly string[] | null
  readonly headers: readonly string[]
  readonly signed: boolean
  /** `stopped`: the receiver has answered 410. */
  readonly state: 'enabled' | 'disabled' | 'stopped'
  /** Events that it has not been told of. */
  readonly behind: number
}

/** A response to a test; one that is not `taken` would be sent again if it were no test. */
export interface TestResult {
  readonly status: number
  readonly ms: number
  readonly reply: string
  readonly taken: boolean
}

/** The webhooks and their deliveries, as commands and routes show and change them. */
export class WebhookManagement {
  readonly #events: Events

  constructor(events: Events) {
    this.#events = events
  }

  async list(): Promise<WebhookView[]> {
    const { webhooks, outbox } = this.#events
    await webhooks.read()
    const there = await webhooks.receivers.all()
    const last = there.size === 0 ? 0 : (await outbox.bounds()).last
    return webhooks.all.map(webhook => {
      const { key, name, url, events, types, headers, secrets, enabled } = webhook
      const receiver = there.get(key)
      return {
        ...{
          key,
          name,
          url: shownUrl(url),
          events,
          types: types ?? null,
          headers: Object.keys(headers),
          signed: secrets.length > 0,
        },
        from: placeOf(webhook) ?? 'config/webhooks',
        state: !enabled ? 'disabled' : receiver?.gone ? 'stopped' : 'enabled',
        behind: receiver ? last - receiver.position : 0,
      }
    })
  }

  async one(key: string): Promise<WebhookView> {
    const found = (await this.list()).find(one => one.key === key)
    if (!found) throw new NotFoundError()
    return found
  }

  async create(body: unknown, caller: Caller): Promise<WebhookView> {
    const { webhooks } = this.#events
    await webhooks.read()
    return this.#changed(await webhooks.stored.add(readWebhook(body), caller))
  }

  async change(key: string, body: unknown, caller: Caller): Promise<WebhookView> {
    await this.#mustBeStored(key)
    await this.#events.webhooks.stored.update(key, caller, stored => readWebhook(body, stored))
    return this.#changed(key)
  }

  async delete(key: string, caller: Caller): Promise<WebhookView> {
    const gone = await this.one(key)
    await this.#mustBeStored(key)
    await this.#events.webhooks.stored.delete(key, caller)
    await this.#events.webhooks.read(true)
    return gone
  }

  /** Sends a test; rejects where no response came. */
  async test(webhook: Webhook): Promise<TestResult> {
    const body = JSON.stringify({ event: 'trigger-test', createdAt: new Date().toISOString() })
    const [begun, made] = [performance.now(), Date.now()]
    const { status, text } = await this.#events.webhooks.post(webhook, { event: 0, made, name: 'trigger-test', body })
    const taken = status >= 200 && status < 300
    return { status, ms: Math.round(performance.now() - begun), reply: text, taken }
  }

  /** Sends to a webhook again that has answered 410. */
  async enable({ key, name, enabled }: Webhook): Promise<void> {
    const { host, webhooks } = this.#events
    if (!enabled)
      throw new ValidationError(`${name} is disabled where it is declared; that cannot be changed by enabling it`)
    await host.store.transaction(session => webhooks.receivers.setGone(key, false, session))
  }

  /** The webhook of a key; a 404 without one. */
  async webhook(key: string): Promise<Webhook> {
    const { webhooks } = this.#events
    await webhooks.read()
    const found = webhooks.all.find(webhook => webhook.key === key)
    if (!found) throw new NotFoundError()
    return found
  }

  /** Deliveries, the latest first, without their bodies. */
  async deliveries(filter: DeliveryPage): Promise<DeliveryView[]> {
    if (await this.#events.outbox.isEmpty()) return []
    return (await this.#events.webhooks.deliveries.list(filter)).map(shown)
  }

  /** One delivery with its body, for callers who may read all of the entry in it. */
  async delivery(id: number, caller: Caller): Promise<DeliveryView & { readonly body: unknown }> {
    const found = await this.#events.webhooks.deliveries.one(id)
    if (!found) throw new NotFoundError()
    const [uid = ''] = found.subject.split(' ')
    const isShown = seesAll(caller, uid, this.#events.host.outline)
    return { ...shown(found), body: isShown ? JSON.parse(found.body) : null }
  }

  /** Has one delivery sent again, or all of a webhook that have failed; the number of them. */
  replay(wanted: { readonly id: number } | { readonly webhook: string }): Promise<number> {
    return this.#events.webhooks.deliveries.replay('id' in wanted ? wanted : { ...wanted, state: 'failed' })
  }

  async #mustBeStored(key: string): Promise<void> {
    const webhook = await this.webhook(key)
    if (!placeOf(webhook))
      throw new ValidationError(`${webhook.name} is declared in config/webhooks, and can be changed there alone`)
  }

  /** A webhook that was stored a moment ago: what happens from now on is sent to it. */
  async #changed(key: string): Promise<WebhookView> {
    await this.#events.webhooks.read(true)
    return this.one(key)
  }
}

export interface DeliveryPage {
  readonly webhook?: string | undefined
  readonly state?: State | undefined
  readonly before?: number | undefined
  readonly limit: number
}

/** A delivery as it is shown, without its body. */
export interface DeliveryView {
  readonly id: number
  readonly webhook: string
  readonly event: string
  readonly subject: string
  readonly state: State
  readonly tries: number
  readonly status: number | null
  readonly ms: number | null
  readonly made: string
  readonly tried: string | null
  /** The time of the next try. */
  readonly next: string | null
  readonly reply: string | null
}

const shown = (delivery: Delivery): DeliveryView => {
  const { id, webhook, name, subject, state, tries, status, took, made, tried, due, reply } = delivery
  return {
    ...{ id, webhook, event: name, subject, state, tries, status, ms: took, reply },
    ...{ made: timeOf(made), tried: tried === null ? null : timeOf(tried) },
    next: state === 'pending' ? timeOf(due) : null,
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString()
