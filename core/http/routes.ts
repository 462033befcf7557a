import type { Context } from 'koa'
import type { Content } from '../content/content.js'
import type { Answer } from '../content/reads.js'
import type { ContentRequest } from '../content/request.js'
import type { Session } from '../engines/engine.js'
import { NotFoundError } from '../errors.js'
import type { Retry } from '../idempotency/retries.js'
import type { Caller } from '../query/ask.js'
import type { ByValue } from '../query/by-value.js'
import type { ContentType } from '../schema/types.js'
import { readId } from '../schema/values.js'
import type { Endpoint, FurtherAction } from './endpoint.js'
import { isKnown, type Reply } from './responses/responder.js'

/** An endpoint and the function that responds. */
export interface Route extends Endpoint {
  /** Gives the body of the response: text that is ready to be sent, or a value. */
  readonly run: (request: RouteRequest) => Promise<Reply> | Reply
  /** The plugin that has it. */
  readonly plugin?: string
  /** Its whole path, once it is served. */
  readonly pattern?: string
}

export interface RouteRequest {
  readonly ctx: Context
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  /** The text behind the question mark. */
  readonly query: string
  readonly body: unknown
  /** The client gave it a key under which it may be sent again. */
  retry?: Retry | undefined
  /** The same where the route reads the body, and says which it is. */
  readonly retryFor?: ((body: unknown) => Retry) | undefined
  /** The session of its reads; its writes have a transaction of their own. */
  readonly session: Session
}

/** A generated endpoint of a content type, with what answers there. */
export function generatedRoute(
  endpoint: Endpoint,
  type: ContentType,
  content: Content,
  action = endpoint.action as string,
): Route {
  const does = (type.kind === 'singleType' ? ofSingle : ofCollection)[action] as ActionHandler
  return {
    ...endpoint,
    run: request => does(content, askedBy(request, type, { id: idIn(request.params) }), request.body),
  }
}

type ActionHandler = (content: Content, request: ContentRequest, body: unknown) => Answer | Promise<Answer>

const ofSingle: Readonly<Record<string, ActionHandler>> = {
  find: (content, request) => content.findOne(request),
  update: (content, request, body) => content.single.put(request, dataOf(body)),
  delete: async (content, request) => {
    const id = await content.single.id(request, 'delete')
    if (id === undefined) throw new NotFoundError()
    return content.delete({ ...request, id })
  },
}

const ofCollection: Readonly<Record<string, ActionHandler>> = {
  find: (content, request) => content.find(request),
  create: (content, request, body) => content.create(request, dataOf(body)),
  findOne: (content, request) => content.findOne(request),
  update: (content, request, body) => content.update(request, dataOf(body)),
  delete: (content, request) => content.delete(request),
}

/** An endpoint of a content type beside those that every type has, with the function that responds. */
export function furtherRoute(endpoint: Endpoint, type: ContentType, content: Content): Route {
  const run = further[endpoint.does as FurtherAction]
  return { ...endpoint, run: request => run(content, type, request) }
}

type FurtherHandler = (content: Content, type: ContentType, request: RouteRequest) => Reply | Promise<Reply>

const further: Readonly<Record<FurtherAction, FurtherHandler>> = {
  proposeUids: async (content, type, request) => ({
    value: { data: await content.proposeUids(askedBy(request, type), dataOf(request.body)), meta: {} },
  }),
  findByValue: (content, type, request) => content.named.findOne(askedBy(request, type), valueIn(request)),
  putByValue: async (content, type, request) => {
    const asked = askedBy(request, type)
    const { answer, isNew } = await content.named.put(asked, valueIn(request), dataOf(request.body))
    request.ctx.status = isNew ? 201 : 200
    return answer
  },
  aggregate: async (content, type, request) => ({
    value: { data: await content.aggregate(askedBy(request, type)), meta: {} },
  }),
  deleteByValue: (content, type, request) => content.named.delete(askedBy(request, type), valueIn(request)),
}

const valueIn = ({ params: { field = '', value = '' } }: RouteRequest): ByValue => ({ field, value })

/** The content request of a route: its own, or the more specific one of a plugin's route. */
export function askedBy(
  { ctx, query, caller, session, retry }: RouteRequest,
  type: ContentType,
  { text = query, id, options }: Partial<Pick<ContentRequest, 'text' | 'id' | 'options'>> = {},
): ContentRequest {
  const { format, tally, requestId, isVisitor } = ctx.state as StateOfRequest
  const told = format === undefined ? options : { ...options, format }
  const expects = ctx.req.headers['if-match']
  const knows = (tag: string) => isKnown(ctx, tag)
  return { type, id, text, caller, session, options: told, retry, expects, knows, tally, requestId, isVisitor }
}

type StateOfRequest = Pick<ContentRequest, 'tally' | 'requestId' | 'isVisitor'> & { readonly format?: string }

/** The id of an entry; 0, which no entry has, for a value that cannot be one. */
export const idOf = (id: unknown): number => readId(id) ?? 0

const idIn = ({ id }: RouteRequest['params']): number | undefined => (id === undefined ? undefined : idOf(id))

/** The `data` of a body; anything that is no object cannot hold one. */
export const dataOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, 'data')
    ? (body as { data: unknown }).data
    : undefined
