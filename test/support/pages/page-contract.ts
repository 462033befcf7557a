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
  /** The views that people open first, by the names of their scripts, where these are not the page's own. */
  readonly views?: readonly string[]
  /** The most bytes of its script and of its styles, as they are and packed by gzip: what each first view loads. */
  readonly most: { readonly script: Size; readonly styles: Size }
}

interface Size {
  readonly plain: number
  readonly packed: number
}

type Get = (url: string) => Promise<{ readonly body: string }>

const imports = /\b(?:from|import) ?["'`]\.\/([^"'`]+\.js)["'`]/g
const laterImports = /\bimport\(["'`]\.\/([^"'`]+\.js)["'`]\)/g

/** The addresses of scripts and of all that they import, at their start or also later. */
export async function scriptsOf(get: Get, first: readonly string[], isLater = false): Promise<readonly string[]> {
  const urls = [...first]
  for (const url of urls) {
    const { body } = await get(url)
    const found = [...body.matchAll(imports), ...(isLater ? body.matchAll(laterImports) : [])]
    for (const [, name] of found) {
      const next = new URL(name ?? '', `http://page${url}`).pathname
      if (!urls.includes(next)) urls.push(next)
    }
  }
  return urls
}

/** The address of a part that a page loads when it is needed, by its name. */
export async function partOf(get: Get, script: string, name: string): Promise<string> {
  const found = (await scriptsOf(get, [script], true)).find(url => new RegExp(`/${name}-[\\w-]{8}\\.js$`).test(url))
  assert.ok(found, `the page has no part ${name}`)
  return found
}

/** Tests of a built page and its parts, over HTTP: each page that a plugin serves has them. */
export function pageContract({ app, path, policy, views = [], most }: PageTerms): void {
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
      const sizeOf = async (urls: readonly string[], coding: string) => {
        const parts = await Promise.all(urls.map(url => get(url, { 'accept-encoding': coding })))
        return parts.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0)
      }
      const ofViews = await Promise.all(
        views.map(async view => [...new Set(await scriptsOf(get, [script, await partOf(get, script, view)]))]),
      )
      const all = part === 'styles' ? [[styles]] : ofViews.length > 0 ? ofViews : [await scriptsOf(get, [script])]
      for (const urls of all) {
        const sizes = [await sizeOf(urls, 'identity'), await sizeOf(urls, 'gzip')] as const
        assert.ok(sizes[0] <= plain && sizes[1] <= packed, `${urls}: ${sizes} bytes`)
        assert.ok(sizes[1] > 1000, 'something is there')
      }
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
