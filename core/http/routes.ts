import type { Context } from 'koa'
import type { Answer, Content, Knows, Reading, Under } from '../content.js'
import { NotFoundError, ValidationError } from '../errors.js'
import type { Caller } from '../hooks.js'
import type { CallerContent, Route as PluginRoute } from '../plugin-parts.js'
import { readId } from '../schema/field-types.js'
import type { ContentType } from '../schema/types.js'

/** A path of the API and what answers there; `stele routes` prints this table. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In the router's notation. */
  readonly path: string
  /** Below the API prefix, or from the root of the server. */
  readonly at?: 'api' | 'root'
  /** What the caller must be allowed to do; undefined is open to everybody. */
  readonly action?: string
  readonly uid?: string
  /** Callers without credentials are asked for them, whatever they may do otherwise. */
  readonly credentials?: 'needed'
  readonly describe?: string
  readonly format?: string
  readonly takesBody: boolean
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
}

/** An answer that is ready to be sent: a plugin's route gives it on as it is. */
export class Finished {
  readonly reply: Reply
  constructor(reply: Reply) {
    this.reply = reply
  }
}

export type Reply =
  | { readonly text: string | Buffer; readonly tag?: string | undefined }
  | { readonly value: unknown }
  | { readonly unchanged: string }

/** The generated endpoints of a collection type or a single type. */
export function routesOf(type: ContentType, content: Content): Route[] {
  const { format } = type.options
  const base = { uid: type.uid, ...(format !== undefined && { format }) }
  const read =
    (find: (request: RouteRequest, knows: Knows) => Promise<Reading>): Route['run'] =>
    async request => {
      const reading = await find(request, tag => isKnown(request.ctx, tag))
      return 'unchanged' in reading ? reading : { text: reading.body, tag: reading.tag }
    }
  const text = async (answer: Promise<Answer>): Promise<Reply> => ({ text: (await answer).body })
  if (type.kind === 'singleType') {
    const path = `/${type.singularName}`
    return [
      {
        ...base,
        method: 'GET',
        path,
        action: 'find',
        takesBody: false,
        describe: `the ${type.displayName}`,
        run: read(({ query, caller }, knows) => content.findOne(type, undefined, query, caller, knows)),
      },
      {
        ...base,
        method: 'PUT',
        path,
        action: 'update',
        takesBody: true,
        describe: `change or make the ${type.displayName}`,
        run: ({ body, query, caller }) => text(content.put(type, dataOf(body), query, caller)),
      },
      {
        ...base,
        method: 'DELETE',
        path,
        action: 'delete',
        takesBody: false,
        describe: `delete the ${type.displayName}`,
        run: async ({ query, caller }) => {
          const id = await content.idOfSingle(type, 'delete', query, caller)
          if (id === undefined) throw new NotFoundError()
          return text(content.delete(type, id, query, caller))
        },
      },
    ]
  }
  const path = `/${type.pluralName}`
  const one = `${path}/:id`
  return [
    {
      ...base,
      method: 'GET',
      path,
      action: 'find',
      takesBody: false,
      describe: `list ${type.pluralName}`,
      run: read(({ query, caller }, knows) => content.find(type, query, caller, knows)),
    },
    {
      ...base,
      method: 'POST',
      path,
      action: 'create',
      takesBody: true,
      describe: `make one of ${type.pluralName}`,
      run: ({ body, query, caller }) => text(content.create(type, dataOf(body), query, caller)),
    },
    {
      ...base,
      method: 'GET',
      path: one,
      action: 'findOne',
      takesBody: false,
      describe: `one of ${type.pluralName}`,
      run: read(({ params, query, caller }, knows) =>
        content.findOne(type, readId(params.id) ?? 0, query, caller, knows),
      ),
    },
    {
      ...base,
      method: 'PUT',
      path: one,
      action: 'update',
      takesBody: true,
      describe: `change one of ${type.pluralName}`,
      run: ({ params, body, query, caller }) =>
        text(content.update(type, readId(params.id) ?? 0, dataOf(body), query, caller)),
    },
    {
      ...base,
      method: 'DELETE',
      path: one,
      action: 'delete',
      takesBody: false,
      describe: `delete one of ${type.pluralName}`,
      run: ({ params, query, caller }) => text(content.delete(type, readId(params.id) ?? 0, query, caller)),
    },
  ]
}

/** The `data` of a body; anything that is no object cannot hold one. */
export function dataOf(body: unknown): unknown {
  const data =
    typeof body === 'object' && body !== null && Object.hasOwn(body, 'data')
      ? (body as { data: unknown }).data
      : undefined
  if (typeof data !== 'object' || data === null) throw new ValidationError('Missing "data" payload in the request body')
  return data
}

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
  plugin: string,
  route: PluginRoute,
  service: unknown,
  { readQuery, content }: RouteServices,
): Route {
  const { method, path, at, action, uid = `plugin::${plugin}`, credentials, describe, format, run } = route
  const body = route.body ?? (method === 'GET' || method === 'DELETE' ? 'none' : 'parsed')
  return {
    method,
    path,
    ...(at && { at }),
    ...(action !== null && { action, uid }),
    ...(credentials && { credentials }),
    ...(describe !== undefined && { describe }),
    ...(format !== undefined && { format }),
    takesBody: body === 'parsed',
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
  return ({ ctx, caller, query: own }: RouteRequest): CallerContent => {
    const knows: Knows = tag => isKnown(ctx, tag)
    const read = async (reading: Promise<Reading>): Promise<Finished> => {
      const given = await reading
      return new Finished('unchanged' in given ? given : { text: given.body, tag: given.tag })
    }
    const written = async (answer: Promise<Answer>): Promise<Finished> => new Finished({ text: (await answer).body })
    const idOf = (id: unknown) => readId(id) ?? 0
    const entryOf = async (type: ContentType, id: unknown, action: string, query: string, under: Under) =>
      id === undefined && type.kind === 'singleType'
        ? ((await content.idOfSingle(type, action, query, caller, under)) ?? 0)
        : idOf(id)
    return {
      find: (uid, { query = own, permission, paging } = {}) =>
        read(
          content.find(typeOf(uid), query, caller, knows, {
            ...(permission && { permission }),
            ...(paging && { paging }),
          }),
        ),
      findOne: (uid, id, { query = own, permission } = {}) =>
        read(content.findOne(typeOf(uid), idOf(id), query, caller, knows, { ...(permission && { permission }) })),
      count: (uid, { query = own, permission } = {}) =>
        content.count(typeOf(uid), query, caller, { ...(permission && { permission }) }),
      create: (uid, data, { query = own, permission } = {}) =>
        written(content.create(typeOf(uid), data, query, caller, { ...(permission && { permission }) })),
      update: async (uid, id, data, { query = own, permission } = {}) => {
        const type = typeOf(uid)
        const under = { ...(permission && { permission }) }
        const entry = await entryOf(type, id, 'update', query, under)
        return written(content.update(type, entry, data, query, caller, under))
      },
      delete: async (uid, id, { query = own, permission } = {}) => {
        const type = typeOf(uid)
        const under = { ...(permission && { permission }) }
        const entry = await entryOf(type, id, 'delete', query, under)
        return written(content.delete(type, entry, query, caller, under))
      },
    }
  }
}
