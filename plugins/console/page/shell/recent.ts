import { signal } from '@preact/signals'
import type { TypeMeta } from '../../model/meta.js'
import { meta } from './session.js'

/** Types that are remembered: more of them are in the navigation. */
const most = 12

const uses = signal(0)
const placeOf = (): string => `stele-console-recent ${meta.peek()?.account.id}`

/** The account has opened a view of a type. */
export function noteUse(uid: string): void {
  const uids = [uid, ...recentUids().filter(one => one !== uid)].slice(0, most)
  localStorage.setItem(placeOf(), JSON.stringify(uids))
  uses.value += 1
}

/** The types with those first that the account has used last, in this browser. */
export function recentFirst(types: readonly TypeMeta[]): readonly TypeMeta[] {
  uses.value
  const uids = recentUids()
  const rank = ({ uid }: TypeMeta) => (uids.includes(uid) ? uids.indexOf(uid) : most)
  return [...types].sort((one, other) => rank(one) - rank(other))
}

function recentUids(): readonly string[] {
  try {
    const uids: unknown = JSON.parse(localStorage.getItem(placeOf()) ?? '[]')
    return Array.isArray(uids) ? uids.map(String) : []
  } catch {
    return []
  }
}
