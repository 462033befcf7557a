import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import type { Browser, Request } from 'playwright-core'
import type { Meta } from '../../../../plugins/console/model/meta.js'
import { Dice } from '../../explorer/random.js'
import { Editor } from '../project.js'
import { Beliefs } from './beliefs.js'
import { design } from './designing.js'
import { Desk } from './desk.js'
import { Developer } from './developer.js'
import { strangeForStrapi } from './going-back.js'
import { HourServer } from './hour-server.js'
import { Ledger } from './ledger.js'
import { Memory } from './memory.js'
import { stepOf, together } from './steps.js'

/** Two editors and a developer at one server, for as long as is wanted. */
export class Hour {
  readonly server: HourServer
  readonly ledger: Ledger
  readonly meta: Meta
  readonly dice: Dice
  readonly figures = {
    steps: 0,
    saves: 0,
    conflicts: 0,
    merged: 0,
    refused: 0,
    signIns: 0,
    restarts: 0,
    restored: 0,
    developer: 0,
    designed: 0,
    compared: 0,
  }
  readonly kinds: Record<string, number> = {}
  /** The last steps, for the message of a failure. */
  readonly trace: string[] = []
  readonly memory = new Memory()
  readonly faults: string[] = []
  /** The attribute that was drawn in the designer, and not removed yet. */
  drawn: string | undefined
  /** Steps that took longer than half a minute. */
  readonly stalls: string[] = []
  #written: string[] = []
  #desks: readonly Desk[] = []
  #developer: Developer | undefined
  #beliefs: Beliefs | undefined

  private constructor(server: HourServer, meta: Meta, seed: number) {
    this.server = server
    this.meta = meta
    this.dice = new Dice(seed)
    const tables = new Map<string, string>([
      ['plugin::upload.file', 'files'],
      ['plugin::upload.folder', 'upload_folders'],
      ['plugin::users-permissions.user', 'up_users'],
      ['plugin::i18n.locale', 'i18n_locale'],
      ...['article', 'author', 'memo', 'profile', 'tag', 'homepage', 'global'].map((name): [string, string] => [
        `api::${name}.${name}`,
        `${name}s`,
      ]),
      ['api::category.category', 'categories'],
      ['api::story.story', 'stories'],
      ...['quote', 'seo', 'slide', 'social'].map((name): [string, string] => [
        `shared.${name}`,
        `components_shared_${name}s`,
      ]),
      ['shared.rich-text', 'components_shared_rich_texts'],
      ['shared.media', 'components_shared_media'],
    ])
    this.ledger = new Ledger(server.project.database, tables)
  }

  static async begin(browser: Browser, seed: number): Promise<Hour> {
    const server = await HourServer.start()
    const ada = await Editor.signIn(server.sender, 'ada')
    const hour = new Hour(server, await ada.meta(), seed)
    hour.#developer = new Developer(hour, ada)
    hour.#desks = [
      await Desk.open(browser, hour, { who: 'edda', width: 1440, seed: 2 * seed + 1 }),
      await Desk.open(browser, hour, { who: 'ada', width: 390, seed: 2 * seed + 2 }),
    ]
    for (const desk of hour.#desks) await hour.memory.watch(desk)
    hour.#beliefs = await Beliefs.of(hour.#admin.client, hour.ledger)
    return hour
  }

  get developer(): Developer {
    assert.ok(this.#developer)
    return this.#developer
  }

  /** The desk of the editor who may do everything. */
  get #admin(): Desk {
    const [, admin] = this.#desks
    assert.ok(admin)
    return admin
  }

  /** Notes what a request may write. */
  note(request: Pick<Request, 'method' | 'url' | 'postData'>): void {
    if (request.method() === 'GET') return
    const { pathname, searchParams } = new URL(request.url())
    const [, plural = '', second = '', third] =
      /^(?:\/console)?\/api\/([^/]+)(?:\/([^/]+))?(?:\/(.+))?$/.exec(pathname) ?? []
    const ids = (text: string) => [...text.matchAll(/\d+/g)].map(([id]) => Number(id))
    if (plural === 'i18n') this.#noteLanguage(third)
    if (plural === 'upload') {
      const named = [
        ...ids(`${second} ${third} ${searchParams.get('id')}`),
        ...(second ? ids(request.postData() ?? '') : []),
      ]
      for (const uid of ['plugin::upload.file', 'plugin::upload.folder'])
        this.#written.push(this.ledger.named(uid, undefined), ...named.map(id => this.ledger.named(uid, id)))
      return
    }
    const type = this.meta.types.find(({ path }) => path === `/${plural}`)
    if (!type) return
    const isOne = type.kind === 'singleType'
    const named = isOne
      ? this.ledger.rowsOf(type.uid).map(({ id }) => Number(id))
      : second === 'bulk'
        ? ids(request.postData() ?? '')
        : ids(second)
    this.#written.push(this.ledger.named(type.uid, undefined), ...named.map(id => this.ledger.named(type.uid, id)))
  }

