import assert from 'node:assert/strict'
import { credentials } from '../../../strapi4/fixture.js'
import type { Editor } from '../project.js'
import type { Hour } from './hour.js'

interface Entry {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A developer: programs with a token at the content API, settings, and restarts. */
export class Developer {
  readonly #hour: Hour
  /** The session of an administrator. */
  readonly ada: Editor
  #count = 9_000_000
  /** What was read before, and may have been changed since. */
  #old: Entry | undefined

  constructor(hour: Hour, ada: Editor) {
    this.#hour = hour
    this.ada = ada
  }

  /** Restarts are in the first half alone, so that memory is watched in a server that goes on. */
  async step(share: number): Promise<string> {
    const { dice, figures } = this.#hour
    figures.developer += 1
    if (share < 0.5 && dice.chance(0.04)) return this.#restart()
    return dice.one([
      () => this.#write(),
      () => this.#write(),
      () => this.#writeOld(),
      () => this.#make(),
      () => this.#relate(),
      () => this.#lists(),
      () => this.#layout(),
      () => this.#role(),
    ])()
  }

  async ask(method: string, path: string, data?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const { server } = this.#hour
    const url = `${server.origin}/api${path}`
    this.#hour.note({ method: () => method, url: () => url, postData: () => JSON.stringify(data ?? '') })
    const response = await fetch(url, {
      method,
      // A connection of its own: the server may end an idle one just as it is used.
      headers: {
        connection: 'close',
        authorization: `Bearer ${credentials.apiTokens.full}`,
        ...(data !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(data !== undefined && { body: JSON.stringify({ data }) }),
    })
    const text = await response.text()
    const body = text === '' ? undefined : JSON.parse(text)
    assert.ok(response.status < 500, `${method} ${path}: ${text}`)
    return { status: response.status, body, text }
  }

  async #restart(): Promise<string> {
    this.#hour.figures.restarts += 1
    await this.#hour.server.restart()
    return 'restarted the server'
  }

  async #article(): Promise<Entry> {
    const { dice, openArticles } = this.#hour
    const isMet = openArticles.length > 0 && dice.chance(0.5)
    return this.#read(dice.one(isMet ? openArticles : hot(this.#hour, 'api::article.article')))
  }

  async #read(id: number): Promise<Entry> {
    const { status, body, text } = await this.ask('GET', `/articles/${id}?publicationState=preview`)
    assert.equal(status, 200, `article ${id}: ${text}`)
    return body.data
  }

  /** A value that no other write has. */
  get #value(): Readonly<Record<string, unknown>> {
    this.#count += 1
    return this.#hour.dice.one([
      { title: `By a program ${this.#count}` },
      { views: this.#count },
      { summary: `Summary ${this.#count}`, rating: 3.5 },
      { body: `Text\n\n${this.#count}` },
      { extra: { by: this.#count } },
    ])
  }

