import {
  type Among,
  type ContentType,
  type Host,
  type Link,
  RequestError,
  ValidationError,
  type Writing,
} from '../../core/index.js'

type Data = Readonly<Record<string, unknown>>
type Types = Host['types']

/** Entries that one request may create beside its own. */
const most = 100

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A relation that is sent with entries to create. */
const createsIn = (link: Link, value: unknown): value is Data & { readonly create: unknown } =>
  !link.embedded && isData(value) && Object.hasOwn(value, 'create')

/** A relation in the data that creates an entry. */
interface NestedCreate {
  readonly path: readonly string[]
  readonly target: ContentType
  readonly data: Data
}

/** Numbers of nested entries that the writes of a request create, by the index of each write. */
const counts = new WeakMap<object, Map<number, number>>()

/** The number of nested entries that the other writes of the request create. */
function othersOf({ all, index }: Among): number {
  let sum = 0
  for (const [other, count] of counts.get(all) ?? []) if (other !== index) sum += count
  return sum
}

/** Checks the form and the number of entries to create, before anything is written. */
export function checkNested(type: ContentType, data: Data, types: Types, among: Among | undefined): void {
  let count = 0
  let others: number | undefined
  const visit = (of: ContentType, inner: Data, path: readonly string[]): void => {
    for (const one of nestedIn(of, inner, path, types)) {
      count += 1
      others ??= among ? othersOf(among) : 0
      if (count + others > most)
        throw wrong(
          one.path,
          `are more than the ${most} entries that one request may create beside its own; send several`,
        )
      visit(one.target, one.data, one.path)
    }
  }
  visit(type, data, [])
  if (!among || count === 0) return
  const known = counts.get(among.all) ?? new Map<number, number>()
  counts.set(among.all, known.set(among.index, count))
}

/** All that the relations of some data create themselves, those in its components too. */
function* nestedIn(type: ContentType, data: Data, path: readonly string[], types: Types): Generator<NestedCreate> {
  for (const link of type.links.values()) {
    const value = data[link.name]
    const at = [...path, link.name]
    if (link.embedded)
      for (const part of partsOf(link, value, at)) yield* nestedIn(part.type, part.data, part.path, types)
    else if (createsIn(link, value)) yield* entriesOf(link, value, at, types)
  }
}

interface Part {
  readonly type: ContentType
  readonly data: Data
  readonly path: readonly string[]
}

/** The components of an attribute, as they are sent. */
function partsOf(link: Link, value: unknown, path: readonly string[]): Part[] {
  const list = Array.isArray(value) ? value : [value]
  return list.flatMap((data, index) => {
    if (!isData(data)) return []
    const types = link.types()
    const type =
      types.length > 1 || link.shape === 'zone' ? types.find(({ uid }) => uid === data.__component) : types[0]
    return type ? [{ type, data, path: Array.isArray(value) ? [...path, String(index)] : path }] : []
  })
}

function entriesOf(
  link: Link,
  value: Data & { readonly create: unknown },
  path: readonly string[],
  types: Types,
): NestedCreate[] {
  const target = targetOf(link, path, types)
  const { create, connect, disconnect, set, ...rest } = value
  const at = [...path, 'create']
  const [stray] = Object.keys(rest)
  if (stray !== undefined)
    throw wrong([...path, stray.slice(0, 100)], 'does not belong beside create; there are connect, disconnect and set')
  if (!link.many && (connect !== undefined || disconnect !== undefined || set !== undefined))
    throw wrong(path, 'leads to one entry: send create alone')
  const list = Array.isArray(create) ? create : [create]
  if (!link.many && list.length !== 1) throw wrong(at, 'must be one entry')
  return list.map((data: unknown, index) => {
    const place = Array.isArray(create) ? [...at, String(index)] : at
    if (!isData(data)) throw wrong(place, 'must be an object of attributes')
    return { path: place, target, data }
  })
}

/** The target type. Types without endpoints are refused: only their plugins know how to create them. */
function targetOf(link: Link, path: readonly string[], types: Types): ContentType {
  const [target, another] = link.targets === undefined ? [] : link.types()
  const served = target && !another ? types.types.get(target.uid) : undefined
  if (served?.routed) return served
  throw wrong([...path, 'create'], 'is not possible here: only relations to one type with endpoints create entries')
}

interface CreateContext {
  readonly types: Types
  readonly create: Writing['create']
}

/** The data with ids in place of created entries; the same data if none were created. */
export async function withCreated(type: ContentType, data: Data, means: CreateContext): Promise<Data> {
  let result = data
  for (const link of type.links.values()) {
    const value = data[link.name]
    const changed = link.embedded
      ? await partsWithCreated(link, value, means)
      : createsIn(link, value)
        ? await created(link, value, means)
        : value
    if (changed !== value) result = { ...result, [link.name]: changed }
  }
  return result
}

async function partsWithCreated(link: Link, value: unknown, means: CreateContext): Promise<unknown> {
  const parts = new Map<unknown, ContentType>(partsOf(link, value, []).map(({ type, data }) => [data, type]))
  const changed = async (part: unknown) => {
    const type = parts.get(part)
    return type ? withCreated(type, part as Data, means) : part
  }
  if (!Array.isArray(value)) return changed(value)
  const list: unknown[] = []
  for (const part of value) list.push(await changed(part))
  return list.every((part, index) => part === value[index]) ? value : list
}

async function created(
  link: Link,
  value: Data & { readonly create: unknown },
  { types, create }: CreateContext,
): Promise<unknown> {
  const ids: number[] = []
  for (const { path, target, data } of entriesOf(link, value, [link.name], types))
    ids.push(await create(target.uid, data).catch(error => Promise.reject(placed(error, path))))
  if (!link.many) return ids[0]
  const { create: _, set, connect, ...rest } = value
  const listed = (sent: unknown) => (sent === undefined ? [] : Array.isArray(sent) ? sent : [sent])
  return set === undefined
    ? { ...rest, connect: [...listed(connect), ...ids] }
    : { ...rest, ...(connect !== undefined && { connect }), set: [...listed(set), ...ids] }
}

interface Issue {
  readonly path: readonly string[]
  readonly message: string
}

/** A refusal of an entry that was to be created, with its place in the body. */
function placed(error: unknown, path: readonly string[]): unknown {
  if (!(error instanceof RequestError)) return error
  const { errors } = Object(error.details) as { errors?: readonly Issue[] }
  const place = written(path)
  if (errors)
    Object.assign(error.details ?? {}, { errors: errors.map(one => ({ ...one, path: [...path, ...one.path] })) })
  return Object.assign(error, { message: `${place}: ${error.message}` })
}

const written = ([first = '', ...rest]: readonly string[]): string =>
  `${first}${rest.map(name => `[${name}]`).join('')}`

function wrong(path: readonly string[], reason: string): ValidationError {
  const message = `${written(path)} ${reason}`
  return new ValidationError(message, { errors: [{ path: [...path], message, name: 'ValidationError' }] })
}
