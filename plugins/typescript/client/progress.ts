import type { RequestOptions } from './resources.js'

/** As much of `XMLHttpRequest` as is used: only it tells how much has been sent. */
interface Sender {
  readonly status: number
  readonly statusText: string
  readonly response: unknown
  readonly upload: { onprogress: (event: { readonly loaded: number; readonly total: number }) => void }
  responseType: string
  onload: () => void
  onloadend: () => void
  onerror: () => void
  onabort: () => void
  open(method: string, address: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: unknown): void
  abort(): void
}

/** Browsers have it; Node.js and workers may not. */
declare const XMLHttpRequest: (new () => Sender) | undefined

/** The statuses of responses that have no body. */
const bare = [204, 205, 304]

/** A `fetch` that tells `onProgress` of a request how much of its body has been sent, where there is `XMLHttpRequest`. */
export const withProgress =
  (send: typeof fetch = fetch): typeof fetch =>
  (input, init) => {
    const {
      onProgress,
      signal,
      headers,
      method = 'GET',
      body,
    } = (init ?? {}) as RequestInit & Pick<RequestOptions, 'onProgress'>
    if (!onProgress || typeof XMLHttpRequest === 'undefined') return send(input, init)
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, `${(input as { readonly url?: string }).url ?? input}`)
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value)
      })
      request.responseType = 'blob'
      request.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total })
      request.onerror = () => reject(new TypeError('The request failed'))
      request.onabort = () => reject(signal?.reason)
      request.onload = () => {
        const { status, statusText } = request
        const lines = request
          .getAllResponseHeaders()
          .trim()
          .split(/[\r\n]+/)
        const sent = lines.filter(Boolean).map(line => line.split(/: (.*)/, 2) as [string, string])
        resolve(
          new Response(bare.includes(status) ? null : (request.response as ConstructorParameters<typeof Response>[0]), {
            status,
            statusText,
            headers: sent,
          }),
        )
      }
      const abort = () => request.abort()
      signal?.addEventListener('abort', abort)
      request.onloadend = () => signal?.removeEventListener('abort', abort)
      if (signal?.aborted) return reject(signal.reason)
      request.send(body)
    })
  }
