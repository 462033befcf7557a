import { states } from './deliveries.js'
import { rowEvents } from './rows.js'

/** Request and response bodies of the routes of webhooks, for descriptions of the API. */

const text = { type: 'string' }
const integer = { type: 'integer' }
const texts = { type: 'array', items: text }
const orNull = (type: string) => ({ type: [type, 'null'] })
const time = { type: 'string', format: 'date-time' }
const timeOrNull = { ...time, type: ['string', 'null'] }

const object = (properties: Readonly<Record<string, object>>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})
const answer = (data: object, meta: object = { type: 'object' }) => object({ data, meta })

const webhook = object({
  ...{
    key: text,
    name: text,
    from: { ...text, enum: ['added', 'panel', 'config/webhooks'] },
    url: text,
    events: texts,
  },
  types: { ...texts, type: ['array', 'null'] },
  headers: { ...texts, description: 'names; their values are not shown' },
  signed: { type: 'boolean' },
  state: { ...text, enum: ['enabled', 'disabled', 'stopped'], description: 'stopped: the receiver has answered 410' },
  behind: { ...integer, description: 'events that it has not been told of' },
})

const delivery = {
  ...{ id: integer, webhook: text, event: text, subject: text, state: { ...text, enum: [...states] }, tries: integer },
  ...{ status: orNull('integer'), ms: orNull('integer'), made: time, tried: timeOrNull, next: timeOrNull },
  reply: orNull('string'),
}

const wished = {
  name: { ...text, maxLength: 255 },
  url: text,
  events: { type: 'array', items: { ...text, enum: [...rowEvents] } },
  headers: { type: 'object', description: 'texts by their names; true keeps a stored one' },
  enabled: { type: 'boolean' },
}

export const listed = answer({ type: 'array', items: webhook })
export const shown = answer(webhook)
export const created = object({ data: object(wished, ['name', 'url', 'events']) })
export const changed = object({ data: object(wished, []) })
export const tested = answer(
  object({ status: orNull('integer'), ms: integer, reply: text, taken: { type: 'boolean' } }),
)
export const counted = answer(object({ count: integer }))
export const deliveries = answer({ type: 'array', items: object(delivery) })
export const oneDelivery = answer(
  object({ ...delivery, body: { description: 'null for callers who may not read all of the entry' } }),
)
