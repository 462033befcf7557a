import { signal } from '@preact/signals'
import {
  type Changes,
  type ChangeWay,
  changesBody,
  changingKinds,
  filesAdded,
  lackingIn,
} from '../../../model/form/change-many.js'
import { problemsOf } from '../../../model/form/problems.js'
import type { EntryChange } from '../../../model/list/standing.js'
import type { AttributeInfo, Permissions } from '../../../model/meta.js'
import { shownProblem } from '../../entry/store/problems.js'
import { EntryStore } from '../../entry/store/store.js'
import type { ListStore } from '../store.js'

/** The form of what is changed in many entries: that of an entry, where nothing is filled in. */
export class ChangeStore extends EntryStore {
  readonly ways = signal<Changes>(new Map())

  static of({ meta, type, view }: ListStore): ChangeStore {
    const kinds = changingKinds(meta, type)
    const { locale } = view.peek()
    const usual = meta.languages.find(({ isDefault }) => isDefault)?.code ?? null
    const isOfOne = type.options.localized && locale !== 'all'
    const store = new ChangeStore(meta, kinds, kinds.type(type.uid) ?? type, {
      locale: isOfOne ? (locale ?? usual) : null,
    })
    store.problemsId = 'problems-change'
    return store
  }

  /** Entries are changed, and none is made. */
  protected override get permissions(): Permissions {
    const can = super.permissions
    return { ...can, create: can.update }
  }

  choose(name: string, way: ChangeWay | undefined): void {
    const ways = new Map(this.ways.peek())
    ways.delete(name)
    if (way) ways.set(name, way)
    this.ways.value = ways
    this.report([], [])
  }

  /** The change, where nothing is wrong with it. */
  change(): EntryChange | undefined {
    const form = this.form.peek()
    const ways = this.ways.peek()
    if (!form) return undefined
    const lacking = lackingIn(form.root, ways).flatMap(name => {
      const node = form.root.nodes.get(name)
      return node ? [shownProblem({ code: 'required', path: [name], node })] : []
    })
    const wrong = problemsOf(form, 'finished').filter(({ path: [name = ''] }) => ways.get(name) === 'set')
    this.report([...lacking, ...wrong.map(shownProblem)], [])
    if (lacking.length + wrong.length > 0) return undefined
    return {
      data: changesBody(form.root, ways),
      added: filesAdded(form.root, ways),
      isShared: this.#shared.length > 0,
      query: this.#query,
    }
  }

  /** The changed attributes that all languages of an entry share. */
  get #shared(): readonly AttributeInfo[] {
    const { options, attributes } = this.type
    const ways = this.ways.peek()
    return options.localized ? attributes.filter(one => ways.has(one.name) && one.localized !== true) : []
  }

  /**
   * In some dialects, values that languages share are changed in all of them where the response has these values and the other
   * languages.
   */
  get #query(): EntryChange['query'] {
    if (this.kinds.dialect.sharing !== 'populated') return {}
    const shared = this.#shared.filter(({ readable }) => readable)
    if (shared.length === 0) return {}
    const links = shared.filter(({ kind }) => kind === 'link').map(({ name }) => [name, true])
    return {
      fields: ['id', ...shared.filter(({ kind }) => kind === 'field').map(({ name }) => name)],
      populate: { localizations: { fields: ['locale'] }, ...Object.fromEntries(links) },
    }
  }
}
