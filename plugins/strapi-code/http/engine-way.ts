import { type AskOptions, type Finished, NotFoundError, type RouteCall } from '../../../core/index.js'
import { queryText } from '../../../core/plugin-kit.js'
import { cleanQuery } from '../packages/utils/sanitize-query.js'
import { checkQuery } from '../packages/utils/validate-query.js'
import type { Bag, CodeType, Data, Loose, Strapi } from '../types.js'
import { callOf, queryTextOf } from './context.js'
import { isCore, isUntouched } from './made.js'

interface Parts {
  readonly strapi: Strapi
  readonly data: Pick<Data, 'hasEvents'>
}

/** The controller whose action is asked for, what it inherits, and the request. */
interface ActionCall {
  readonly controller: Loose
  readonly core: Bag
  readonly ctx: Loose
}

interface Direct {
  readonly type: CodeType
  readonly action: string
}

/** The functions of the service that an action calls. */
const called: Readonly<Record<string, readonly string[]>> = {
  find: ['find', 'getFetchParams'],
  findOne: ['findOne', 'getFetchParams'],
  create: ['create'],
  update: ['update', 'createOrUpdate', 'find'],
  delete: ['delete', 'find'],
}

/** The events that an action fires. */
const fired: Readonly<Record<string, readonly string[]>> = {
  find: ['findMany', 'count', 'findOne'],
  findOne: ['findOne'],
  create: ['create', 'findOne'],
  update: ['update', 'findOne', 'create'],
  delete: ['delete', 'findOne'],
}

/**
 * Standard actions that the engine answers as it answers generated routes: where no code of the project stands between the
 * request and the database.
 */
export class EngineWay {
  readonly #parts: Parts
  readonly #components = new Map<string, readonly string[]>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** True where nothing of the project has a say in an action: no override, no event, no transaction of the code. */
  serves(type: CodeType, action: string, { controller, core, ctx }: ActionCall): boolean {
    if (callOf(ctx) === undefined || (isWrite(action) && ctx.is('multipart'))) return false
    if (!isUntouched(controller, core)) return false
    return this.isPlain(type, action) && this.#parts.strapi.db?.inTransaction?.() !== true
  }

  /** True where the service of a type is the core one in what an action calls, and no event is heard. */
  isPlain(type: CodeType, action: string): boolean {
    const { strapi, data } = this.#parts
    const service = strapi.service(type.uid)
    if (service !== undefined && !(called[action] ?? []).every(name => isCore(service, name))) return false
    const isHeard = (uid: string) => (fired[action] ?? []).some(event => data.hasEvents(uid, event))
    if (isHeard(type.uid)) return false
    const isRead = action === 'find' || action === 'findOne'
    return isRead || !this.#componentsOf(type).some(isHeard)
  }

  /** The response as an object that code may change; null where there is no such entry. */
  async run(type: CodeType, action: string, ctx: Loose): Promise<Loose> {
    const { content } = callOf(ctx) as RouteCall
    const request = { content, id: ctx.params.id, data: isWrite(action) ? dataOf(ctx) : undefined }
    const query = queryOf(type, ctx, uid => this.#parts.strapi.getModel(uid))
    try {
      return (await ask(type, action, request, { query, whole: true })).value()
    } catch (error) {
      if (error instanceof NotFoundError) return null
      throw error
    }
  }

  /** The response to a request that asks for nothing but a standard action; undefined where code has a say, or a form came. */
  direct({ type, action }: Direct, call: RouteCall): Promise<Finished> | undefined {
    if ((isWrite(action) && call.body === undefined) || !this.isPlain(type, action)) return undefined
    return ask(type, action, {
      content: call.content,
      id: call.params.id,
      data: isWrite(action) ? sentData(call.body) : undefined,
    })
  }

  /** All components in which an entry of the type may have values. */
  #componentsOf(type: CodeType): readonly string[] {
    const known = this.#components.get(type.uid)
    if (known) return known
    const found = new Set<string>()
    const add = (model: CodeType | undefined) => {
      for (const { type: kind, component, components = [] } of Object.values(model?.attributes ?? {}))
        for (const uid of kind === 'component' ? [component] : kind === 'dynamiczone' ? components : [])
          if (!found.has(uid)) {
            found.add(uid)
            add(this.#parts.strapi.getModel(uid))
          }
    }
    add(type)
    this.#components.set(type.uid, [...found])
    return [...found]
  }
}

const isWrite = (action: string): boolean => action === 'create' || action === 'update'

/** A request for a standard action. */
interface Request {
  readonly content: RouteCall['content']
  readonly id: unknown
  readonly data: unknown
}

function ask(
  { uid, kind }: CodeType,
  action: string,
  { content, id, data }: Request,
  options: AskOptions = {},
): Promise<Finished> {
  if (kind === 'singleType') {
    if (action === 'update') return content.update(uid, undefined, data, { ...options, orCreate: true })
    return action === 'delete' ? content.delete(uid, undefined, options) : content.findOne(uid, undefined, options)
  }
  switch (action) {
    case 'find':
      return content.find(uid, options)
    case 'findOne':
      return content.findOne(uid, id, options)
    case 'create':
      return content.create(uid, data, options)
    case 'update':
      return content.update(uid, id, data, options)
    default:
      return content.delete(uid, id, options)
  }
}

/** The query as code has left it. Where no caller is known, no relation is followed. */
function queryOf(type: CodeType, ctx: Loose, getModel: Strapi['getModel']): string {
  const text = queryTextOf(ctx)
  if (ctx.state.auth !== undefined || text === '') return text
  const access = { getModel, can: () => false }
  checkQuery(ctx.query, type, access)
  return queryText(cleanQuery(ctx.query, type, access))
}

const sentData = (body: unknown): unknown => (Object(body) as Bag).data

/** The data as JSON has it: code may have put dates and the like into it. */
function dataOf(ctx: Loose): unknown {
  const data = sentData(ctx.request.body)
  return data === undefined ? undefined : JSON.parse(JSON.stringify(data))
}
