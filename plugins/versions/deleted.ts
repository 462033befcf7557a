import {
  type Caller,
  ForbiddenError,
  InvalidParameter,
  type Route,
  type RouteCall,
  type TypeOutline,
} from '../../core/index.js'
import { asList, readableBy, readId } from '../../core/plugin-kit.js'
import { deletedVersions, type Service } from './service.js'
import { answer, attributes, version } from './shapes.js'

/** Entries in one response. */
const [usual, most] = [25, 100]
const lastPage = 1_000_000

/** Entries of a type that were deleted for good, as their last versions have them. */
export function deletedRoute({ uid, pluralName }: Pick<TypeOutline, 'uid' | 'pluralName'>): Route<Service> {
  return {
    ...{ method: 'GET', path: `/${pluralName}/versions/deleted`, action: deletedVersions },
    describe: `list the ${pluralName} that were deleted and have versions, those deleted last first`,
    asks: {
      page: { type: 'integer', minimum: 1, maximum: lastPage, default: 1 },
      pageSize: { type: 'integer', minimum: 1, maximum: most, default: usual },
      fields: {
        type: 'array',
        items: { type: 'string' },
        description: 'the attributes to show; all of them without it',
      },
    },
    answers: answer({
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'integer' }, ...version.properties, attributes },
        required: ['id', ...version.required],
      },
    }),
    run: call => listed(uid, call),
  }
}

async function listed(uid: string, { caller, query, service }: RouteCall<Service>) {
  mustSeeAll(uid, caller, service)
  const unknown = Object.keys(query).find(name => !known.includes(name))
  if (unknown !== undefined)
    throw new InvalidParameter([unknown], `it is not accepted here; there are ${known.join(', ')}`)
  const { types, table } = service
  const type = types.get(uid)
  const page = readCount(query, 'page', lastPage) ?? 1
  const pageSize = readCount(query, 'pageSize', most) ?? usual
  // Relations and components are for the version itself, as lists of entries populate none by themselves.
  const mayRead = readableBy(type, caller)
  const names = [...type.fields.keys()].filter(mayRead)
  const fields = readFields(query.fields, names) ?? names
  const total = await table.countDeleted(type)
  const found = total === 0 ? [] : await table.deleted(type, { start: (page - 1) * pageSize, limit: pageSize })
  const data = found.map(({ entry, data, ...about }) => ({
    id: entry,
    ...about,
    attributes: Object.fromEntries(fields.filter(name => Object.hasOwn(data, name)).map(name => [name, data[name]])),
  }))
  return { data, meta: { pagination: { page, pageSize, pageCount: Math.ceil(total / pageSize), total } } }
}

const known = ['page', 'pageSize', 'fields']

/** Row rules cannot be applied to missing entries: callers that have some see none of them. */
export const isRuled = (uid: string, { rows }: Caller): boolean =>
  ['find', 'findOne', 'update'].some(action => rows?.(action, uid) !== undefined)

/** A list of all that was deleted is for callers that could have seen every one of these entries. */
function mustSeeAll(uid: string, caller: Caller, { hidden }: Service): void {
  if (!caller.can('find', uid) && !caller.can('findOne', uid))
    throw new ForbiddenError().because(`the caller may neither find nor findOne on ${uid}`)
  if (isRuled(uid, caller))
    throw new ForbiddenError().because(
      `the caller has row rules for ${uid}, which deleted entries cannot be asked about`,
    )
  const lacking = hidden.some(uid).find(action => !caller.can(action, uid))
  if (lacking !== undefined)
    throw new ForbiddenError().because(`it needs ${lacking} on ${uid}, without which some of the entries were hidden`)
}

function readCount(query: RouteCall['query'], name: string, greatest: number): number | undefined {
  if (query[name] === undefined) return undefined
  const count = readId(query[name])
  if (count !== undefined && count <= greatest) return count
  throw new InvalidParameter([name], `expected a number from 1 to ${greatest}`)
}

/** Names of attributes that the caller may read: `fields=title,slug`, or a list. */
function readFields(asked: unknown, names: readonly string[]): readonly string[] | undefined {
  if (asked === undefined) return undefined
  const fields = typeof asked === 'string' ? asked.split(',') : asList(asked)
  const isName = (name: unknown) => typeof name === 'string' && names.includes(name)
  if (fields?.every(isName)) return fields as readonly string[]
  const wrong = fields?.find(name => !isName(name))
  const problem = fields ? `${JSON.stringify(wrong)} is no field of it` : 'takes names of fields'
  throw new InvalidParameter(['fields'], `${problem}; there are ${names.join(', ')}`)
}
