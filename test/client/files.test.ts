import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp } from '../../core/index.js'
import {
  type AnySchema,
  createClient,
  type Progress,
  pictureUrl,
  srcset,
  withProgress,
} from '../../plugins/typescript/client/index.js'
import { upload } from '../../plugins/upload/index.js'
import { fetchOf, url } from './fetch.js'

/** `XMLHttpRequest` of a browser, over a `fetch`: it tells of half of the body before it is sent, and of all of it after. */
function browser(send: typeof fetch): void {
  class Sender {
    readonly upload = { onprogress: (_: { loaded: number; total: number }) => undefined }
    readonly #headers = new Headers()
    readonly #ending = new AbortController()
    #place = { method: '', address: '' }
    #answered = new Headers()
    status = 0
    statusText = ''
    response: unknown
    onload = () => undefined
    onloadend = () => undefined
    onerror = () => undefined
    onabort = () => undefined
    open(method: string, address: string) {
      this.#place = { method, address }
    }
    setRequestHeader(name: string, value: string) {
      this.#headers.set(name, value)
    }
    getAllResponseHeaders = () => [...this.#answered].map(([name, value]) => `${name}: ${value}\r\n`).join('')
    abort() {
      this.#ending.abort()
    }
    async send(body: FormData) {
      const { method, address } = this.#place
      const request = new Request(address, { method, body, headers: this.#headers })
      const total = (await request.clone().arrayBuffer()).byteLength
      this.upload.onprogress({ loaded: total / 2, total })
      try {
        if (this.#ending.signal.aborted) return this.onabort()
        const answer = await send(request)
        this.upload.onprogress({ loaded: total, total })
        this.#answered = answer.headers
        Object.assign(this, { status: answer.status, statusText: answer.statusText, response: await answer.blob() })
        this.onload()
      } catch {
        this.onerror()
      } finally {
        this.onloadend()
      }
    }
  }
  Object.assign(globalThis, { XMLHttpRequest: Sender })
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'XMLHttpRequest'))
}

type Call = (
  route: string,
  call?: object,
  options?: object,
) => Promise<{ data: unknown; error?: { status: number; name: string; message: string } }>

describe('an upload', () => {
  const form = () => {
    const body = new FormData()
    body.append('files', new Blob(['flour, water'], { type: 'text/plain' }), 'list.txt')
    return body
  }
  const serve = async () => {
    const app = await createTestApp({ plugins: [upload] })
    onTestFinished(() => app.close())
    const send = fetchOf(app)
    const api = createClient<AnySchema>({ url, token: 'x', fetch: withProgress(send) }) as unknown as Call
    return { send, api }
  }

  it('tells how much of it has been sent, and what the server answers', async () => {
    const { send, api } = await serve()
    browser(send)
    const progress: Progress[] = []
    const onProgress = (one: Progress) => progress.push(one)
    const { data } = await api('POST /upload', { body: form() }, { onProgress })
    assert.equal((data as { name: string }[])[0]?.name, 'list.txt')
    const total = progress[0]?.total ?? 0
    assert.deepEqual(progress, [
      { sent: total / 2, total },
      { sent: total, total },
    ])
    const wrong = await api('POST /upload', { body: new FormData() }, { onProgress })
    assert.equal(wrong.error?.status, 400)
    assert.match(wrong.error?.name ?? '', /Error$/)
  })

  it('can be given up, and fails as any request does', async () => {
    const { api } = await serve()
    browser(async () => Promise.reject(new Error('gone')))
    const failed = await api('POST /upload', { body: form() }, { onProgress: () => undefined })
    assert.deepEqual([failed.error?.status, failed.error?.name], [0, 'NetworkError'])
    const ending = new AbortController()
    const options = { onProgress: () => ending.abort(new Error('given up')), signal: ending.signal }
    const ended = await api('POST /upload', { body: form() }, options)
    assert.match(String(ended.error?.message), /given up/)
    const before = await api(
      'POST /upload',
      { body: form() },
      { ...options, signal: AbortSignal.abort(new Error('no')) },
    )
    assert.match(String(before.error?.message), /no/)
  })

  it('is sent as ever where there is no XMLHttpRequest', async () => {
    const { api } = await serve()
    const { data } = await api('POST /upload', { body: form() }, { onProgress: assert.fail })
    assert.equal((data as { name: string }[])[0]?.name, 'list.txt')
  })
})

describe('the addresses of a picture', () => {
  const file = {
    ...{ url: '/uploads/a_1f.jpg', hash: 'a_1f', ext: '.jpg', width: 1600, updatedAt: '2026-01-31T09:30:00.000Z' },
    formats: {
      small: { url: '/uploads/small_a.jpg', width: 500 },
      large: { url: '/uploads/large_a.jpg', width: 1000 },
    },
  }
  const v = 'v=2026-01-31T09%3A30%3A00.000Z'

  it('are whole, and change with the file', () => {
    assert.equal(pictureUrl(file, url), `http://localhost/uploads/a_1f.jpg?${v}`)
    assert.equal(
      pictureUrl({ attributes: file }, url, { width: 640, format: 'webp' }),
      `http://localhost/uploads/a_1f.jpg?width=640&format=webp&${v}`,
    )
  })

  it("of a file in a bucket are its own, and those of its variants are the server's", () => {
    const stored = { ...file, url: 'https://cdn.example/a_1f.jpg' }
    assert.equal(pictureUrl(stored, url), 'https://cdn.example/a_1f.jpg')
    assert.equal(pictureUrl(stored, url, { height: 40 }), `http://localhost/uploads/a_1f.jpg?height=40&${v}`)
  })

  it('make a srcset of widths, or of the sizes that are stored', () => {
    assert.equal(
      srcset(file, url, [320, 640], { format: 'avif' }),
      `http://localhost/uploads/a_1f.jpg?format=avif&width=320&${v} 320w, http://localhost/uploads/a_1f.jpg?format=avif&width=640&${v} 640w`,
    )
    assert.equal(
      srcset({ attributes: file }, url),
      [`small_a.jpg?${v} 500w`, `large_a.jpg?${v} 1000w`, `a_1f.jpg?${v} 1600w`]
        .map(one => `http://localhost/uploads/${one}`)
        .join(', '),
    )
    assert.equal(srcset({ url: '/uploads/a.pdf' }, url), '')
  })
})
