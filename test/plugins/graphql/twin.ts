import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildSchema,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  isListType,
  isNullableType,
  isUnionType,
  parse,
} from 'graphql'
import { fixture } from '../../strapi4/fixture.js'
import { cut, judge, restFilters, restSort, sliceOf, Unjudged } from './twin-conditions.js'
import { type Ask, type Body, kinds, type Row, readRows } from './twin-rows.js'

/** The schema that the other server printed, with scalars that write what REST has. */
export const recordedSchema = (): GraphQLSchema =>
  writing(buildSchema(readFileSync(join(fixture, 'schema.graphql'), 'utf8')))

function writing(schema: GraphQLSchema): GraphQLSchema {
  const long = schema.getType('Long') as GraphQLScalarType
  const written = (value: unknown) => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value))
  // Version 17 of graphql-js calls it by another name.
  Object.assign(long, { serialize: written, coerceOutputValue: written })
  for (const type of Object.values(schema.getTypeMap()))
    if (isUnionType(type)) type.resolveType = value => (value as Row).type
  return schema
}

interface Question {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
  readonly auth: string
}

type Args = Readonly<Record<string, unknown>>
type Around = (resolver: GraphQLFieldResolver<unknown, unknown>) => GraphQLFieldResolver<unknown, unknown>

interface TwinParts {
  readonly schema: GraphQLSchema
  readonly around: Around
}

const asIs: Around = resolver => resolver

/** Answers operations as slowly as can be: graphql-js asks for each field of each row, and rows are looked for in memory. */
export class Twin {
  readonly schema: GraphQLSchema
  readonly rows: Awaited<ReturnType<typeof readRows>>
  readonly #ask: Ask
  readonly #around: Around
  readonly #found = new Map<string, Promise<readonly number[]>>()
  readonly #allowed = new Map<string, Promise<boolean>>()

  private constructor(ask: Ask, rows: Twin['rows'], { schema, around }: TwinParts) {
    this.schema = schema
    this.#ask = ask
    this.#around = around
    this.rows = rows
  }

  /** The twin of the recorded schema, or of another one whose fields are answered by way of its own. */
  static async of(ask: Ask, other?: TwinParts): Promise<Twin> {
    const parts = other ? { ...other, schema: writing(other.schema) } : { schema: recordedSchema(), around: asIs }
    return new Twin(ask, await readRows(ask), parts)
  }

  async answer({ query, variables, operationName, auth }: Question): Promise<ExecutionResult> {
    return execute({
      schema: this.schema,
      document: parse(query),
      variableValues: variables,
      operationName,
      fieldResolver: this.#around(this.#resolver(auth)),
    })
  }

