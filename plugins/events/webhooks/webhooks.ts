import { setTimeout as pause } from 'node:timers/promises'
import type { Host, OutgoingSeen, SettingsOf } from '../../../core/index.js'
import { timeLimit } from '../../../core/plugin-kit.js'
import { isMedia, type StoredEvent } from '../event.js'
import type { Outbox } from '../outbox.js'
import type { settings } from '../settings.js'
import { AllowedAddresses } from './addresses.js'
import { Deliveries, type Delivery, type NewDelivery } from './deliveries.js'
import { bodyOf, sightOf } from './payload.js'
import { type Receiver, Receivers, receivers } from './receivers.js'
import { waitAfter } from './retrying.js'
import { type Reply, send } from './send.js'
import { signed } from './sign.js'
import { StoredWebhooks } from './stored.js'
import { checkSecrets, isHeader, readConfigured, type Webhook, wantedNames } from './webhook.js'

/** The name of the job. */
export const webhooksJob = 'webhooks'

/** Deliveries that are in flight at once, in all and to one receiver. */
const [most, mostToOne] = [16, 4]
/** Milliseconds between two looks for work while something is in flight. */
const nextLook = 250
/** Milliseconds in which commits are announced together. */
const gathered = 50
/** Milliseconds after which this process asks again for a job that another one may be running. */
const leastWait = 500
const eventsAtOnce = 200

/** Headers of the message itself, which a webhook cannot set. */
const own = ['host', 'content-length', 'transfer-encoding', 'connection', 'content-type']

interface ServerSettings {
  readonly defaultHeaders?: Readonly<Record<string, unknown>>
  readonly populateRelations?: boolean
}

/** Delivers events to webhooks: messages are stored together with the webhook's position, and sent until they are accepted. */
export class Webhooks {
  readonly #host: Host<SettingsOf<typeof settings>>
  readonly #outbox: Outbox
  readonly #allowed: AllowedAddresses
  readonly #server: ServerSettings
  readonly #configured: readonly Webhook[]
  readonly receivers: Receivers
  readonly deliveries: Deliveries
  readonly stored: StoredWebhooks
  #all: readonly Webhook[] = []
  /** Key of the webhooks that have rows in the table. */
  #followed = ''
  /** The outbox was empty at the start, or not there. */
  #isNew: boolean | undefined
  #isWaking = false
  #woken = Number.NEGATIVE_INFINITY
  #nudge: (() => void) | undefined

  constructor(host: Host<SettingsOf<typeof settings>>, outbox: Outbox) {
    const { config, app } = host
    this.#host = host
    this.#outbox = outbox
    this.#allowed = new AllowedAddresses(config.privateAddresses as boolean | readonly string[])
    this.#server = ((app.foreign.server as { webhooks?: ServerSettings } | undefined)?.webhooks ?? {}) as ServerSettings
    if (config.secret !== undefined) checkSecrets([config.secret], 'events.config')
    this.#configured = readConfigured(app.webhooks, config.secret)
    this.#all = this.#configured
    this.receivers = new Receivers(host)
    this.deliveries = new Deliveries(host)
    this.stored = new StoredWebhooks(host)
  }

  get all(): readonly Webhook[] {
    return this.#all
  }

  get isFollowed(): boolean {
    return this.#all.some(({ enabled }) => enabled)
  }

  /** True if a webhook receives the last state of a deleted entry. */
  wantsLastSight(uid: string): boolean {
    const event = `${isMedia(uid) ? 'media' : 'entry'}.delete`
    return this.#all.some(webhook => webhook.enabled && wantedNames(webhook, { event, uid }).length > 0)
  }

