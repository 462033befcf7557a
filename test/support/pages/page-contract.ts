import assert from 'node:assert/strict'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, it } from 'vitest'
import type { TestApp } from '../../../core/index.js'

/** What a page of a plugin is held to. */
interface PageTerms {
  readonly app: () => TestApp
  readonly path: string
  /** Its content security policy. */
  readonly policy: string
  /** The most bytes of its script and of its styles, as they are and packed by gzip. */
  readonly most: { readonly script: Size; readonly styles: Size }
}

interface Size {
  readonly plain: number
  readonly packed: number
}

/** Tests of a built page and its parts, over HTTP: each page that a plugin serves has them. */
export function pageContract({ app, path, policy, most }: PageTerms): void {
  const get = (url: string, headers = {}) => app().inject({ url, headers })
  let script: string
  let styles: string
  beforeAll(async () => {
    const { body } = await get(path)
    script = /src="([^"]+\.js)"/.exec(body)?.[1] ?? ''
    styles = /href="([^"]+\.css)"/.exec(body)?.[1] ?? ''
  })

  it('may load and ask this server only, and contains neither scripts nor styles', async () => {
    for (const url of [path, script]) {
      const { statusCode, headers, body } = await get(url)
      assert.equal(statusCode, 200, url)
      assert.equal(headers['content-security-policy'], policy)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.match(String(headers['x-request-id']), /./)
      assert.doesNotMatch(url === script ? '' : body, /<style|style=|<script[^>]*>[^<]|\son\w+=|https?:/)
    }
  })

  it('is asked for again, and its parts never', async () => {
    assert.equal((await get(path)).headers['cache-control'], 'no-cache')
    for (const [part, name] of [
      [script, /\/assets\/index-[\w-]{8}\.js$/],
      [styles, /\/assets\/index-[\w-]{8}\.css$/],
    ] as const) {
      assert.equal((await get(part)).headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.ok(part.startsWith(`${path}/assets/`), part)
      assert.match(part, name)
    }
  })

  it('is packed as the client takes it', async () => {
    const { rawPayload: plain } = await get(script)
    const codings = [
      { accepts: 'br, gzip', is: 'br', unpack: brotliDecompressSync },
      { accepts: 'gzip', is: 'gzip', unpack: gunzipSync },
    ]
    for (const { accepts, is, unpack } of codings) {
      const response = await get(script, { 'accept-encoding': accepts })
      assert.equal(response.headers['content-encoding'], is)
      assert.match(String(response.headers.vary), /\bAccept-Encoding\b/)
      assert.deepEqual(unpack(response.rawPayload), plain)
    }
    assert.equal((await get(script, { 'accept-encoding': 'identity' })).headers['content-encoding'], undefined)
  })

  for (const [part, { plain, packed }] of Object.entries(most))
    it(`takes at most ${plain / 1000} kB of ${part}, ${packed / 1000} kB packed`, async () => {
      const url = part === 'script' ? script : styles
      const sizeAs = async (coding: string) => (await get(url, { 'accept-encoding': coding })).rawPayload.length
      const sizes = [await sizeAs('identity'), await sizeAs('gzip')] as const
      assert.ok(sizes[0] <= plain && sizes[1] <= packed, `${sizes} bytes`)
      assert.ok(sizes[1] > 1000, 'something is there')
    })

  it('is not sent to clients that have it', async () => {
    for (const url of [path, script]) {
      const { headers } = await get(url)
      const again = await get(url, { 'if-none-match': String(headers.etag) })
      assert.deepEqual([again.statusCode, again.body], [304, ''])
    }
  })

  it('is described to HEAD without being sent', async () => {
    const { statusCode, headers, body } = await app().inject({ method: 'HEAD', url: script })
    assert.equal(statusCode, 200)
    assert.ok(Number(headers['content-length']) > 0)
    assert.equal(body, '')
  })

  it('has no parts but its own', async () => {
    for (const name of ['nothing.js', '..%2findex.html', 'index.html'])
      assert.equal((await get(`${path}/assets/${name}`)).statusCode, 404, name)
  })
}
