import {
  type ContentType,
  type Entry,
  ForbiddenError,
  InvalidParameter,
  NotFoundError,
  RequestError,
  type RouteCall,
} from '../../../core/index.js'
import { type OwnShape, queryText } from '../../../core/plugin-kit.js'
import { answerError } from '../errors.js'
import type { ActedOn, ListedEntries, OperationContext, Permission } from '../meaning.js'
import { listingOf } from '../model/facts.js'
import type { GraphqlService } from '../service.js'
import { runMutation } from '../write/content.js'
import { filtersOf, inputOf, type Page, pageOf, paginationOf, sortOf } from './arguments.js'
import { type BoundList, isPaged } from './bound.js'
import { asQuery } from './needs.js'
import { grown } from './own-fields.js'
import { Sink } from './projector.js'
import { allUnsealed, type BoundRoot, type RootResult, textOf, unsealed } from './roots.js'

interface RootContext extends OperationContext {
  readonly service: GraphqlService
}

/** The root as it is after a part of it was refused. */
type Replace = (root: BoundRoot) => void

/** Runs a root that the content answers; `replace` keeps it without the parts that were refused. */
export async function runRoot(root: BoundRoot, context: RootContext, replace: Replace): Promise<RootResult> {
  const { around, key } = root
  if (!around) return runInside(root, context, replace)
  let result: RootResult | undefined
  const inside = {}
  const next = async (args: BoundRoot['args']) => {
    result = await runInside({ ...root, args }, context, replaced => replace({ ...replaced, args: root.args }))
    return inside
  }
  const answer = await around.run(next, root.args, context)
  if (answer === inside && result) return result
  throw new Error(`a middleware of the field ${key} has to return what next() has returned: the content answers it`)
}

async function runInside(root: BoundRoot, context: RootContext, replace: Replace): Promise<RootResult> {
  let asked = root
  for (;;)
    try {
      return await run(asked, context)
    } catch (error) {
      const without = withoutRefused(asked, error, context)
      if (!without) throw error
      asked = without
      replace(without)
    }
}

/** The root without the populated attribute that was refused: it answers with the refusal, and the rest is read. */
function withoutRefused(root: BoundRoot, error: unknown, { call, service }: RootContext): BoundRoot | undefined {
  if (!(error instanceof RequestError) || !isRead(root)) return undefined
  const path = (error.details as { readonly errors?: readonly { readonly path: readonly string[] }[] }).errors?.[0]
    ?.path
  const link = root.need.at((path ?? []).map(String))
  const mark = ` !${JSON.stringify(path)}`
  // Another request with this selection may have met the refusal before; this root has not, unless its key tells it.
  if (!link || root.shape.key.includes(mark)) return undefined
  const { message, extensions } = answerError(error, { host: service.host, ctx: call.ctx })
  link.refusal = { message, ...(extensions && { extensions }) }
  const shape = { ...root.shape, key: root.shape.key + mark }
  return { ...root, query: asQuery(root.need), shape }
}

/** True for a root that reads entries and does nothing else. */
export const isRead = ({ meaning: { is } }: BoundRoot): boolean => is === 'list' || is === 'one' || is === 'single'

async function run(root: BoundRoot, context: RootContext): Promise<RootResult> {
  const { meaning } = root
  if ('permission' in meaning && root.around?.permits !== true) permit(context.call, meaning.permission)
  switch (meaning.is) {
    case 'list':
      return list(root as BoundList, context)
    case 'one':
      return one(root, context, root.args.id)
    case 'single':
      return one(root, context, undefined)
    case 'entry':
    case 'entries':
      return acted(root, context, await meaning.act(root.args, context))
    case 'listed':
      return listed(root as BoundList, context, await meaning.act(root.args, context))
    case 'changed':
    case 'field':
    case 'link':
      throw new Error('a change or an attribute is no root that is run')
    default:
      return grown(await runMutation(root, context.call, context.service), root, context)
  }
}

function permit({ caller }: RouteCall, { action, uid }: Permission): void {
  if (!caller.can(action, uid)) throw new ForbiddenError('Forbidden access')
}

/** The arguments that say which entries are meant. */
function chosen(root: BoundRoot): Readonly<Record<string, unknown>> {
  const { args, field } = root
  const filters = args.filters === undefined ? undefined : filtersOf(args.filters, inputOf(field, 'filters'))
  return {
    ...(filters && { filters }),
    ...stateOf(root),
    ...(typeof args.locale === 'string' && { locale: args.locale }),
  }
}

const stateOf = ({ args }: BoundRoot) => args.publicationState === 'PREVIEW' && { publicationState: 'preview' }

/** A list as REST is asked for it. */
interface AskedList {
  readonly page: Page
  readonly query: string
  /** The query of its total, where that is selected. */
  readonly counted: string | undefined
}

/** Requests of the lists whose plans are kept: their arguments are read once. */
const requests = new WeakMap<BoundList, AskedList>()

