import type { Context } from 'koa'
import { BadRequestError, Finished, NotFoundError, type Route, type RouteCall } from '../../../core/index.js'
import { checkDepth } from '../../../core/plugin-kit.js'
import { answerError, codes, refusalSaying, refusalText } from '../errors.js'
import { asksForEvents, serveEvents } from '../live/endpoint.js'
import { pathOf } from '../settings.js'
import { checkOrigin } from './csrf.js'
import { readForm } from './multipart.js'
import { isBag, readOperation } from './parameters.js'
import { Refusal, type Sent } from './refusal.js'
import type { Runner } from './runner.js'
import type { EndpointService } from './service.js'

type Call = RouteCall<EndpointService>

const bodyShape = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    variables: { type: 'object' },
    operationName: { type: 'string' },
    extensions: { type: 'object' },
  },
}
const answerShape = {
  type: 'object',
  properties: { data: { type: ['object', 'null'] }, errors: { type: 'array', items: { type: 'object' } } },
}
const text = { type: 'string' }

/** The endpoint: credentials are looked at before anything is read, and permissions by each field. */
export function routes({ endpoint }: { readonly endpoint: string }): Route<EndpointService>[] {
  const base = { path: pathOf(endpoint), at: 'root', action: null } as const
  return [
    {
      ...base,
      method: 'GET',
      describe: 'run a query of GraphQL',
      asks: { query: text, variables: text, operationName: text, extensions: text },
      answers: answerShape,
      run: call => served(call, get),
    },
    {
      ...base,
      method: 'POST',
      describe: 'run an operation of GraphQL, or several',
      body: 'raw',
      accepts: bodyShape,
      answers: answerShape,
      run: call => served(call, post),
    },
    {
      ...base,
      method: 'ALL',
      describe: 'say which methods there are',
      body: 'raw',
      run: call => served(call, other),
    },
  ]
}

/** Serves a request; refusals are responses of GraphQL or texts, errors of the body those of REST. */
async function served(call: Call, serve: (call: Call, runner: Runner) => Promise<Sent | undefined>): Promise<unknown> {
  const { ctx, service } = call
  // The router takes any case; the path of GraphQL has one.
  if (ctx.path.replace(/(?<=.)\/$/, '') !== service.settings.endpoint) throw new NotFoundError()
  const { runner } = service
  ctx.vary('Accept')
  try {
    if (typeof runner === 'string') return send(ctx, unable(runner))
    const sent = await serve(call, runner)
    return sent && send(ctx, sent)
  } catch (error) {
    if (error instanceof Refusal) return send(ctx, error.alone())
    throw error
  }
}

const unable = (reason: string): Sent => ({ status: 501, text: refusalSaying(reason, 'NOT_IMPLEMENTED') })

const methods = { Allow: 'GET, POST' }

async function other({ ctx }: Pick<Call, 'ctx'>): Promise<Sent> {
  if (ctx.method === 'OPTIONS') return { status: 204, text: '', headers: methods }
  throw new Refusal('GraphQL is served by GET and POST', { status: 405, headers: methods })
}

async function get(call: Call, runner: Runner): Promise<Sent | undefined> {
  const { ctx } = call
  if (ctx.method === 'HEAD') return other(call)
  checkOrigin(ctx, call.service.settings.http)
  const sent = new URLSearchParams(ctx.querystring)
  if (!sent.get('query') && !sent.get('extensions'))
    throw new Refusal('The URL has no query of GraphQL: send it as ?query=, or in the body of a POST')
  return alone(Object.fromEntries(sent), { call, runner, onlyQueries: true })
}

async function post(call: Call, runner: Runner): Promise<Sent | undefined> {
  const { ctx, service, caller } = call
  checkOrigin(ctx, service.settings.http)
  if (!ctx.is('multipart/form-data')) return all(await service.host.readBody(ctx), call, runner)
  if (!service.place) throw new BadRequestError('No files can be sent: the plugin upload is disabled')
  refuseKey(ctx, 'an operation with files; send them to POST /upload, which takes one')
  const { body, discard } = await readForm(ctx, service.place, caller)
  try {
    return await all(body, call, runner)
  } finally {
    await discard()
  }
}

