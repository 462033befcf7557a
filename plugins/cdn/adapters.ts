import { BootError } from '../../core/index.js'
import type { CacheSettings } from './settings.js'

/** A cache that is purged. */
export interface Adapter {
  /** Stable name of the cache, the same after a restart. */
  readonly name: string
  /** Keys that it takes in one request. */
  readonly most: number
  /** Drops all that has one of these keys; rejects where that is not certain. */
  readonly purge: (keys: readonly string[], send: Send) => Promise<void>
  readonly purgeAll: (send: Send) => Promise<void>
}

export type Send = (url: string, request: RequestInit) => Promise<Response>

export function adapterOf(settings: CacheSettings): Adapter {
  const { to, url, id, token } = settings
  if (to === 'varnish') return varnish(needed(url, to, 'url'))
  const made = { fastly, cloudflare }[to]
  return made({ url, id: needed(id, to, 'id'), token: needed(token, to, 'token') })
}

function needed(value: string | undefined, to: string, name: string): string {
  if (value !== undefined) return value
  throw new BootError(`config/plugins: cdn.config.purge: "${name}" of ${to} is missing`)
}

/** A pattern that the keys of a response meet: the page of the plugin has the few lines of VCL for it. It has no spaces. */
function varnish(url: string): Adapter {
  const ban = async (pattern: string, send: Send) => {
    await accepted(await send(url, { method: 'PURGE', headers: { 'X-Purge-Keys': pattern } }))
  }
  return {
    name: `varnish ${url}`,
    most: 50,
    purge: (keys, send) => ban(`(^|\\s)(${keys.map(escaped).join('|')})(\\s|$)`, send),
    purgeAll: send => ban('.', send),
  }
}

const escaped = (key: string): string => key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

interface Service {
  readonly url: string | undefined
  readonly id: string
  readonly token: string
}

function fastly({ url = 'https://api.fastly.com', id, token }: Service): Adapter {
  const post = async (path: string, keys: Record<string, string>, send: Send) => {
    const headers = { 'Fastly-Key': token, ...keys }
    await accepted(await send(`${url}/service/${id}/${path}`, { method: 'POST', headers }))
  }
  return {
    name: `fastly ${id}`,
    most: 256,
    purge: (keys, send) => post('purge', { 'Surrogate-Key': keys.join(' ') }, send),
    purgeAll: send => post('purge_all', {}, send),
  }
}

function cloudflare({ url = 'https://api.cloudflare.com', id, token }: Service): Adapter {
  const post = async (body: object, send: Send) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const to = `${url}/client/v4/zones/${id}/purge_cache`
    const { success } = JSON.parse(
      await accepted(await send(to, { method: 'POST', headers, body: JSON.stringify(body) })),
    )
    if (success !== true) throw new Error('Cloudflare did not purge')
  }
  return {
    name: `cloudflare ${id}`,
    most: 30,
    purge: (keys, send) => post({ tags: keys }, send),
    purgeAll: send => post({ purge_everything: true }, send),
  }
}

async function accepted(response: Response): Promise<string> {
  const text = await response.text()
  if (!response.ok) throw new Error(`it responded with ${response.status}: ${text.slice(0, 200)}`)
  return text
}
