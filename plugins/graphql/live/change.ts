import type { GraphQLField, GraphQLObjectType } from 'graphql'
import { type ContentType, type Entry, ForbiddenError, NotFoundError, type RouteCall } from '../../../core/index.js'
import { type OwnShape, queryText } from '../../../core/plugin-kit.js'
import type { StoredEvent } from '../../events/index.js'
import type { Permission } from '../meaning.js'
import { filtersOf, inputOf } from '../query/arguments.js'
import { grown } from '../query/own-fields.js'
import { type BoundRoot, type RootResult, textOf, unsealed } from '../query/roots.js'
import type { GraphqlService } from '../service.js'

/** A change of an entry, and what is to be known about it beside the event. */
export interface SeenChange {
  readonly event: StoredEvent
  /** The entry had been live when it happened. */
  readonly wasLive: boolean
}

interface ChangeContext {
  readonly call: RouteCall
  readonly service: GraphqlService
}

interface ChangedMeaning {
  readonly type: ContentType
  readonly permission: Permission
}

const meaningOf = ({ meaning }: BoundRoot): ChangedMeaning => meaning as unknown as ChangedMeaning

/** Throws where the caller may not follow the type. */
export function assertFollows(root: BoundRoot, { caller }: Pick<RouteCall, 'caller'>): void {
  const { action, uid } = meaningOf(root).permission
  if (!caller.can(action, uid)) throw new ForbiddenError('Forbidden access')
}

/** The value of a subscription's root for a change; undefined where the caller is told nothing of it. */
export async function runChange(
  root: BoundRoot,
  { event, wasLive }: SeenChange,
  context: ChangeContext,
): Promise<RootResult | undefined> {
  const { id } = root.args
  if (id !== undefined && id !== null && String(id) !== String(event.entry)) return undefined
  const { type } = meaningOf(root)
  const { call } = context
  const { shape } = root
  const one: OwnShape['one'] = (entry, ...more) => shape.one(changed(event, entry), ...more)
  const asked = { ...shape, key: `${shape.key} ${event.event} ${event.entry}`, one }
  try {
    const options = { query: queryFor(root, event.entry, context), shape: asked, aliases: true, whole: true } as const
    return await grown(unsealed(textOf(await call.content.first(type.uid, options))), root, context)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
  if (!isGone(event) || !knew(root, wasLive, call)) return undefined
  return unsealed(JSON.stringify(shape.one(changed(event, null), {}, { typeOf: () => undefined, pages: {} })))
}

const isGone = ({ event }: StoredEvent): boolean => event === 'entry.delete' || event === 'entry.unpublish'

/** True if the caller could see an entry that is not there any more: rules and filters cannot be asked about it. */
const knew = (root: BoundRoot, wasLive: boolean, { caller }: RouteCall): boolean => {
  const { uid } = meaningOf(root).type
  return wasLive && caller.rows?.('find', uid) === undefined && (root.args.filters ?? undefined) === undefined
}

/** The object that the fields of the root are made of. */
const changed = ({ event, entry: id }: StoredEvent, entity: Entry | null) => ({ event, id, entity }) as unknown as Entry

/** The entry among those that the caller finds, in whatever locale. */
function queryFor(root: BoundRoot, entry: number, { service }: ChangeContext): string {
  const { args, node } = root
  const { links, fields } = meaningOf(root).type
  const subscription = service.schema.getSubscriptionType() as GraphQLObjectType
  const field = subscription.getFields()[node.name.value] as GraphQLField<unknown, unknown>
  const given = args.filters ?? undefined
  const filters = given === undefined ? undefined : filtersOf(given, inputOf(field, 'filters'))
  const byId = { id: { $eq: entry } }
  return queryText({
    ...root.query,
    filters: filters ? { $and: [byId, filters] } : byId,
    ...(links.has('localizations') && fields.has('locale') && { locale: 'all' }),
  })
}
