import type { Kinds } from '../../../../plugins/console/model/form/kinds.js'
import { type Related, refOf } from '../../../../plugins/console/model/form/plain.js'
import type { LinkInfo } from '../../../../plugins/console/model/meta.js'
import type { Dice } from '../../explorer/random.js'
import { Typist } from '../model/typist.js'
import type { Ledger } from './ledger.js'

/** Changes forms to what a page can be brought to now: it finds entries by titles that no other one has. */
export class HourTypist extends Typist {
  readonly titles = new Map<string, string>()
  readonly #ids: Map<string, number[]>

  constructor(dice: Dice, first: number) {
    const ids = new Map<string, number[]>()
    super(dice, ids, first)
    this.#ids = ids
  }

  override related(link: LinkInfo, self: string): Related | undefined {
    const found = super.related(link, self)
    return found && this.titles.has(refOf(found)) ? found : undefined
  }

  /** Looks which entries there are, and how they are found. Articles are found in their own language. */
  look(ledger: Ledger, kinds: Kinds, locale: string | null): void {
    this.titles.clear()
    this.#ids.clear()
    for (const uid of ['author', 'tag', 'category', 'memo', 'profile', 'article'].map(name => `api::${name}.${name}`)) {
      const main = kinds.of(uid)?.layout.settings.mainField ?? ''
      const rows = ledger.rowsOf(uid).filter(row => uid !== 'api::article.article' || row.locale === locale)
      this.#know(
        uid,
        rows.map(row => [Number(row.id), String(row[main] ?? '')]),
      )
    }
    // The dialog begins with the latest files, whatever folder they are in.
    const files = [...ledger.rowsOf('plugin::upload.file')]
      .sort((one, other) => Number(one.created_at) - Number(other.created_at))
      .slice(-15)
    this.#know(
      'plugin::upload.file',
      files.map(row => [Number(row.id), String(row.name)]),
    )
  }

  #know(uid: string, rows: readonly (readonly [number, string])[]): void {
    const texts = rows.map(([, title]) => title.toLowerCase())
    const isFound = (title: string) =>
      /^[\p{L}\d][\p{L}\d .,-]*$/u.test(title) &&
      title.trim() === title &&
      !title.includes('  ') &&
      texts.filter(text => text.includes(title.toLowerCase())).length < (uid.startsWith('api::') ? 8 : 2) &&
      texts.filter(text => text === title.toLowerCase()).length === 1
    const found = rows.filter(([, title]) => isFound(title)).slice(-60)
    this.#ids.set(
      uid,
      found.map(([id]) => id),
    )
    for (const [id, title] of found) this.titles.set(refOf({ uid, id }), title)
  }
}
