import type { PageRequest } from '../../../pages/page/request.js'

/** Sends a form in the older way of browsers, which alone says how much of it is sent, and calls with this share. */
export const tellingShare =
  (onSent: (share: number) => void) =>
  ({ method = 'POST', url, headers = {}, form, signal }: PageRequest): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const stop = () => request.abort()
      const failed = () => reject(new TypeError('The form could not be sent'))
      request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0))
      request.addEventListener('error', failed)
      request.addEventListener('abort', failed)
      request.addEventListener('load', () => resolve(responseOf(request)))
      request.addEventListener('loadend', () => signal?.removeEventListener('abort', stop))
      request.open(method, url)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      signal?.addEventListener('abort', stop)
      if (signal?.aborted) failed()
      else request.send(form)
    })

function responseOf(request: XMLHttpRequest): Response {
  const { status, statusText, responseText } = request
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/)
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ')
    return [name, value.join(': ')]
  })
  return new Response(responseText || null, { status, statusText, headers })
}
