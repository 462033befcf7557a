/** A webhook as `GET /events/webhooks` has it. */
export interface Webhook {
  readonly key: string
  readonly name: string
  readonly from: 'added' | 'panel' | 'config/webhooks'
  readonly url: string
  readonly events: readonly string[]
  readonly types: readonly string[] | null
  readonly headers: readonly string[]
  readonly signed: boolean
  readonly state: 'enabled' | 'disabled' | 'stopped'
  readonly behind: number
}

export interface Delivery {
  readonly id: number
  readonly webhook: string
  readonly event: string
  readonly subject: string
  readonly state: 'pending' | 'done' | 'failed'
  readonly tries: number
  readonly status: number | null
  readonly ms: number | null
  readonly made: string
  readonly tried: string | null
  readonly next: string | null
  readonly reply: string | null
}

export interface Answer<T> {
  readonly data: T
}

export const webhooksUrl = '/console/api/events/webhooks'
export const deliveriesUrl = '/console/api/events/deliveries'
export const urlOf = (key: string): string => `${webhooksUrl}/${encodeURIComponent(key)}`

/** The events that a webhook may ask for which no file declares. */
export const eventNames: readonly string[] = [
  ...['create', 'update', 'delete', 'publish', 'unpublish'].map(name => `entry.${name}`),
  ...['create', 'update', 'delete'].map(name => `media.${name}`),
]
