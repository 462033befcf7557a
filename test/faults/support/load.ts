import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { stateOf } from './check.js'
import { authors, coverOf, dataOf, fileText, type Seeds, tags, titleOf } from './content.js'
import { absent, type Ledger } from './ledger.js'

/** Milliseconds after which a request that got no answer counts as one that hangs. */
const longestWait = 30_000

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by those who know them
  readonly body: any
}

/** Responses of clients by status, and responses that no client should ever get. */
export class Answers {
  readonly byStatus = new Map<number, number>()
  /** The ids of requests whose connection ended before an answer, and how many connections nobody took. */
  readonly cut: string[] = []
  refused = 0
  /** Responses that must never occur, in words. */
  readonly wrong: string[] = []
  longest = 0
  /** Time of the last good response. */
  lastGood = 0

  get good(): number {
    return [...this.byStatus].reduce((all, [status, count]) => all + (status < 300 ? count : 0), 0)
  }

  /** Asks, and keeps what came of it; undefined where there was no answer. */
  async ask(url: string, init: RequestInit = {}): Promise<Answer | undefined> {
    const begun = performance.now()
    const id = crypto.randomUUID()
    try {
      const headers = { ...init.headers, 'x-request-id': id }
      const answer = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(longestWait) })
      const text = await answer.text()
      this.#saw(answer, text, init.method)
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
    } catch (error) {
      this.#missed(id, error as Error & { cause?: { code?: string } })
      return undefined
    } finally {
      this.longest = Math.max(this.longest, performance.now() - begun)
    }
  }

  #saw({ status, headers }: Response, text: string, method = 'GET'): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1)
    if (status < 300) this.lastGood = performance.now()
    if (status >= 500 && status !== 503) this.wrong.push(`${method} answered ${status}: ${text.slice(0, 200)}`)
    if (status === 503 && !headers.has('retry-after')) this.wrong.push('503 without Retry-After')
  }

  #missed(id: string, error: Error & { cause?: { code?: string } }): void {
    const code = error.cause?.code
    if (code === 'ECONNREFUSED') this.refused += 1
    else if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' || code === 'EPIPE') this.cut.push(id)
    else this.wrong.push(error.name === 'TimeoutError' ? 'a request hangs' : `${error.name} ${code}: ${error.message}`)
  }

  /** Clients saw answers, and refusals that say when to come back. */
  assertCivil({ cuts = false } = {}): void {
    assert.deepEqual(this.wrong, [])
    if (cuts) return
    assert.deepEqual(this.cut, [], 'connections were cut')
    assert.equal(this.refused, 0, 'connections were refused')
  }
}

/** An article or a file that a client knows everything of. */
interface Own {
  readonly key: string
  readonly id: number
  readonly version: number
  readonly isPublished: boolean
}

const mostOwned = 6

/** Clients that write all the time, each in its own entries, and enter what they are told in the ledger. */
export class Load {
  readonly answers = new Answers()
  readonly #ledger: Ledger
  readonly #seeds: Seeds
  readonly #clients: number
  #url: string
  #running = false
  #loops: Promise<void>[] = []
  static #number = 0

  constructor(url: string, ledger: Ledger, seeds: Seeds, clients = 8) {
    this.#url = url
    this.#ledger = ledger
    this.#seeds = seeds
    this.#clients = clients
  }

  start(): void {
    this.#running = true
    this.#loops = Array.from({ length: this.#clients }, () => this.#client())
  }

  async stop(): Promise<void> {
    this.#running = false
    await Promise.all(this.#loops)
  }

  /** Waits until so many more writes were answered well. */
  async good(more: number): Promise<void> {
    await this.#answered('good', more, () => this.answers.good)
  }

  /** Waits until so many more writes were refused. */
  async refused(more: number): Promise<void> {
    await this.#answered('refusing', more, () => this.answers.byStatus.get(503) ?? 0)
  }

  async #answered(kind: string, more: number, count: () => number): Promise<void> {
    const wanted = count() + more
    const deadline = performance.now() + 120_000
    while (count() < wanted) {
      if (performance.now() > deadline)
        throw new Error(`no ${more} ${kind} answers within two minutes: ${JSON.stringify([...this.answers.byStatus])}`)
      await wait(5)
    }
  }

