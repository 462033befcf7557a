import { isRecord } from '../values/records.js'

export interface PageRequest {
  readonly method?: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** What is sent as JSON; undefined if the request has no body. */
  readonly body?: unknown
  /** What is sent in place of JSON: a form with files. */
  readonly form?: FormData
  readonly signal?: AbortSignal
  /** A function that sends it in place of `fetch`. */
  readonly by?: (request: PageRequest) => Promise<Response>
}

/** A response as a whole. Without one, as the server cannot be reached, the status is 0 and the text says why. */
export interface Reply {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly reason: string
  /** Milliseconds until all of it was there. */
  readonly ms: number
  readonly headers: Headers
  readonly text: string
  /** The JSON of the text; undefined where it is none. */
  readonly body?: unknown
}

/** Sends a request. It does not fail: pages show what there is. */
export async function send(request: PageRequest): Promise<Reply> {
  const { method = 'GET', url } = request
  const begun = performance.now()
  const since = () => performance.now() - begun
  try {
    const response = await (request.by ?? fetched)(request)
    const text = await response.text()
    const { status, statusText: reason } = response
    return { ...{ method, url, status, reason, ms: since(), headers: response.headers, text }, body: parsed(text) }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return { ...{ method, url, status: 0, reason: 'No response', ms: since(), headers: new Headers(), text } }
  }
}

export function fetched({ method = 'GET', url, headers = {}, body, form, signal }: PageRequest): Promise<Response> {
  return fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(form && { body: form }),
    ...(signal && { signal }),
  })
}

export const isDone = ({ status }: Pick<Reply, 'status'>): boolean => status >= 200 && status < 300

/** The message of an error of the API; undefined where the response is none. */
export function errorMessageOf({ body }: Pick<Reply, 'body'>): string | undefined {
  const message = isRecord(body) && isRecord(body.error) ? body.error.message : undefined
  return typeof message === 'string' ? message : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
