import type { Locator, Page } from 'playwright-core'
import type { Cell } from '../../../../../plugins/console/model/form/cell.js'
import type { Form } from '../../../../../plugins/console/model/form/form.js'
import type { Item, ItemList } from '../../../../../plugins/console/model/form/item.js'
import type { Kinds } from '../../../../../plugins/console/model/form/kinds.js'
import { loaded, type Related, refOf } from '../../../../../plugins/console/model/form/plain.js'
import type { Relation } from '../../../../../plugins/console/model/form/relation.js'
import { parse } from '../../../../../plugins/console/model/form/typed.js'
import { localOf } from '../../../../../plugins/console/model/local-time.js'

/** Brings the form in a page to the state of another one, by the controls that an editor has. */
export class Scribe {
  readonly #page: Page
  readonly #kinds: Kinds
  readonly #titleOf: (entry: Related) => string

  constructor(page: Page, kinds: Kinds, titleOf: (entry: Related) => string) {
    this.#page = page
    this.#kinds = kinds
    this.#titleOf = titleOf
  }

  /** The form in the page is as the other one was when it was opened. */
  copy({ root }: Form): Promise<void> {
    return this.#item(this.#page.locator('form.entry-form > .rows'), root)
  }

  async #item(rows: Locator, item: Item): Promise<void> {
    const cells = (this.#kinds.of(item.uid)?.layout.edit ?? []).flat()
    const nodes = cells.flatMap(({ name }) => item.nodes.get(name) ?? [])
    for (const [at, node] of nodes.entries()) {
      if (node.changes.peek() === 0) continue
      const place = rows.locator(':scope > .place').nth(at)
      if (node.kind === 'cell') await this.#cell(place, node)
      else if (node.kind === 'links') await this.#relation(place, node)
      else await this.#items(place, node)
    }
  }

