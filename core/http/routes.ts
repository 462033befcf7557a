import type { Context } from 'koa'
import type { Answer, Content, Knows, Reading, Under } from '../content/content.js'
import type { Retry } from '../content/retries.js'
import type { Body } from '../content/runs.js'
import { NotFoundError } from '../errors.js'
import type { Caller } from '../hooks.js'
import type { CallerContent, Route as PluginRoute } from '../plugin-parts.js'
import { readId } from '../schema/field-types.js'
import type { ContentType } from '../schema/types.js'
import type { Endpoint } from './endpoints.js'

/** An endpoint and what answers there. */
export interface Route extends Endpoint {
  /** Gives the body of the answer: text that is ready to be sent, or a value. */
  readonly run: (request: RouteRequest) => Promise<Reply> | Reply
}

export interface RouteRequest {
  readonly ctx: Context
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  /** The text behind the question mark. */
  readonly query: string
  readonly body: unknown
  /** The client gave it a key under which it may be sent again. */
  readonly retry?: Retry | undefined
  /** The answer may be a little behind what was written. */
  readonly mayLag: boolean
}

/** An answer that is ready to be sent: a plugin's route gives it on as it is. */
export class Finished {
  readonly reply: Reply
  constructor(reply: Reply) {
    this.reply = reply
  }
}

export type Reply =
  | { readonly text: Body; readonly tag?: string | undefined }
  | { readonly value: unknown }
  | { readonly unchanged: string }

/** A generated endpoint of a content type, with what answers there. */
export function generatedRoute(endpoint: Endpoint, type: ContentType, content: Content): Route {
  const actions = type.kind === 'singleType' ? ofSingle(type, content) : ofCollection(type, content)
  return { ...endpoint, run: actions[endpoint.action as string] as Route['run'] }
}

type Runs = Readonly<Record<string, Route['run']>>

const ofSingle = (type: ContentType, content: Content): Runs => ({
  find: reading(({ query, caller, mayLag }, knows) =>
    content.findOne(type, undefined, query, caller, knows, {}, mayLag),
  ),
  update: ({ body, query, caller }) => written(content.put(type, dataOf(body), query, caller)),
  delete: async ({ query, caller }) => {
    const id = await content.idOfSingle(type, 'delete', query, caller)
    if (id === undefined) throw new NotFoundError()
    return written(content.delete(type, id, query, caller))
  },
})

const ofCollection = (type: ContentType, content: Content): Runs => ({
  find: reading(({ query, caller, mayLag }, knows) => content.find(type, query, caller, knows, {}, mayLag)),
  create: ({ body, query, caller, retry }) => written(content.create(type, dataOf(body), query, caller, {}, retry)),
  findOne: reading(({ params, query, caller, mayLag }, knows) =>
    content.findOne(type, idIn(params), query, caller, knows, {}, mayLag),
  ),
  update: ({ params, body, query, caller }) => written(content.update(type, idIn(params), dataOf(body), query, caller)),
  delete: ({ params, query, caller }) => written(content.delete(type, idIn(params), query, caller)),
})

const idIn = ({ id }: RouteRequest['params']): number => readId(id) ?? 0

const reading =
  (find: (request: RouteRequest, knows: Knows) => Promise<Reading>): Route['run'] =>
  async request => {
    const found = await find(request, tag => isKnown(request.ctx, tag))
    return 'unchanged' in found ? found : { text: found.body, tag: found.tag }
  }

const written = async (answer: Promise<Answer>): Promise<Reply> => ({ text: (await answer).body })

/** The `data` of a body; anything that is no object cannot hold one. */
const dataOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, 'data')
    ? (body as { data: unknown }).data
    : undefined

/** The client has an answer with this tag already. */
export function isKnown(ctx: Context, tag: string): boolean {
  const sent = ctx.req.headers['if-none-match']
  if (sent === undefined) return false
  const wanted = tagOf(tag)
  return sent === wanted || sent.split(',').some(one => one.trim().replace(/^W\//, '') === wanted.slice(2))
}

/** Tags are weak: they promise the same entries, not the same bytes on the wire. */
export const tagOf = (tag: string): string => `W/"${tag}"`

/** What plugin routes need of the running app. */
export interface RouteServices {
  readonly readQuery: (text: string) => Readonly<Record<string, unknown>>
  readonly content: (request: RouteRequest) => CallerContent
}

/** A plugin's own route as the router takes it. */
export function pluginRoute(
  endpoint: Endpoint,
  { run }: PluginRoute,
  service: unknown,
  { readQuery, content }: RouteServices,
): Route {
  return {
    ...endpoint,
    run: async request => {
      const { ctx, caller, params, query } = request
      let asked: Readonly<Record<string, unknown>> | undefined
      const value = await run({
        ctx,
        caller,
        params,
        get query() {
          asked ??= readQuery(query)
          return asked
        },
        body: request.body,
        service,
        content: content(request),
      })
      return value instanceof Finished ? value.reply : { value }
    },
  }
}

/** The content service as one request of a plugin's route may use it. */
export function callerContent(content: Content, typeOf: (uid: string) => ContentType) {
  return ({ ctx, caller, query: own, retry, mayLag }: RouteRequest): CallerContent => {
    const knows: Knows = tag => isKnown(ctx, tag)
    const read = async (asked: Promise<Reading>): Promise<Finished> => {
      const given = await asked
      return new Finished('unchanged' in given ? given : { text: given.body, tag: given.tag })
    }
    const finished = async (answer: Promise<Answer>): Promise<Finished> => new Finished(await written(answer))
    const idOf = (id: unknown) => readId(id) ?? 0
    const entryOf = async (type: ContentType, id: unknown, action: string, query: string, under: Under) =>
      id === undefined && type.kind === 'singleType'
        ? ((await content.idOfSingle(type, action, query, caller, under)) ?? 0)
        : idOf(id)
    return {
      find: (uid, { query = own, permission, paging } = {}) =>
        read(
          content.find(
            typeOf(uid),
            query,
            caller,
            knows,
            { ...(permission && { permission }), ...(paging && { paging }) },
            mayLag,
          ),
        ),
      findOne: (uid, id, { query = own, permission } = {}) =>
        read(
          content.findOne(typeOf(uid), idOf(id), query, caller, knows, { ...(permission && { permission }) }, mayLag),
        ),
      count: (uid, { query = own, permission } = {}) =>
        content.count(typeOf(uid), query, caller, { ...(permission && { permission }) }, mayLag),
      create: (uid, data, { query = own, permission } = {}) =>
        finished(content.create(typeOf(uid), data, query, caller, { ...(permission && { permission }) }, retry)),
      once: work => content.once(retry, work),
      update: async (uid, id, data, { query = own, permission, begin } = {}) => {
        const type = typeOf(uid)
        const under = { ...(permission && { permission }) }
        const entry = await entryOf(type, id, 'update', query, under)
        return finished(content.update(type, entry, data, query, caller, under, begin))
      },
      delete: async (uid, id, { query = own, permission } = {}) => {
        const type = typeOf(uid)
        const under = { ...(permission && { permission }) }
        const entry = await entryOf(type, id, 'delete', query, under)
        return finished(content.delete(type, entry, query, caller, under))
      },
    }
  }
}