/** The response to a body: one operation, or a list of them, which run one after the other. */
async function all(body: unknown, call: Call, runner: Runner): Promise<Sent | undefined> {
  checkDepth(body)
  const running = { call, runner, onlyQueries: false }
  if (isBag(body) && Object.keys(body).length > 0) return alone(body, running)
  if (!Array.isArray(body) || body.length === 0)
    throw new Refusal(
      'The body has no operation: send { "query": "..." } as application/json, or query=... as application/x-www-form-urlencoded',
    )
  const { batchLimit } = call.service.settings.http
  if (batchLimit === 0) throw new Refusal('Several operations in one body are disabled', { code: codes.request })
  if (body.length > batchLimit)
    throw new Refusal(`The body has ${body.length} operations; at most ${batchLimit} are accepted`, {
      code: codes.request,
    })
  refuseKey(call.ctx, 'several operations in one body; send each by itself')
  const texts: string[] = []
  for (const sent of body) texts.push((await inBatch(sent, running)).text)
  return { status: 200, text: `[${texts.join(',')}]` }
}

/** Refuses an `Idempotency-Key` where it would have no effect. */
function refuseKey({ req }: Context, where: string): void {
  if (req.headers['idempotency-key'] !== undefined)
    throw new Refusal(`Idempotency-Key: there is no key for ${where}`, { code: codes.request })
}

interface Running {
  readonly call: Call
  readonly runner: Runner
  readonly onlyQueries: boolean
}

/** The response to the one operation of a request; undefined where it is a stream of events, which has begun. */
async function alone(sent: unknown, running: Running): Promise<Sent | undefined> {
  const { call, runner } = running
  const { feed, persisted } = call.service
  if (!feed || !asksForEvents(call)) return answered(sent, running)
  const operation = readOperation(sent)
  const { operationName, variables } = operation
  const request = { query: persisted.documentOf(operation), operationName, variables }
  return serveEvents(request, { call, runner, feed, answered: () => answered(sent, running) })
}

async function answered(sent: unknown, { call, runner, onlyQueries }: Running): Promise<Sent> {
  const { persisted } = call.service
  const operation = readOperation(sent)
  const { operationName, variables } = operation
  const query = persisted.documentOf(operation)
  const outcome = await runner.run({ query, operationName, variables }, call, { onlyQueries })
  // A document that has run is valid: only such documents are kept.
  if (outcome.status === 200) persisted.keep(operation)
  return outcome.status === 405 ? { ...outcome, headers: { Allow: 'POST' } } : outcome
}

/** The response of one operation among others, which are not undone if it fails. */
async function inBatch(sent: unknown, running: Running): Promise<Sent> {
  const { call } = running
  try {
    return await answered(sent, running)
  } catch (error) {
    if (error instanceof Refusal) return error.inBatch()
    return { status: 200, text: refusalText([answerError(error, { host: call.service.host, ctx: call.ctx })]) }
  }
}

const responseType = 'application/graphql-response+json'

/** Answers go the way of content, with an ETag where they are read; refusals are sent as they are. */
function send(ctx: Context, { status, text, type = typeFor(ctx), headers = {} }: Sent): Finished | undefined {
  ctx.set(headers)
  if (status === 200 && Object.keys(headers).length === 0) return new Finished({ text, type })
  ctx.status = status
  if (status === 204) return undefined
  ctx.type = type
  ctx.body = text
  return undefined
}

/** The media type that the client would rather have: that of plain JSON, unless it asks for the other one. */
function typeFor(ctx: Context): string {
  const isAsked = ctx.req.headers.accept?.includes(responseType) === true
  const type = isAsked && ctx.accepts('application/json', responseType) === responseType ? responseType : undefined
  return `${type ?? 'application/json'}; charset=utf-8`
}