  sight(uid: string, id: number, session?: Parameters<typeof sightOf>[3]['session']) {
    const populate = this.#server.populateRelations !== false
    return sightOf(this.#host, uid, id, { populate, ...(session && { session }) })
  }

  /** Rereads the webhooks; new ones are notified of events from now on. */
  async read(mayWrite = false): Promise<void> {
    this.#all = [...this.#configured, ...(await this.#stored())]
    const now = JSON.stringify(this.#all.map(({ key, url, enabled }) => [key, url, enabled]))
    if (this.#host.purpose !== 'serve' || now === this.#followed) return
    this.#isNew ??= (await this.#outbox.isEmpty()) && (await this.receivers.all()).size === 0
    // A database of Strapi 4 stays as it is until something is written, or jobs begin.
    if (this.#isNew && !mayWrite && this.#host.app.project !== 'stele') return
    const last = async () => {
      // All that has happened since the start is news for webhooks that were there at the start.
      if (this.#isNew) return 0
      while (await this.#outbox.arrange());
      return (await this.#outbox.bounds()).last
    }
    await this.receivers.follow(this.#all, last)
    this.#isNew = false
    this.#followed = now
  }

  /** The webhooks of the database, as they are sent. */
  async #stored(): Promise<Webhook[]> {
    const { secret } = this.#host.config
    const secrets = secret === undefined ? [] : [secret]
    return (await this.stored.all()).map(({ key, name, url, headers, events, enabled }) => ({
      ...{ key, name, url, events, enabled, secrets, headers: sendable(headers) },
    }))
  }

  /** Notifies receivers after a commit, together with other commits of the same moment. */
  changed(): void {
    if (this.#isWaking) return
    this.#isWaking = true
    const wake = () => {
      this.#isWaking = false
      this.#woken = performance.now()
      if (this.#nudge) this.#nudge()
      else this.#host.wakeJob(webhooksJob)
    }
    const wait = this.#nudge ? 0 : this.#woken + leastWait - performance.now()
    setTimeout(wake, Math.max(gathered, wait)).unref()
  }

  /** Time of the next delivery, if there is one. */
  async nextDue(): Promise<Date | undefined> {
    await this.read(true)
    if (!this.isFollowed) return undefined
    if (await this.#hasNews()) return new Date()
    const due = await this.deliveries.nextDue()
    return due === undefined ? undefined : new Date(due)
  }

  /** Seconds since the oldest event that a webhook has not been told of; 0 if there is none. */
  async age(now: number): Promise<number> {
    const active = this.#active(await this.receivers.all())
    if (active.length === 0) return 0
    const from = Math.min(...active.map(({ receiver }) => receiver.position))
    const times = [await this.deliveries.oldest(), await this.#outbox.oldest(from)]
    return Math.max(0, ...times.map(time => (time === undefined ? 0 : (now - time) / 1000)))
  }

  async #hasNews(): Promise<boolean> {
    if (await this.#outbox.hasUnplaced()) return true
    const active = this.#active(await this.receivers.all())
    const { last } = await this.#outbox.bounds()
    return active.some(({ receiver }) => receiver.position < last)
  }

  /** Sends due deliveries, and those that become due meanwhile, until none is left. */
  async run(signal: AbortSignal): Promise<void> {
    await this.read(true)
    const inFlight = new Map<number, { readonly webhook: string; readonly done: Promise<void> }>()
    const errors: unknown[] = []
    const full = () =>
      countsOf(inFlight.values())
        .filter(([, count]) => count >= mostToOne)
        .map(([webhook]) => webhook)
    while (!signal.aborted && errors.length === 0) {
      const spread = await this.#spread()
      const room = most - inFlight.size
      const due =
        room > 0 ? await this.deliveries.due(Date.now(), { but: [...inFlight.keys()], full: full() }, room) : []
      let begun = 0
      for (const delivery of due) {
        if (full().includes(delivery.webhook)) continue
        begun += 1
        const done = this.#deliver(delivery, signal)
          .catch(error => void errors.push(error))
          .finally(() => inFlight.delete(delivery.id))
        inFlight.set(delivery.id, { webhook: delivery.webhook, done })
      }
      if (inFlight.size === 0 && !spread && begun === 0) break
      if (!spread) await this.#next([...inFlight.values()].map(({ done }) => done))
    }
    await Promise.all([...inFlight.values()].map(({ done }) => done))
    if (errors.length > 0) throw errors[0]
    signal.throwIfAborted()
  }

  /** Waits until something has been sent, or something may have to be. */
  async #next(inFlight: readonly Promise<void>[]): Promise<void> {
    const nudged = new Promise<void>(resolve => {
      this.#nudge = resolve
    })
    await Promise.race([...inFlight, nudged, pause(nextLook)])
    this.#nudge = undefined
  }

  #active(there: ReadonlyMap<string, Receiver>): Active[] {
    return this.#all.flatMap(webhook => {
      const receiver = webhook.enabled ? there.get(webhook.key) : undefined
      return receiver && !receiver.gone ? [{ webhook, receiver }] : []
    })
  }

  /** Stores the deliveries of new events for each receiver, with its new position; false if there are no events. */
  async #spread(): Promise<boolean> {
    while (await this.#outbox.arrange());
    const active = this.#active(await this.receivers.all())
    if (active.length === 0) return false
    const from = Math.min(...active.map(({ receiver }) => receiver.position))
    const events = await this.#outbox.after(from, eventsAtOnce)
    const to = events.at(-1)?.position
    if (to === undefined) return false
    const found: NewDelivery[] = []
    for (const event of events) found.push(...(await this.#deliveriesOf(event, events, active)))
    const { store } = this.#host
    await store.transaction(async session => {
      await this.#host.shares.lock(session, receivers)
      const now = await this.receivers.all(session)
      // A process that ran this job before and is slow may have done the same.
      if (active.some(({ receiver }) => now.get(receiver.webhook)?.position !== receiver.position)) return
      await this.deliveries.add(found, session)
      const behind = active.filter(({ receiver }) => receiver.position < to)
      await this.receivers.move(
        behind.map(({ webhook }) => webhook.key),
        to,
        session,
      )
    })
    return true
  }

  async #deliveriesOf(
    event: StoredEvent,
    events: readonly StoredEvent[],
    active: readonly Active[],
  ): Promise<NewDelivery[]> {
    const { id, position, uid, entry, trace = null } = event
    const wanted = active
      .filter(({ receiver }) => receiver.position < position)
      .flatMap(({ webhook }) => wantedNames(webhook, event).map(name => ({ webhook: webhook.key, name })))
    if (wanted.length === 0) return []
    const shown = await this.#shown(event, events)
    return wanted.map(({ webhook, name }) => ({
      ...{ webhook, name, event: id, position, subject: `${uid} ${entry}`, trace },
      body: bodyOf(name, event, shown, this.#host),
    }))
  }

  /** The entry as it is now; one that was deleted since as it was at its end. */
  async #shown({ gone, uid, entry }: StoredEvent, events: readonly StoredEvent[]): Promise<unknown> {
    if (gone !== undefined) return gone
    const now = await this.sight(uid, entry)
    if (now) return now
    return (
      events.find(
        later =>
          later.uid === uid && later.entry === entry && later.gone !== undefined && later.event !== 'entry.unpublish',
      )?.gone ?? {
        id: entry,
      }
    )
  }

  async #deliver(delivery: Delivery, stopping: AbortSignal): Promise<void> {
    const { store, log } = this.#host
    const webhook = this.#all.find(({ key }) => key === delivery.webhook)
    if (!webhook?.enabled) {
      const says = `the webhook is ${webhook ? 'disabled' : 'not there any more'}`
      return store.transaction(session => this.deliveries.drop(delivery.webhook, says, session))
    }
    const begun = performance.now()
    const at = Date.now()
    const reply = await this.post(webhook, delivery, stopping).catch((error: Error) => error)
    if (stopping.aborted && !isTaken(reply)) return
    const ms = performance.now() - begun
    const took = Math.round(ms)
    const tries = delivery.tries + 1
    this.#tell(webhook, { ms, attempt: tries, cause: delivery.trace ?? undefined }, reply)
    const { status = null, text = textOf(reply) } = reply instanceof Error ? {} : reply
    const about = { tries, tried: at, took, status, reply: redirected(status) ?? text }
    const isGone = status === 410
    const asked = reply instanceof Error ? undefined : reply.retryAfter
    const wait = isTaken(reply) || isGone ? undefined : waitAfter(tries, this.#host.config.retries, asked)
    const state = isTaken(reply) ? 'done' : wait === undefined ? 'failed' : 'pending'
    await store.transaction(async session => {
      await this.deliveries.settle(delivery.id, { ...about, state, due: at + (wait ?? 0) }, session)
      if (!isGone) return
      await this.receivers.setGone(webhook.key, true, session)
      await this.deliveries.drop(webhook.key, 'the receiver has answered 410 to another one', session)
    })
    const told = { webhook: webhook.name, event: delivery.name, tries, status, reply: about.reply }
    if (isGone) log.warn(told, 'a webhook has answered 410: nothing is sent to it until `stele webhook enable`')
    else if (state === 'failed')
      log.warn(told, 'a webhook was tried as often as the setting "retries" says, and is not tried again')
  }

  #tell({ name, url }: Webhook, about: Pick<OutgoingSeen, 'ms' | 'attempt' | 'cause'>, reply: Reply | Error): void {
    const outcome = reply instanceof Error ? { status: undefined, error: reply } : { status: reply.status }
    const { origin } = new URL(url)
    this.#host.sent({ name: `webhook ${name}`, method: 'POST', origin, ...about, ...outcome })
  }

  /** Sends one message; rejects where no response came. */
  post(
    webhook: Webhook,
    message: Pick<Delivery, 'event' | 'name' | 'body' | 'made'>,
    stopping?: AbortSignal,
  ): Promise<Reply> {
    const { event, name, body, made } = message
    // The same at each try, and never again for anything else.
    const id = `evt_${event}_${made.toString(36)}_${name.replaceAll('.', '_')}`
    return send({
      ...{ url: webhook.url, body, allowed: this.#allowed },
      signal: timeLimit(this.#host.config.timeout, stopping),
      headers: {
        'user-agent': 'stele',
        ...sendable(this.#server.defaultHeaders ?? {}),
        ...webhook.headers,
        'content-type': 'application/json',
        'x-strapi-event': name,
        ...signed({ id, body, at: new Date() }, webhook.secrets),
      },
    })
  }
}

/** A webhook that is notified of events, and how far it has come. */
interface Active {
  readonly webhook: Webhook
  readonly receiver: Receiver
}

const isTaken = (reply: Reply | Error): boolean =>
  !(reply instanceof Error) && reply.status >= 200 && reply.status < 300

const textOf = (reply: Reply | Error): string => (reply instanceof Error ? reply.message : reply.text)

const redirected = (status: number | null): string | undefined =>
  status !== null && status >= 300 && status < 400 ? 'redirects are not followed' : undefined

/** Headers that can be sent, in small letters, as two of one name would be. */
const sendable = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
      .filter(([name, value]) => isHeader(name, value) && !own.includes(name)),
  )

function countsOf(inFlight: Iterable<{ readonly webhook: string }>): [string, number][] {
  const counts = new Map<string, number>()
  for (const { webhook } of inFlight) counts.set(webhook, (counts.get(webhook) ?? 0) + 1)
  return [...counts]
}
