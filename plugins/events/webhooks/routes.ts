import { InvalidParameter, NotFoundError, type Route, type RouteCall } from '../../../core/index.js'
import { readId } from '../../../core/plugin-kit.js'
import { ownUid } from '../content-types.js'
import type { Events } from '../service.js'
import { states } from './deliveries.js'
import type { DeliveryPage, TestResult } from './management.js'
import * as shapes from './shapes.js'

type Call = RouteCall<Events>
type Told = Pick<Route, 'method' | 'path' | 'action' | 'describe' | 'accepts' | 'answers' | 'asks' | 'body'>

const all = '/events/webhooks'
const one = '/events/webhooks/:key'
const uid = `${ownUid}.webhook`

/** Deliveries in one response. */
const [usual, most] = [25, 100]

/** The commands about webhooks over HTTP, for callers with credentials and these permissions. */
export const webhookRoutes: readonly Route<Events>[] = [
  route(
    { method: 'GET', path: all, action: 'list', describe: 'list the webhooks', answers: shapes.listed },
    async ({ service: { management } }) => ({ data: await management.list(), meta: {} }),
  ),
  route(
    {
      ...{ method: 'POST', path: all, action: 'create', describe: 'add a webhook' },
      ...{ body: 'json', accepts: shapes.created, answers: { 201: shapes.shown } },
    },
    async ({ service, body, caller, ctx }) => {
      const data = await service.management.create(body, caller)
      ctx.status = 201
      return { data, meta: {} }
    },
  ),
  route(
    { method: 'GET', path: one, action: 'list', describe: 'one of the webhooks', answers: shapes.shown },
    async ({ service, params }) => ({ data: await service.management.one(keyIn(params)), meta: {} }),
  ),
  route(
    {
      ...{ method: 'PUT', path: one, action: 'update', describe: 'change a webhook that no file declares' },
      ...{ body: 'json', accepts: shapes.changed, answers: shapes.shown },
    },
    async ({ service, params, body, caller }) => ({
      data: await service.management.change(keyIn(params), body, caller),
      meta: {},
    }),
  ),
  route(
    {
      ...{ method: 'DELETE', path: one, action: 'delete', describe: 'delete a webhook that no file declares' },
      answers: shapes.shown,
    },
    async ({ service, params, caller }) => ({
      data: await service.management.delete(keyIn(params), caller),
      meta: {},
    }),
  ),
  route(
    {
      ...{ method: 'POST', path: `${one}/test`, action: 'update', body: 'none' },
      ...{ describe: 'send a test to a webhook', answers: shapes.tested },
    },
    async ({ service, params }) => ({ data: await tested(service, keyIn(params)), meta: {} }),
  ),
  route(
    {
      ...{ method: 'POST', path: `${one}/enable`, action: 'update', body: 'none' },
      ...{ describe: 'send to a webhook again that has answered 410', answers: shapes.shown },
    },
    async ({ service: { management, webhooks }, params }) => {
      const key = keyIn(params)
      await management.enable(await management.webhook(key))
      webhooks.changed()
      return { data: await management.one(key), meta: {} }
    },
  ),
  route(
    {
      ...{ method: 'POST', path: `${one}/replay`, action: 'update', body: 'none' },
      ...{ describe: 'send all deliveries of a webhook again that have failed', answers: shapes.counted },
    },
    async ({ service, params }) => {
      const { key } = await service.management.webhook(keyIn(params))
      return replayed(service, { webhook: key })
    },
  ),
  route(
    {
      ...{ method: 'GET', path: '/events/deliveries', action: 'list', describe: 'list deliveries, the latest first' },
      asks: {
        webhook: { type: 'string', description: 'the key of a webhook' },
        state: { type: 'string', enum: [...states] },
        before: { type: 'integer', minimum: 1, description: 'the id of a delivery: those before it' },
        limit: { type: 'integer', minimum: 1, maximum: most, default: usual },
      },
      answers: shapes.deliveries,
    },
    async ({ service, query }) => ({ data: await service.management.deliveries(readPage(query)), meta: {} }),
  ),
  route(
    {
      ...{ method: 'GET', path: '/events/deliveries/:id', action: 'list', describe: 'one delivery with its body' },
      answers: shapes.oneDelivery,
    },
    async ({ service, params, caller }) => ({
      data: await service.management.delivery(idIn(params), caller),
      meta: {},
    }),
  ),
  route(
    {
      ...{ method: 'POST', path: '/events/deliveries/:id/replay', action: 'update', body: 'none' },
      ...{ describe: 'send a delivery again', answers: shapes.counted },
    },
    async ({ service, params }) => {
      const id = idIn(params)
      if (!(await service.webhooks.deliveries.one(id))) throw new NotFoundError()
      return replayed(service, { id })
    },
  ),
]

function route(told: Told, run: (call: Call) => Promise<unknown>): Route<Events> {
  return { ...told, uid, credentials: 'needed', run }
}

async function tested({ management }: Events, key: string): Promise<TestResult | Unreached> {
  const webhook = await management.webhook(key)
  const begun = performance.now()
  return management.test(webhook).catch((error: Error) => ({
    ...{ status: null, ms: Math.round(performance.now() - begun), reply: error.message, taken: false as const },
  }))
}

/** The result of a test without a response. */
type Unreached = Omit<TestResult, 'status'> & { readonly status: null }

async function replayed({ management, webhooks }: Events, wanted: { id: number } | { webhook: string }) {
  const count = await management.replay(wanted)
  if (count > 0) webhooks.changed()
  return { data: { count }, meta: {} }
}

function readPage(query: Call['query']): DeliveryPage {
  const known = ['webhook', 'state', 'before', 'limit']
  const { webhook, state, before, limit = String(usual), ...others } = query
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new InvalidParameter([unknown], `it is not accepted here; there are ${known.join(', ')}`)
  if (webhook !== undefined && typeof webhook !== 'string')
    throw new InvalidParameter(['webhook'], 'expected the key of a webhook')
  const named = states.find(one => one === state)
  if (state !== undefined && !named) throw new InvalidParameter(['state'], `expected one of ${states.join(', ')}`)
  const [from, count] = [before === undefined ? undefined : readId(before), readId(limit)]
  if (before !== undefined && from === undefined)
    throw new InvalidParameter(['before'], 'expected the id of a delivery')
  if (count === undefined || count > most) throw new InvalidParameter(['limit'], `expected a number from 1 to ${most}`)
  return { webhook, state: named, before: from, limit: count }
}

const keyIn = ({ key = '' }: Call['params']): string => key

function idIn({ id }: Call['params']): number {
  const read = readId(id)
  if (read === undefined) throw new NotFoundError()
  return read
}
