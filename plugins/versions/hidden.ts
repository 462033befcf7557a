import type { AppOutline, ContentType, Hiding } from '../../core/index.js'
import type { EntryKey, VersionTable } from './table.js'

/** A rule of a plugin that hides entries of a type from callers without an action on it. */
type HidingRule = Hiding & { readonly shownBy: string }

/** The actions without which entries of a type are hidden: some of them, or the named one when it was deleted. */
export interface Hidden {
  readonly some: (uid: string) => readonly string[]
  readonly one: (named: EntryKey) => Promise<readonly string[]>
}

/** Reads what hides entries. The row of a deleted one is gone or cannot be asked, so the state that the delete replaced decides. */
export function hiddenOf({ plugins, actions, types }: AppOutline, table: VersionTable): Hidden {
  const isAsked = (uid: string, name: string) => actions.some(one => one.uid === uid && one.action === name)
  const hidingIn = ({ uid, fields }: ContentType): HidingRule[] =>
    plugins.flatMap(({ hides: hiding }) =>
      hiding?.shownBy !== undefined && fields.has(hiding.attribute) && isAsked(uid, hiding.shownBy)
        ? [{ ...hiding, shownBy: hiding.shownBy }]
        : [],
    )
  const hidings = new Map([...types.types.values()].map(type => [type.uid, hidingIn(type)]))
  const rulesOf = (uid: string) => hidings.get(uid) ?? []
  return {
    some: uid => rulesOf(uid).map(rule => rule.shownBy),
    one: async named => {
      const hiding = rulesOf(named.uid)
      if (hiding.length === 0) return []
      const last = await table.last(named)
      // If the delete left no version, nothing tells that the entry was shown to every caller.
      const wasHidden = (one: HidingRule) => last?.action !== 'delete' || hides(one, last.data, Date.parse(last.at))
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
