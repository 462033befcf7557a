import assert from 'node:assert/strict'
import type { TestApp } from '../../../../core/index.js'

export interface Page {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly host: string
  readonly path: string
  readonly text: string
}

/** Follows redirects and keeps cookies as a browser does; one host is the server under test, others are on the network. */
export class Browser {
  readonly #app: TestApp
  readonly #home: string
  #cookies: Cookie[] = []

  constructor(app: TestApp, home: string) {
    this.#app = app
    this.#home = new URL(home).host
  }

  /** The cookies as servers sent them. */
  get cookies(): readonly string[] {
    return this.#cookies.map(({ text }) => text)
  }

  forget(): void {
    this.#cookies = []
  }

  /** Goes to an address and on from there, until an address begins with `stop` or there is a page. */
  async open(url: string, { stop, form }: { stop?: string; form?: Record<string, string> } = {}): Promise<Page> {
    let page = await this.#ask(url, form)
    for (let hops = 0; hops < 20; hops += 1) {
      const location = page.headers.get('location')
      if (location === null || page.status < 300 || page.status > 399) return page
      const next = new URL(location, page.url).href
      if (stop !== undefined && next.startsWith(stop)) return { ...page, url: next }
      page = await this.#ask(next)
    }
    return assert.fail('the redirects do not end')
  }

  async #ask(url: string, form?: Record<string, string>): Promise<Page> {
    const { host } = new URL(url)
    const headers = { ...this.#cookieHeader(url), ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) }
    const body = form && new URLSearchParams(form).toString()
    const page = host === this.#home ? await this.#askApp(url, headers) : await askNetwork(url, headers, body)
    for (const text of page.headers.getSetCookie()) this.#keep(text, new URL(url))
    return page
  }

  async #askApp(url: string, headers: Record<string, string>): Promise<Page> {
    const { pathname, search } = new URL(url)
    const reply = await this.#app.inject({ method: 'GET', url: pathname + search, headers })
    const received = new Headers()
    for (const [name, value] of Object.entries(reply.headers))
      for (const one of [value].flat()) if (one !== undefined) received.append(name, String(one))
    return { url, status: reply.statusCode, headers: received, text: reply.body }
  }

  #cookieHeader(url: string): Record<string, string> {
    const { host, pathname } = new URL(url)
    const sent = this.#cookies.filter(
      cookie => cookie.host === host && (pathname === cookie.path || pathname.startsWith(cookie.path)),
    )
    return sent.length === 0 ? {} : { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') }
  }

  #keep(text: string, { host, pathname }: URL): void {
    const [pair = '', ...attributes] = text.split(/;\s*/)
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    const path = attributes.find(one => /^path=/i.test(one))?.slice(5) ?? pathname
    this.#cookies = this.#cookies.filter(cookie => cookie.name !== name || cookie.host !== host || cookie.path !== path)
    if (value !== '') this.#cookies.push({ name, value, host, path, text })
  }
}

async function askNetwork(url: string, headers: Record<string, string>, body: string | undefined): Promise<Page> {
  const answer = await fetch(url, {
    redirect: 'manual',
    headers,
    ...(body !== undefined && { method: 'POST', body }),
  })
  return { url, status: answer.status, headers: answer.headers, text: await answer.text() }
}