  #resolver(auth: string): GraphQLFieldResolver<unknown, unknown> {
    return (source, args, _context, { parentType, fieldName, returnType }) => {
      const named = getNamedType(returnType).name
      if (parentType === this.schema.getQueryType()) return this.#root(auth, { name: fieldName, named }, args)
      const row = source as Row
      if (!row || typeof row !== 'object' || !('values' in row)) return (source as Body)[fieldName]
      if (parentType.name.endsWith('Entity')) return fieldName === 'id' ? String(row.id) : row
      if (fieldName === 'id') return String(row.id)
      if (fieldName === 'secret') return null
      const value = row.values[fieldName] ?? null
      if (/(EntityResponse|RelationResponseCollection)$/.test(named))
        return this.#relation(auth, value, { named, args })
      if (!named.startsWith('Component') || !isListType(nullable(returnType))) return value
      return this.#components(value as Row[], args)
    }
  }

  async #root(auth: string, { name, named }: { name: string; named: string }, args: Args): Promise<unknown> {
    const type = named.replace(/Entity(Response|ResponseCollection)$/, '')
    const isList = named.endsWith('Collection')
    await this.#demand(auth, type, isList || type === 'Homepage' || type === 'Global' ? 'find' : 'findOne')
    if (name === 'homepage') return { data: this.#homepage(args) }
    if (!isList) {
      const rows = this.rows.get(type) as ReadonlyMap<number, Row>
      if (type === 'Global') return { data: [...rows.values()][0] ?? null }
      return { data: rows.get(Number(args.id)) ?? null }
    }
    const ids = await this.#ids(auth, {
      type,
      args,
      ...(kindOfLocale(type) && { locale: String(args.locale ?? 'en') }),
    })
    const slice = this.#slice(args)
    const { start, limit } = slice
    const size = limit ?? Math.max(0, ids.length - start)
    const pages =
      limit === undefined
        ? { page: 1, pageCount: 1 }
        : { page: Math.floor(start / limit) + 1, pageCount: Math.ceil(ids.length / limit) }
    return {
      data: cut(ids, slice).map(id => this.rows.get(type)?.get(id)),
      meta: { pagination: { total: ids.length, pageSize: size, ...pages } },
    }
  }

  #homepage({ locale = 'en', publicationState }: Args): Row | null {
    const all = [...(this.rows.get('Homepage')?.values() ?? [])]
    const found = all.find(({ values }) => values.locale === locale)
    return found && (publicationState === 'PREVIEW' || found.values.publishedAt) ? found : null
  }

  #slice({ pagination }: Args) {
    const slice = sliceOf(pagination)
    if (!slice) throw failure('STRAPI_PAGINATION_ERROR', 'two forms of pages')
    return slice
  }

  async #relation(auth: string, value: unknown, { named, args }: { named: string; args: Args }): Promise<unknown> {
    const type = named.replace(/(EntityResponse|RelationResponseCollection)$/, '')
    if (type !== 'UploadFile') await this.#demand(auth, type, 'find')
    const rows = this.rows.get(type) as ReadonlyMap<number, Row>
    if (named.endsWith('EntityResponse')) return { data: value === null ? null : (rows.get(value as number) ?? null) }
    const linked = (value ?? []) as readonly number[]
    const isPaged = type !== 'Homepage'
    const slice = isPaged ? this.#slice(args) : { start: 0, limit: undefined }
    const isAsked = restFilters(args.filters) !== undefined || restSort(args.sort) !== undefined
    const isSeen = (id: number) => args.publicationState !== 'LIVE' || rows.get(id)?.values.publishedAt
    const found = isAsked ? await this.#ids(auth, { type, args, locale: 'all' }) : linked.filter(isSeen)
    const kept = found.filter(id => linked.includes(id))
    const ordered = restSort(args.sort) ? kept : linked.filter(id => kept.includes(id))
    return { data: cut(ordered, slice).map(id => rows.get(id)) }
  }

  /** The ids of all entries that conditions let through, in their order: REST tells them, page by page. */
  #ids(
    auth: string,
    { type, args, locale }: { type: string; args: Args; locale?: string },
  ): Promise<readonly number[]> {
    const { filters, sort, publicationState } = args
    const query = {
      ...{ fields: ['id'], filters: restFilters(filters), sort: restSort(sort) ?? ['id'] },
      ...(locale !== undefined && { locale }),
      ...(publicationState === 'PREVIEW' && { publicationState: 'preview' }),
    }
    const key = JSON.stringify([auth, type, query])
    const known = this.#found.get(key) ?? this.#pages(auth, type, query)
    this.#found.set(key, known)
    return known
  }

  async #pages(auth: string, type: string, query: object): Promise<readonly number[]> {
    const { path } = kinds[type] as { path: string }
    const ids: number[] = []
    // Files need no right where they stand in other entries.
    const caller = type === 'UploadFile' ? 'full' : auth
    for (let start = 0; ; start += 100) {
      const page = type === 'UploadFile' ? {} : { pagination: { start, limit: 100, withCount: false } }
      const { status, body } = await this.#ask(caller, path, { ...query, ...page })
      if (status >= 400)
        throw failure(status === 400 ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR', body?.error?.message)
      const found = (Array.isArray(body) ? body : body.data) as { id: number }[]
      ids.push(...found.map(({ id }) => id))
      if (type === 'UploadFile' || found.length < 100) return ids
    }
  }

  #components(value: readonly Row[] | null, args: Args): readonly Row[] {
    const filters = restFilters(args.filters)
    const sort = restSort(args.sort)
    const kept = (value ?? []).filter(({ id, values }) => judge({ id, ...values }, filters) === true)
    if (sort?.some(word => !/^id(:|$)/.test(word))) throw new Unjudged('sort')
    if (sort) kept.sort((a, b) => (sort[0] === 'id:desc' ? b.id - a.id : a.id - b.id))
    return cut(kept, this.#slice(args))
  }

  async #demand(auth: string, type: string, action: 'find' | 'findOne'): Promise<void> {
    const key = `${auth} ${type} ${action}`
    const known = this.#allowed.get(key) ?? this.#mayRead(auth, type, action)
    this.#allowed.set(key, known)
    if (!(await known)) throw failure('FORBIDDEN', 'Forbidden access')
  }

  async #mayRead(auth: string, type: string, action: 'find' | 'findOne'): Promise<boolean> {
    const { path } = kinds[type] as { path: string }
    const { status } = await this.#ask(auth, action === 'find' ? path : `${path}/1`, {})
    return status !== 403
  }
}

const kindOfLocale = (type: string) => type === 'Article'

const nullable = (type: Parameters<typeof isNullableType>[0]) =>
  isNullableType(type) ? type : (type as unknown as { ofType: GraphQLObjectType }).ofType

const failure = (code: string, message = '') => new GraphQLError(message, { extensions: { code } })

/** The facts of an answer that both have to agree on: the data, and code and place of each error. */
export function factsOf({ data, errors = [] }: Body): { data: unknown; errors: string[] } {
  const told = (errors as readonly { path?: unknown; extensions?: { code?: string } }[]).map(({ path, extensions }) =>
    JSON.stringify([path, extensions?.code ?? 'INTERNAL_SERVER_ERROR']),
  )
  return { data: JSON.parse(JSON.stringify(data ?? null)), errors: told.sort() }
}
