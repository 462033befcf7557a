import { encode, pairs } from './pairs.js'
import type { Client, ClientOptions, RequestOptions, Result } from './resources.js'
import type { AnySchema } from './schema.js'

/** The parts of a request beside its route. */
interface Sent {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: unknown
  readonly body?: unknown
}

/** A client of the API that a schema, written by `stele types --ts`, describes. */
export function createClient<S extends AnySchema>({
  url,
  token,
  longest = 2000,
  fetch: send = fetch,
}: ClientOptions): Client<S> {
  /** Without a method it reads entries: with a body, if the query makes the address too long. */
  const request = async (
    method: string | undefined,
    path: string,
    { query = {}, body }: Sent,
    options?: RequestOptions,
  ) => {
    const search = pairs(JSON.parse(JSON.stringify(query))).join('&')
    const address = url + path + (search && '?') + search
    if (!method && address.length > longest) {
      const answer = await exchange('POST', `${url + path}/query`, query, options)
      // 404 and 405: the app takes no queries in bodies, or has no such entry. The address finds out which.
      if ((answer.error?.status | 1) !== 405) return answer
    }
    return exchange(method || 'GET', address, body, options)
  }

  const exchange = async (method: string, address: string, body: unknown, options?: RequestOptions) => {
    const bearer = typeof token === 'function' ? token() : token
    const isForm = body instanceof FormData
    const headers = {
      ...((bearer && { Authorization: `Bearer ${bearer}` }) as object),
      ...((body && !isForm && { 'Content-Type': 'application/json' }) as object),
      ...options?.headers,
    }
    let status = 0
    let message = ''
    let said: object | undefined
    try {
      const response = await send(address, {
        ...{ ...options, method, headers },
        body: isForm ? body : JSON.stringify(body),
      })
      status = response.status
      message = response.statusText
      const answer = JSON.parse((await response.text()) || 'null')
      // A response in a format without envelope is an entry, or a list of entries.
      if (response.ok) return answer?.data === undefined || 'id' in answer ? { data: answer, meta: {} } : answer
      said = answer?.error
    } catch (cause) {
      message ||= `${cause}`
    }
    return failed(status, message, said)
  }

  const route = (name: string, sent: Sent = {}, options?: RequestOptions) => {
    const filled = name.replace(/:(\w+)/g, (_, key) => encode(sent.params?.[key]))
    const [method, path] = filled.split(' ') as [string, string]
    return request(method, path, sent, options)
  }
  const resource = (_: unknown, name: string | symbol) => {
    /** A method of a resource; lists and single types have no id as the first argument. `POST`, `PUT` and `PATCH` have data. */
    const done =
      (method?: string) =>
      (...given: unknown[]) => {
        // A number or a string as the first argument is an id.
        const at = /r/.test(typeof given[0]) ? `/${encode(given.shift())}` : ''
        // The data comes before the query, and is taken first.
        const sent = { body: (method as string) > 'P' ? { data: given.shift() } : undefined, query: given[0] }
        return request(method, `/${name as string}${at}`, sent, given[1] as RequestOptions)
      }
    return {
      find: done(),
      findOne: done(),
      create: done('POST'),
      update: done('PUT'),
      patch: done('PATCH'),
      delete: done('DELETE'),
      /** A page of one entry says how many there are. */
      async count(query?: object, options?: RequestOptions) {
        const page = { ...query, fields: 'id', pagination: { pageSize: 1, withCount: true } }
        const { meta, ...answer } = await request(undefined, `/${name as string}`, { query: page }, options)
        if (answer.error) return answer
        const data = meta.pagination?.total
        return data >= 0 ? { data, meta: {} } : failed(200, 'The response says no total')
      },
    }
  }
  return new Proxy(route, { get: resource }) as unknown as Client<S>
}

const failed = (status: number, message: string, said?: object) => ({
  data: null,
  error: { status, name: 'NetworkError', message, details: {}, ...said },
})

/** The data of a result; throws its error, for code that has no other way to go on. */
export function unwrap<Data>({ data, error }: Result<Data, unknown>): Data {
  if (error) throw Object.assign(new Error(), error)
  return data as Data
}
