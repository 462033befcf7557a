import type { Entry } from './entry.js'
import { pairs } from './pairs.js'
import type { Fields, Populate } from './query.js'
import type { ApiError } from './resources.js'
import type { AnyResource, AnySchema } from './schema.js'

export interface FeedOptions {
  /** The address of the API, with its prefix. */
  readonly url: string
  /** In place of the global one: `fetch` of a session sends its token. */
  readonly fetch?: typeof fetch
  /** The path of the feed, where the plugin `events` has another one. */
  readonly path?: string
}

/** The change of an entry. */
export interface Change<E = unknown> {
  /** `entry.create`, `entry.update`, `entry.delete`, `entry.publish`, `media.create` and the like. */
  readonly event: string
  readonly uid: string
  readonly id: number
  /** The attributes that an update has changed. */
  readonly changed?: readonly string[]
  /** The entry as it is now, where `fields` or `populate` ask for it, and it is not deleted. */
  readonly entry?: E
}

/** Beside these, the parameters that plugins add to `findOne`. */
export interface FollowOptions<F, P> {
  /** With either, events have their entries. */
  readonly fields?: F
  readonly populate?: P
  /** Begins behind this event; with new events otherwise. */
  readonly since?: number | string
  /** Called with each event: its stored id can be `since` later. */
  readonly onPosition?: (id: string) => void
  /** Events are missing, because the client was away for longer than they are kept: it reads the content again. */
  readonly onGap?: () => void
  /** Called with the reason for which the feed has ended: it resumes by itself after a broken connection or a busy server. */
  readonly onError?: (error: Pick<ApiError, 'status' | 'message'>) => void
}

type TypeAt<R> = R extends { readonly collection: infer T extends AnyResource }
  ? T
  : R extends { readonly single: infer T extends AnyResource }
    ? T
    : never

type EntryAt<S extends AnySchema, K, F, P> = K extends keyof S['paths'] ? Entry<TypeAt<S['paths'][K]>, F, P> : never

/** Calls `told` with the events of a path's entries, and returns a function that ends that. */
export type Feed<S extends AnySchema> = <
  K extends keyof S['paths'] & string,
  const F extends Fields<TypeAt<S['paths'][K]>> = '*',
  const P extends Populate<TypeAt<S['paths'][K]>> = never,
>(
  paths: K | readonly K[],
  told: (change: Change<EntryAt<S, K, F, P>>) => void,
  options?: FollowOptions<F, P> & TypeAt<S['paths'][K]>['findOne'],
) => () => void

/** Statuses that pass: the server has too much to do, or is being restarted. */
const passing = [408, 429, 500, 502, 503, 504]
/** Milliseconds between two attempts, unless the server says otherwise, and at most. */
const [usual, longest] = [2000, 30_000]

/** The callbacks of a connection, which is read line by line. */
interface Heard {
  position: string | undefined
  retry: number
  readonly data: (value: string) => void
}

/** The live feed of the plugin `events`. */
export function createFeed<S extends AnySchema>({ url, fetch: send = fetch, path = '/events' }: FeedOptions): Feed<S> {
  return (paths, told, options = {}) => {
    const { since, onPosition, onGap, onError, ...shape } = options as FollowOptions<unknown, unknown>
    const include = 'fields' in shape || 'populate' in shape ? { include: 'entry' } : {}
    const query = JSON.parse(JSON.stringify({ types: `${paths}`, ...include, ...shape }))
    const address = `${url + path}?${pairs(query).join('&')}`
    const ending = new AbortController()
    const { signal } = ending
    let failures = 0
    const heard: Heard = {
      position: since === undefined ? undefined : `${since}`,
      retry: usual,
      data: value => {
        const { entry, ...change } = JSON.parse(value)
        const { position } = heard
        // The page's handler runs by itself, so that its errors cannot end the feed.
        void Promise.resolve().then(() => {
          if (signal.aborted) return
          told({ ...change, ...(entry && { entry: entry.data ?? entry }) })
          if (position !== undefined) onPosition?.(position)
        })
      },
    }
    /** Reads a connection to its end; false if another one makes no sense. */
    const connect = async (): Promise<boolean> => {
      const { position } = heard
      const headers: Record<string, string> = position === undefined ? {} : { 'Last-Event-ID': position }
      const response = await send(address, { headers, signal })
      const { status, ok, body } = response
      if (ok && body) {
        failures = 0
        await read(body, heard)
        return true
      }
      if (passing.includes(status)) throw new Error(response.statusText)
      if (status === 410) {
        heard.position = undefined
        onGap?.()
        return true
      }
      const said = (await response.json().catch(() => undefined)) as { readonly error?: object } | undefined
      onError?.({ status, message: response.statusText, ...said?.error })
      return false
    }
    const run = async () => {
      while (await connect().catch(() => ++failures > 0)) {
        if (signal.aborted) return
        await pause(Math.min(heard.retry * 2 ** Math.min(failures, 5), longest), signal)
      }
    }
    void run()
    return () => ending.abort()
  }
}

/** Reads lines of server-sent events: `retry: 2000`, `id: 42`, `data: {...}`. */
async function read(body: NonNullable<Response['body']>, heard: Heard): Promise<void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (let rest = ''; ; ) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop() as string
    for (const line of lines) {
      const [, name, text = ''] = /^(\w+): ?(.*)/.exec(line) ?? []
      if (name === 'retry') heard.retry = Number(text)
      if (name === 'id') heard.position = text
      if (name === 'data') heard.data(text)
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true })
  })