  /** A language that is removed takes its entries along. */
  #noteLanguage(id: string | undefined): void {
    const uid = 'plugin::i18n.locale'
    const [locale] = this.ledger.rowsOf(uid).filter(row => String(row.id) === id)
    const entries = ['api::article.article', 'api::homepage.homepage'].flatMap(type =>
      this.ledger
        .rowsOf(type)
        .flatMap(row => (row.locale === locale?.code ? [this.ledger.named(type, Number(row.id))] : [])),
    )
    this.#written.push(this.ledger.named(uid, undefined), this.ledger.named(uid, Number(id)), ...entries)
  }

  otherOf(desk: Desk): Desk | undefined {
    return this.#desks.find(one => one !== desk)
  }

  /** Articles that editors have open with changes. */
  get openArticles(): number[] {
    const opened = this.#desks.flatMap(({ opened }) => (opened?.type.uid === 'api::article.article' ? [opened.id] : []))
    return opened.flatMap(id => (id !== undefined && this.ledger.has('api::article.article', id) ? [id] : []))
  }

  isThere(ref: string): boolean {
    const [uid = '', id] = ref.split(' ')
    return this.ledger.has(uid, Number(id))
  }

  /** Goes on until a moment; then everything is saved. */
  async run(milliseconds: number): Promise<void> {
    const begun = Date.now()
    const [one, other] = this.#desks
    const { developer } = this
    assert.ok(one && other)
    for (;;) {
      const share = (Date.now() - begun) / milliseconds
      if (share >= 1) break
      await this.#watched('memory', () => this.memory.sample(this, this.#desks, share))
      const die = this.dice.below(16)
      if (die === 0 && one.isDirty && other.isDirty)
        await this.#step('both', () => together(this, [one, other], developer))
      else if (share < 0.5 && !other.isDirty && this.dice.chance(0.012))
        await this.#step(other.who, () => design(this, other))
      else if (die < 3) await this.#step('developer', () => developer.step(share))
      else {
        const desk = die % 2 === 0 ? one : other
        await this.#step(desk.who, () => stepOf(desk))
      }
    }
    for (const desk of this.#desks) while (desk.isDirty) await this.#step(desk.who, () => desk.save())
    if (this.drawn !== undefined) await this.#step(other.who, () => design(this, other))
    await this.#watched('the whole read', () => this.#readWhole())
  }

  /** Every entry is as it was when it was last changed: as the running server shows it, and a new one. */
  async #readWhole(): Promise<void> {
    const beliefs = this.#beliefs
    assert.ok(beliefs)
    assert.deepEqual(await beliefs.differences(), [])
    await this.server.restart()
    assert.deepEqual(await beliefs.differences(), [])
    this.figures.compared = beliefs.size
  }

  async #step(who: string, work: () => Promise<string>): Promise<void> {
    this.figures.steps += 1
    this.#written = []
    const begun = Date.now()
    await this.#watched(who, async () => {
      const done = await work()
      const [kind = ''] = done.split(/[,:] /)
      this.kinds[kind] = (this.kinds[kind] ?? 0) + 1
      this.trace.push(`${this.figures.steps} ${who}: ${done} (${Date.now() - begun} ms)`)
      if (process.env.STELE_HOUR_TRACE) appendFileSync(process.env.STELE_HOUR_TRACE, `${this.trace.at(-1)}\n`)
      if (Date.now() - begun > 30_000) this.stalls.push(String(this.trace.at(-1)))
      const strangers = this.ledger.look(this.#written)
      assert.deepEqual(strangers, [], `rows changed that nothing has written to: ${this.#written}`)
      await this.#beliefs?.learn(this.ledger.touched)
      for (const desk of this.#desks) assert.deepEqual(desk.wrongs, [])
      this.server.look()
      assert.deepEqual(this.server.faults, [])
    })
  }

  /** Notes what fails, with what was done before; the editors go on with pages that are loaded again. */
  async #watched(who: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const last = this.trace.slice(-15).join('\n')
      const said = await Promise.all(
        this.#desks.map(({ page }) => page.locator('dialog, [role=alert]').allInnerTexts()),
      )
      const pages = this.#desks
        .map((desk, at) => `${desk.who} at ${desk.page.url()}: ${desk.wrongs}\n${said[at]?.join('\n')}`)
        .join('\n')
      const { steps } = this.figures
      const { message, stack = '' } = error as Error
      const at = stack
        .split('\n')
        .filter(line => line.includes('/test/plugins/console/'))
        .slice(0, 4)
        .join('\n')
      this.faults.push(`step ${steps} of ${who}: ${message}\n${at}\n${pages}\n${this.server.faults}\nafter\n${last}`)
      if (process.env.STELE_HOUR_TRACE) appendFileSync(process.env.STELE_HOUR_TRACE, `FAULT ${this.faults.at(-1)}\n`)
      if (process.env.SHOTS)
        for (const desk of this.#desks)
          await desk.page.screenshot({ path: `${process.env.SHOTS}/${steps}-${desk.who}.png` })
      if (this.faults.length > 20) throw error
      this.server.faults.length = 0
      for (const desk of this.#desks) await desk.recover()
      this.ledger.look([])
      await this.#beliefs?.learn(this.ledger.touched)
    }
  }

  async close(): Promise<void> {
    for (const desk of this.#desks) await desk.page.context().close()
    await this.server.stop()
    this.faults.push(...strangeForStrapi(this.server.project.source, this.server.project.database))
  }
}
