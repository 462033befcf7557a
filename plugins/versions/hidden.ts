import type { AppOutline, Hiding } from '../../core/index.js'
import { hidingsOf } from '../../core/plugin-kit.js'
import type { EntryKey, VersionTable } from './table.js'

/** The actions without which entries of a type are hidden: some of them, or the named one when it was deleted. */
export interface Hidden {
  readonly some: (uid: string) => readonly string[]
  readonly one: (named: EntryKey) => Promise<readonly string[]>
}

/** Reads what hides entries. The row of a deleted one is gone or cannot be asked, so the state that the delete replaced decides. */
export function hiddenOf(outline: AppOutline, table: VersionTable): Hidden {
  const hidings = new Map([...outline.types.types.values()].map(type => [type.uid, hidingsOf(outline, type)]))
  const rulesOf = (uid: string) => hidings.get(uid) ?? []
  return {
    some: uid => rulesOf(uid).map(rule => rule.shownBy),
    one: async named => {
      const hiding = rulesOf(named.uid)
      if (hiding.length === 0) return []
      const last = await table.last(named)
      // If the delete left no version, nothing tells that the entry was shown to every caller.
      const wasHidden = (one: ReturnType<typeof hidingsOf>[number]) =>
        last?.action !== 'delete' || hides(one, last.data, Date.parse(last.at))
      return hiding.filter(wasHidden).map(one => one.shownBy)
    },
  }
}

/** True if a plugin hides this state of an entry at a time. */
function hides({ attribute, when, from, until }: Hiding, data: Readonly<Record<string, unknown>>, at: number) {
  const timeOf = (name: string | undefined) => {
    const value = name === undefined ? null : (data[name] ?? null)
    return value === null ? undefined : Date.parse(String(value))
  }
  const [begins, ends] = [timeOf(from), timeOf(until)]
  const isSet = (data[attribute] ?? null) !== null
  return isSet === (when !== undefined) || (begins !== undefined && begins > at) || (ends !== undefined && ends <= at)
}