  async #client(): Promise<void> {
    const articles: Own[] = []
    const files: Own[] = []
    for (let turn = Math.floor(Math.random() * 8); this.#running; turn += 1) {
      const before = this.answers.good
      await this.#turn(turn, articles, files)
      // A refused client comes back soon, much sooner than asked.
      if (this.answers.good === before) await wait(20)
    }
  }

  async #turn(turn: number, articles: Own[], files: Own[]): Promise<void> {
    if (articles.length > mostOwned) return this.#remove(articles)
    if (files.length > mostOwned) return this.#removeFile(files)
    switch (turn % 8) {
      case 0:
        return this.#create(articles)
      case 3:
        return this.#createCovered(articles)
      case 5:
        return this.#upload(files)
      case 6:
        return this.#publish(articles)
      default:
        return this.#update(articles)
    }
  }

  #newKey(kind: string): string {
    Load.#number += 1
    return `${kind}-${Load.#number}`
  }

  async #create(articles: Own[]): Promise<void> {
    const key = this.#newKey('plain')
    const data = { ...dataOf(titleOf(key, 1), this.#seeds), publishedAt: null }
    await this.#made(articles, key, this.#json('POST', '/api/articles', data))
  }

  async #createCovered(articles: Own[]): Promise<void> {
    const key = this.#newKey('covered')
    const form = new FormData()
    form.set('data', JSON.stringify({ ...dataOf(titleOf(key, 1), this.#seeds), publishedAt: null }))
    form.set('files.cover', new Blob([fileText(coverOf(key))], { type: 'text/plain' }), coverOf(key))
    await this.#made(articles, key, this.answers.ask(`${this.#url}/api/articles`, { method: 'POST', body: form }))
  }

  async #made(articles: Own[], key: string, sent: Promise<Answer | undefined>): Promise<void> {
    const state = stateOf(titleOf(key, 1), false)
    this.#ledger.begin(key, state)
    const answer = await sent
    if (answer?.status !== 200) return
    this.#ledger.acknowledge(key, state)
    articles.push({ key, id: answer.body.data.id, version: 1, isPublished: false })
  }

  /** The state of an entry is uncertain until the response is there; without one, its client lets go of it. */
  async #change(articles: Own[], next: (own: Own) => Own, send: (own: Own, next: Own) => Promise<Answer | undefined>) {
    const own = articles.shift()
    if (!own) return
    const then = next(own)
    const state = stateOf(titleOf(then.key, then.version), then.isPublished)
    this.#ledger.begin(own.key, state)
    if ((await send(own, then))?.status !== 200) return
    this.#ledger.acknowledge(own.key, state)
    articles.push(then)
  }

  #update(articles: Own[]): Promise<void> {
    return this.#change(
      articles,
      own => ({ ...own, version: own.version + 1 }),
      ({ id }, { key, version }) =>
        this.#json('PUT', `/api/articles/${id}`, dataOf(titleOf(key, version), this.#seeds)),
    )
  }

  #publish(articles: Own[]): Promise<void> {
    return this.#change(
      articles,
      own => ({ ...own, isPublished: true }),
      ({ id }) => this.answers.ask(`${this.#url}/api/articles/${id}/actions/publish`, { method: 'POST' }),
    )
  }

  async #remove(articles: Own[]): Promise<void> {
    const { key, id } = articles.shift() as Own
    this.#ledger.begin(key, absent)
    // The cover of a deleted article stays, as a file of its own.
    this.#ledger.release(coverOf(key))
    const answer = await this.answers.ask(`${this.#url}/api/articles/${id}`, { method: 'DELETE' })
    if (answer?.status === 200) this.#ledger.acknowledge(key, absent)
  }

  async #upload(files: Own[]): Promise<void> {
    const key = `${this.#newKey('file')}.txt`
    const form = new FormData()
    form.set('files', new Blob([fileText(key)], { type: 'text/plain' }), key)
    this.#ledger.begin(key, 'stored')
    const answer = await this.answers.ask(`${this.#url}/api/upload`, { method: 'POST', body: form })
    if (answer?.status !== 200) return
    this.#ledger.acknowledge(key, 'stored')
    files.push({ key, id: answer.body[0].id, version: 1, isPublished: false })
  }

  async #removeFile(files: Own[]): Promise<void> {
    const { key, id } = files.shift() as Own
    this.#ledger.begin(key, absent)
    const answer = await this.answers.ask(`${this.#url}/api/upload/files/${id}`, { method: 'DELETE' })
    if (answer?.status === 200) this.#ledger.acknowledge(key, absent)
  }

  #json(method: string, path: string, data: unknown): Promise<Answer | undefined> {
    return this.answers.ask(`${this.#url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data }),
    })
  }
}

/** Makes what articles lead to. */
export async function seed(url: string): Promise<Seeds> {
  const make = async (path: string, name: string): Promise<[string, number]> => {
    const answer = await fetch(`${url}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { name } }),
    })
    assert.equal(answer.status, 200)
    return [name, ((await answer.json()) as { data: { id: number } }).data.id]
  }
  const all = async (path: string, names: readonly string[]) =>
    Object.fromEntries(await Promise.all(names.map(name => make(path, name))))
  return { authors: await all('authors', authors), tags: await all('tags', tags) }
}