  async #write(): Promise<string> {
    const { id } = await this.#article()
    await this.change(id)
    return `wrote article ${id}`
  }

  /** Writes to an article as it is now. */
  async change(article: number): Promise<void> {
    const { id, attributes } = await this.#read(article)
    const data = this.#value
    const { status, text } = await this.ask('PUT', `/articles/${id}`, data, { 'if-match': `"${attributes.updatedAt}"` })
    assert.equal(status, 200, text)
    await this.#stored(id, { ...attributes, ...data })
  }

  async #stored(id: number, wanted: Readonly<Record<string, unknown>>): Promise<void> {
    const { body } = await this.ask('GET', `/articles/${id}?publicationState=preview`)
    const { updatedAt: _, ...is } = body.data.attributes
    const { updatedAt: __, ...should } = wanted
    assert.deepEqual(is, should)
  }

  /** Writes on the state of an earlier step, which is refused where others have written since. */
  async #writeOld(): Promise<string> {
    const old = this.#old
    this.#old = await this.#article()
    if (!old) return 'read an article'
    const now = await this.ask('GET', `/articles/${old.id}?publicationState=preview`)
    if (now.status === 404) return 'an article is gone'
    const isOld = now.body.data.attributes.updatedAt !== old.attributes.updatedAt
    const data = this.#value
    const { status, text } = await this.ask('PUT', `/articles/${old.id}`, data, {
      'if-match': `"${old.attributes.updatedAt}"`,
    })
    assert.equal(status, isOld ? 412 : 200, text)
    await this.#stored(old.id, { ...now.body.data.attributes, ...(!isOld && data) })
    return isOld ? `was refused at article ${old.id}` : `wrote article ${old.id} as it was read`
  }

  async #make(): Promise<string> {
    this.#count += 1
    const made = await this.ask('POST', '/tags', { name: `Tag ${this.#count}`, color: 'grey' })
    assert.equal(made.status, 200, made.text)
    if (this.#hour.dice.chance(0.5)) return 'made a tag'
    const tags = this.#hour.ledger.rowsOf('api::tag.tag').filter(({ name }) => /^Tag 9\d{6}$/.test(String(name)))
    if (tags.length === 0) return 'made a tag'
    const gone = await this.ask('DELETE', `/tags/${this.#hour.dice.one(tags).id}`)
    assert.equal(gone.status, 200, gone.text)
    return 'made a tag and deleted one'
  }

  async #relate(): Promise<string> {
    const { id } = await this.#article()
    const tag = Number(this.#hour.dice.one(this.#hour.ledger.rowsOf('api::tag.tag')).id)
    const way = this.#hour.dice.one(['connect', 'disconnect'])
    const { status, text } = await this.ask('PUT', `/articles/${id}`, { tags: { [way]: [tag] } })
    assert.equal(status, 200, text)
    const { body } = await this.ask('GET', `/articles/${id}?publicationState=preview&populate=tags`)
    const ids = (body.data.attributes.tags.data as { id: number }[]).map(one => one.id)
    assert.equal(ids.includes(tag), way === 'connect')
    return `${way}ed a tag`
  }

  async #lists(): Promise<string> {
    const { dice } = this.#hour
    const path = dice.one([
      '/articles?populate=*&pagination[pageSize]=50',
      '/articles?populate[blocks][populate]=*&sort=updatedAt:desc&locale=all',
      '/authors?populate=articles,profile',
      '/categories?populate=deep',
      '/articles?filters[title][$containsi]=a&sort=title&publicationState=preview',
      '/homepage?populate=*',
    ])
    const { status, text } = await this.ask('GET', path)
    assert.ok(status === 200 || status === 404 || status === 400, text)
    return 'read lists'
  }

  async #layout(): Promise<string> {
    const { dice } = this.#hour
    const uid = dice.one(['api::article.article', 'api::tag.tag', 'api::memo.memo'])
    const pageSize = dice.one([10, 25, 50])
    const { status, text } = await this.ada.ask('PUT', `/console/layouts/${uid}`, { settings: { pageSize } })
    assert.equal(status, 200, text)
    return 'changed a layout'
  }

  /** Makes a role, changes what it may, and deletes it. */
  async #role(): Promise<string> {
    const { dice } = this.#hour
    const done = async (method: string, path: string, body?: unknown) => {
      const said = await this.ada.ask(method, `/console/roles${path}`, body)
      assert.ok(said.status < 300, `${method} ${path}: ${said.text}`)
      return said.body
    }
    this.#count += 1
    const { id } = await done('POST', '', { name: `Role ${this.#count}` })
    const { stamp } = await done('GET', `/${id}`)
    const subject = dice.one(['api::article.article', 'api::homepage.homepage'])
    const rights = dice.some(['read', 'create', 'update', 'delete'], 0.6)
    const permissions = rights.map(right => ({
      ...{ action: `plugin::content-manager.explorer.${right}`, subject },
      grant: { locales: dice.one([['en'], ['en', 'de']]), where: dice.one([[], ['own']]) },
    }))
    const { permissions: stored } = await done('PUT', `/${id}`, { stamp, permissions })
    assert.equal(stored.length, permissions.length)
    if (dice.chance(0.5)) await done('DELETE', `/${id}`)
    return 'made a role'
  }
}

/** A few entries that everyone works at. */
export function hot({ ledger }: Pick<Hour, 'ledger'>, uid: string): number[] {
  return ledger
    .rowsOf(uid)
    .slice(0, 6)
    .map(({ id }) => Number(id))
}
