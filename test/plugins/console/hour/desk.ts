import assert from 'node:assert/strict'
import type { Browser, Locator, Page } from 'playwright-core'
import { Form } from '../../../../plugins/console/model/form/form.js'
import { Kinds } from '../../../../plugins/console/model/form/kinds.js'
import { refOf } from '../../../../plugins/console/model/form/plain.js'
import type { Meta, TypeMeta } from '../../../../plugins/console/model/meta.js'
import { openPage } from '../../../support/pages/watched-page.js'
import { Dice } from '../../explorer/random.js'
import { Scribe, sayable } from '../browser/entry/scribe.js'
import { signIn } from '../browser/served.js'
import { told } from '../model/typist.js'
import { Client } from '../model/world.js'
import { Editor } from '../project.js'
import { HourTypist } from './findable.js'
import type { Hour } from './hour.js'
import { draftsDo } from './kept-drafts.js'
import { settle } from './settling.js'

export type Told = Readonly<Record<string, unknown>>

/** An entry that is open in a page, and what has been typed into it. */
interface Opened {
  readonly form: Form
  readonly base: Told
  readonly mine: Told
  readonly type: TypeMeta
  readonly id: number | undefined
}

interface DeskPlan {
  readonly who: 'edda' | 'ada'
  readonly width: number
  readonly seed: number
}

/** An editor at a page: what they have open, and what they do with it. */
export class Desk {
  readonly page: Page
  readonly wrongs: string[]
  readonly dice: Dice
  readonly who: 'edda' | 'ada'
  readonly hour: Hour
  readonly client: Client
  readonly #editor: Editor
  readonly width: number
  opened: Opened | undefined
  readonly #typist: HourTypist
  readonly #scribe: Scribe

  private constructor(hour: Hour, { who, width, seed }: DeskPlan, { page, wrongs, client, editor }: Parts) {
    this.hour = hour
    this.who = who
    this.width = width
    this.page = page
    this.wrongs = wrongs
    this.client = client
    this.#editor = editor
    this.dice = new Dice(seed)
    this.#typist = new HourTypist(this.dice, seed * 1_000_000)
    this.#scribe = new Scribe(page, client.kinds, entry => this.#typist.titles.get(refOf(entry)) ?? '')
  }

  static async open(browser: Browser, hour: Hour, plan: DeskPlan): Promise<Desk> {
    const view = { width: plan.width, height: plan.width === 390 ? 844 : 900, hasTouch: plan.width === 390 }
    const { page, wrongs } = await openPage(browser, `${hour.server.origin}/console`, view)
    page.setDefaultTimeout(60_000)
    await signIn(page, plan.who)
    await page.getByRole('button', { name: /^Account: / }).waitFor()
    const editor = await Editor.signIn(hour.server.sender, plan.who)
    const { sender } = hour.server
    const inConsole = {
      inject: (request: { url: string }) => sender.inject({ ...request, url: `/console/api${request.url}` }),
    }
    const client = new Client(inConsole as never, new Kinds(await editor.meta()), {
      'sec-fetch-site': 'same-origin',
      cookie: editor.cookie,
    })
    const desk = new Desk(hour, plan, { page, wrongs, client, editor })
    page.on('dialog', dialog => void dialog.accept())
    page.on('response', response => {
      // A server that ends in order says so to what comes meanwhile.
      const isEnding = response.status() === 503 && hour.server.isRestarting
      if (response.status() < 500 || isEnding) return
      const about = `${response.status()} ${response.request().method()} ${response.url()}`
      const said = response.text().catch(({ message }: Error) => message)
      void said.then(text => wrongs.push(`${about}: ${text}`))
    })
    page.on('request', request => hour.note(request))
    return desk
  }

  /** The description of the app as the server has it now for the account. */
  meta(): Promise<Meta> {
    return this.#editor.meta()
  }

  /** Changes that the page has and the server has not. */
  get isDirty(): boolean {
    return this.opened !== undefined
  }

  /** Goes to another view, as a link does. */
  async go(to: string): Promise<void> {
    await this.page.evaluate(`
      document.querySelector('main')?.firstElementChild?.setAttribute('data-left', '')
      history.pushState(null, '', '${to}')
      dispatchEvent(new PopStateEvent('popstate'))`)
  }