  async #cell(place: Locator, cell: Cell): Promise<void> {
    const isBlocks = cell.attribute.type === 'blocks'
    const control = place.locator(isBlocks ? '[contenteditable=true]' : 'input, textarea, select').first()
    const typed = cell.value.peek()
    if (isBlocks) return control.fill(wordsIn(typed))
    if (await control.evaluate(one => (one as unknown as { tagName: string }).tagName === 'SELECT'))
      await control.selectOption(typed === null ? '' : String(typed))
    else if (cell.attribute.type === 'boolean') await control.setChecked(typed === true)
    else await control.fill(textFor(cell))
  }

  async #relation(place: Locator, relation: Relation): Promise<void> {
    const wanted = relation.entries.peek()
    const refs = wanted.map(refOf)
    const shown = loaded(relation.read.peek()).map(refOf)
    const rows = place.locator('ul > li')
    for (let at = shown.length - 1; at >= 0; at -= 1) {
      if (refs.includes(shown[at] ?? '')) continue
      await rows
        .nth(at)
        .getByRole('button', { name: /^Remove / })
        .click()
      shown.splice(at, 1)
    }
    for (const entry of wanted) {
      if (shown.includes(refOf(entry))) continue
      if (relation.attribute.type === 'media') await this.#choose(place, entry)
      else await this.#find(place, entry)
      shown.push(refOf(entry))
    }
    await this.#arrange(rows, shown, refs)
  }

  /** Finds an entry by its title, and adds it. */
  async #find(place: Locator, entry: Related): Promise<void> {
    const types = place.locator('.add > select')
    if ((await types.count()) > 0) await types.selectOption(entry.uid)
    const title = this.#titleOf(entry)
    await place.getByRole('combobox', { name: /: add$/ }).fill(title)
    await place.getByRole('option').locator('span:first-child').getByText(title, { exact: true }).click()
    await place.getByRole('link', { name: title, exact: true }).last().waitFor()
  }

  async #choose(place: Locator, file: Related): Promise<void> {
    await place.getByRole('button', { name: /^Choose for / }).click()
    const dialog = this.#page.getByRole('dialog')
    await dialog.getByText(this.#titleOf(file), { exact: true }).click()
    await dialog.getByRole('button', { name: /^Take / }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  /** Moves rows by keys until they stand as they should. */
  async #arrange<Ref>(rows: Locator, shown: Ref[], wanted: readonly Ref[]): Promise<void> {
    for (const [to, ref] of wanted.entries()) {
      const from = shown.indexOf(ref)
      if (from === to) continue
      await rows.nth(from).locator('button:enabled').last().focus()
      if (to === 0) await this.#page.keyboard.press('Alt+Home')
      else for (let step = from; step > to; step -= 1) await this.#page.keyboard.press('Alt+ArrowUp')
      shown.splice(to, 0, ...shown.splice(from, 1))
    }
  }

  async #items(place: Locator, list: ItemList): Promise<void> {
    const { many } = list.attribute
    const wanted = list.items.peek()
    const keyOf = (item: Item) => (list.isStored(item) ? refOf(item) : item.key)
    const keys = wanted.map(keyOf)
    const shown = [...list.read.peek()]
    const field = place.locator(':scope > fieldset')
    const rows = field.locator(':scope > ul > li')
    for (let at = shown.length - 1; at >= 0; at -= 1) {
      if (keys.includes(shown[at] ?? '')) continue
      if (many) await this.#act(rows.nth(at), /^Remove /)
      else await field.locator(':scope > div > button', { hasText: /^Remove / }).click()
      shown.splice(at, 1)
    }
    for (const [at, item] of wanted.entries()) {
      if (list.isStored(item)) continue
      if (at < shown.length) await this.#act(rows.nth(at), /^Insert before /)
      else await field.locator(':scope > .row > button', { hasText: /^Add to / }).click()
      if (list.attribute.shape === 'zone') {
        const name = this.#kinds.of(item.uid)?.name ?? ''
        await this.#page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
      }
      shown.splice(at, 0, item.key)
    }
    if (many) await this.#arrange(rows, shown, keys)
    for (const [at, item] of wanted.entries()) {
      if (item.changes.peek() === 0) continue
      if (many) await this.#item(await this.#opened(rows.nth(at)), item)
      else await this.#item(field.locator(':scope > div > .rows'), item)
    }
  }

  /** Does something with an item by its menu. */
  async #act(row: Locator, name: RegExp): Promise<void> {
    const menu = row.locator(':scope > .item-head > .popup')
    await menu.locator(':scope > button').click()
    await menu.getByRole('button', { name }).click()
  }

  async #opened(row: Locator): Promise<Locator> {
    const toggle = row.locator(':scope > .item-head > .item-toggle')
    if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click()
    return row.locator(':scope > .item-body > .rows')
  }
}

/** Takes away what no control of the page can say. */
export function sayable({ nodes }: Item): void {
  for (const node of nodes.values()) {
    if (node.kind === 'items') for (const item of node.items.peek()) sayable(item)
    if (node.kind !== 'cell') continue
    const { attribute, read, value } = node
    const typed = value.peek()
    const isLine = !['text', 'richtext', 'json', 'array', 'blocks'].includes(attribute.type)
    if (isLine && typeof typed === 'string') value.value = typed.replaceAll('\n', '')
    // A switch is on or off, and where nothing is stored it is off.
    const isSwitch = attribute.type === 'boolean' && (read.peek() !== null || typeof attribute.default === 'boolean')
    if (isSwitch && (typed === null || (typed === false && read.peek() === null))) value.value = read.peek()
  }
}

/** The text for the control of a field. */
function textFor({ attribute, value }: Cell): string {
  const typed = value.peek()
  if (typed === null || typed === '') return ''
  if (attribute.type === 'datetime' || attribute.type === 'timestamp')
    return localOf(String(parse(attribute, typed).value))
  return typeof typed === 'string' ? typed : JSON.stringify(typed)
}

/** The words of blocks; none where there are no blocks. */
const wordsIn = (blocks: unknown): string => /"text":"([^"]+)"/.exec(JSON.stringify(blocks ?? ''))?.[1] ?? ''
