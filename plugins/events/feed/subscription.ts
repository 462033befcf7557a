import { type AppOutline, InvalidParameter, RequestError, type RouteCall } from '../../../core/index.js'
import { nearest, readId } from '../../../core/plugin-kit.js'

/** The parameters of the feed itself; all others are those of the entries that it includes. */
const own = ['types', 'since', 'include']

/** A client's selection of events. */
export interface Subscription {
  /** The uids of the types. */
  readonly types: ReadonlySet<string>
  /** The client has named them. */
  readonly areNamed: boolean
  /** The position behind which it begins; undefined for new events only. */
  readonly since: number | undefined
  /** The query with which entries are looked at, and included if that is wanted. */
  readonly query: string
  readonly includesEntries: boolean
  /** Drafts are shown as well. */
  readonly hasDrafts: boolean
}

/** The requested position is no longer recorded: the client has to read the content anew. */
export class TooOld extends RequestError {
  readonly status = 410
  override readonly name = 'GoneError'

  constructor(since: number, first: number) {
    super(`There are no events from ${since} on any more; read the content again, and follow it from ${first}`)
  }
}

type FeedRequest = Pick<RouteCall, 'ctx' | 'query'>

export function subscriptionOf({ ctx, query }: FeedRequest, { types }: Pick<AppOutline, 'types'>): Subscription {
  const served = [...types.types.values()].filter(({ routed }) => routed)
  const names = listOf(query.types, 'types')
  const wanted = names?.map(name => {
    const found = served.find(
      ({ uid, singularName, pluralName }) => uid === name || singularName === name || pluralName === name,
    )
    if (found) return found.uid
    const known = served.map(({ singularName }) => singularName)
    const meant = nearest(name, known)
    const hint = meant === undefined ? `there are ${known.join(', ')}` : `did you mean "${meant}"?`
    throw new InvalidParameter(['types'], `There is no type "${name}"; ${hint}`)
  })
  const include = listOf(query.include, 'include') ?? []
  if (include.some(word => word !== 'entry'))
    throw new InvalidParameter(['include'], `"${include.join(',')}" cannot be included; "entry" can`)
  const rest = new URLSearchParams(ctx.querystring)
  for (const name of own) rest.delete(name)
  const includesEntries = include.length > 0
  const others = rest.toString()
  const shaping = [...rest.keys()].find(name => /^(fields|populate)/.test(name))
  if (shaping !== undefined && !includesEntries)
    throw new InvalidParameter([shaping], 'It shapes entries, and the feed has none without include=entry')
  return {
    areNamed: wanted !== undefined,
    types: new Set(wanted ?? served.map(({ uid }) => uid)),
    since: sinceOf(ctx.get('Last-Event-ID') || query.since),
    includesEntries,
    query: includesEntries ? others : `fields[0]=id${others === '' ? '' : `&${others}`}`,
    hasDrafts: query.publicationState === 'preview',
  }
}

function sinceOf(value: unknown): number | undefined {
  if (value === undefined || value === '') return undefined
  const since = value === '0' ? 0 : readId(value)
  if (since === undefined)
    throw new InvalidParameter(['since'], `${JSON.stringify(value)} is not the id of an event; expected a whole number`)
  return since
}

/** Words in a list, or with commas between them. */
function listOf(value: unknown, name: string): readonly string[] | undefined {
  if (value === undefined || value === '') return undefined
  const list = Array.isArray(value) ? value : String(value).split(',')
  if (typeof value === 'object' && !Array.isArray(value))
    throw new InvalidParameter([name], 'Expected words with commas between them')
  return list.map(word => String(word).trim()).filter(word => word !== '')
}