function askedOf(root: BoundList, context: RootContext): AskedList {
  const known = requests.get(root)
  if (known) return known
  const page = pageOf(root.args.pagination, context.service.settings)
  const sort = sortOf(root.args.sort)
  const which = chosen(root)
  const query = queryText({
    ...root.query,
    ...which,
    ...(sort && { sort }),
    ...(page.start > 0 && { start: page.start }),
    ...(page.limit !== undefined && { limit: page.limit }),
  })
  const counted = isPaged(root) ? queryText(which) : undefined
  const made = { page, query, counted }
  requests.set(root, made)
  return made
}

async function list(root: BoundList, context: RootContext): Promise<RootResult> {
  const { call } = context
  const { type } = root.meaning as { readonly type: { readonly uid: string } }
  const { uid } = type
  const { page, query, counted } = askedOf(root, context)
  const { shape } = root
  const as = listingOf(type)
  const [found, total] = await Promise.all([
    call.content.find(uid, { ...as, query, shape, aliases: true, paging: 'open', whole: true }),
    counted === undefined ? 0 : call.content.count(uid, { ...as, query: counted }),
  ])
  return grown(joined(root, textOf(found), paginationOf(page, total)), root, context)
}

/** The list of entries that a function has chosen, in its order. */
async function listed(root: BoundList, { call, service }: RootContext, chosen: ListedEntries | undefined) {
  if (!chosen) return { text: 'null', errors: [] }
  const { uid, options } = (root.meaning as { readonly type: ContentType }).type
  const { ids, pagination } = chosen
  const places = new Map(ids.map((id, place) => [id, place]))
  const placeOf = ({ id }: Entry) => places.get(Number(id)) ?? 0
  const { shape } = root
  const ordered = (entries: Entry[]) => entries.toSorted((one, other) => placeOf(one) - placeOf(other))
  const query = queryText({
    ...root.query,
    filters: { id: { $in: ids.length > 0 ? ids : [0] } },
    ...(options.draftAndPublish === true && { publicationState: 'preview' }),
    ...(isLocalized(root) && { locale: 'all' }),
    limit: Math.max(1, ids.length),
  })
  const many: OwnShape['many'] = (entries, ...more) => shape.many(ordered(entries), ...more)
  const asked = { query, shape: { ...shape, key: `${shape.key} of ${ids}`, many } }
  const found = await call.content.find(uid, { ...asked, aliases: true, paging: 'open', whole: true })
  return grown(joined(root, textOf(found), pagination), root, { call, service })
}

const isLocalized = ({ meaning }: BoundRoot): boolean =>
  (meaning as { readonly type: ContentType }).type.links.has('localizations')

/** The object around a list: its entries, and its page. */
function joined(root: BoundList, text: string, pagination: unknown): RootResult {
  const { fields } = root
  if (!fields) return unsealed(text)
  const { texts, ...seal } = fields.length === 1 && !isPaged(root) ? alone(text) : allUnsealed(text)
  const values = [...texts]
  const parts = fields.map(field => {
    if (field.is === 'text') return `${JSON.stringify(field.key)}:${field.text}`
    const value = field.is === 'held' ? values.shift() : JSON.stringify(field.project(pagination, new Sink()))
    return `${JSON.stringify(field.key)}:${value ?? 'null'}`
  })
  return { text: `{${parts.join(',')}}`, ...seal }
}

const alone = (text: string) => {
  const { text: value, ...seal } = unsealed(text)
  return { texts: [value], ...seal }
}

/** One entry: by its id, or that of a single type. */
async function one(root: BoundRoot, context: RootContext, id: unknown): Promise<RootResult> {
  const { type, is } = root.meaning as { readonly type: { readonly uid: string }; readonly is: string }
  if (is === 'one' && (id === undefined || id === null)) return noEntry(root)
  if (is === 'single' && root.args.locale === 'all') throw new InvalidParameter(['locale'], 'takes one locale here')
  const query = queryText({ ...root.query, ...(is === 'single' ? chosen(root) : is === 'one' && stateOf(root)) })
  const { shape } = root
  try {
    const found = await context.call.content.findOne(type.uid, id, { query, shape, aliases: true, whole: true })
    return await grown(unsealed(textOf(found)), root, context)
  } catch (error) {
    if (error instanceof NotFoundError) return noEntry(root)
    throw error
  }
}

/** The response where there is no entry. */
export const noEntry = ({ shape }: BoundRoot): RootResult =>
  unsealed(JSON.stringify(shape.one(null, {}, { typeOf: () => undefined, pages: {} })))

async function acted(root: BoundRoot, context: RootContext, ids: ActedOn): Promise<RootResult> {
  if (typeof ids === 'number') return one({ ...root, meaning: { ...root.meaning, is: 'entry' } as never }, context, ids)
  if (ids === null) return { text: 'null', errors: [] }
  if (ids === undefined) return noEntry(root)
  const results = await Promise.all(ids.map(id => one(root, context, id)))
  return { text: `[${results.map(({ text }) => text).join(',')}]`, errors: results.flatMap(({ errors }) => errors) }
}