  /** Opens an entry, and types into it: into this share of its attributes. */
  async edit(type: TypeMeta, id: number | undefined, share?: number): Promise<void> {
    const { client, page } = this
    const isOne = type.kind === 'singleType'
    await this.page.evaluate(`document.querySelector('form.entry-form')?.setAttribute('data-left', '')`)
    await this.go(`/console/${isOne ? `s/${type.singular}` : `c/${type.singular}/${id ?? 'new'}`}`)
    await page.locator('form.entry-form:not([data-left])').waitFor()
    const isStored = isOne || id !== undefined
    const form = isStored ? await client.open(type.uid, id ?? 0) : new Form(client.kinds, type, undefined)
    await this.#type(type, form, share ?? this.dice.one([0.08, 0.15, 0.3]))
  }

  /** Types into the form that is open. */
  async #type(type: TypeMeta, form: Form, share: number): Promise<void> {
    const { client } = this
    const id = form.root.id
    const row = this.hour.ledger.rowsOf(type.uid).find(row => Number(row.id) === id)
    const isLocal = type.options.localized
    this.#typist.look(this.hour.ledger, client.kinds, isLocal ? String(row?.locale ?? 'en') : 'en')
    const base = told(client.kinds, form.root.plain()) as Told
    if (form.isNew.peek()) this.#typist.fill(form)
    else this.#typist.change(form, share)
    sayable(form.root)
    if (form.changes.peek() === 0) return
    await this.#scribe.copy(form)
    this.opened = { form, base, mine: told(client.kinds, form.root.plain()) as Told, type, id }
    await this.changes.getByText('not saved').waitFor()
  }

  get changes(): Locator {
    return this.page.getByRole('status', { name: 'Changes' })
  }

  dialog(name: string | RegExp): Locator {
    return this.page.getByRole('dialog', { name })
  }

  async state(): Promise<Told> {
    const { opened } = this
    assert.ok(opened)
    const id = opened.id ?? this.idHere
    return told(this.client.kinds, (await this.client.read(opened.type.uid, id)).plain) as Told
  }

  get idHere(): number {
    return Number(/\/(\d+)(\/versions)?$/.exec(new URL(this.page.url()).pathname)?.[1] ?? 0)
  }

  /** Saves in one of the ways, and looks what has become of it. */
  async save(): Promise<string> {
    const before = await this.stored()
    await this.press()
    return settle(this, before)
  }

  /** What the server has of the entry that is open; undefined where it has none. */
  async stored(): Promise<Told | undefined> {
    const { opened } = this
    if (!opened || opened.form.isNew.peek()) return undefined
    const isThere = opened.id === undefined || this.hour.ledger.has(opened.type.uid, opened.id)
    return isThere ? this.state() : undefined
  }

  async press(): Promise<void> {
    if (this.dice.chance(0.5)) await this.page.keyboard.press('Control+s')
    else await this.page.getByRole('button', { name: 'Save', exact: true }).first().click()
  }

  /** Begins anew, after something has failed. */
  async recover(): Promise<void> {
    const { page } = this
    this.opened = undefined
    this.wrongs.length = 0
    await page.context().setOffline(false)
    await page.goto(`${this.hour.server.origin}/console`)
    await page.evaluate(draftsDo('clear()'))
    const account = page.getByRole('button', { name: /^Account: / })
    await account
      .or(page.getByRole('textbox', { name: 'E-mail' }))
      .first()
      .waitFor()
    if (!(await account.isVisible())) await signIn(page, this.who)
    await account.waitFor()
  }

  /** Leaves the form by the navigation. */
  async leave(choice: 'Discard changes' | 'Save' | 'Keep editing'): Promise<void> {
    await this.nav('Home')
    const dialog = this.dialog('Leave without saving?')
    await dialog.getByRole('button', { name: choice, exact: true }).click()
    if (choice === 'Discard changes') {
      this.opened = undefined
      await this.page.getByRole('heading', { name: /^Welcome/ }).waitFor()
    }
  }

  /** Follows a link of the navigation, which a phone opens first. */
  async nav(name: string): Promise<void> {
    const menu = this.page.getByRole('button', { name: 'Menu', exact: true })
    if (await menu.isVisible()) await menu.click()
    await this.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
  }

  async more(name: string): Promise<boolean> {
    await this.page.getByRole('button', { name: 'More actions' }).click()
    const item = this.page.getByRole('menuitem', { name, exact: true })
    if (await item.isVisible()) {
      await item.click()
      return true
    }
    await this.page.keyboard.press('Escape')
    return false
  }
}

interface Parts {
  readonly page: Page
  readonly wrongs: string[]
  readonly client: Client
  readonly editor: Editor
}
