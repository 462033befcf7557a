import { type Signal, signal } from '@preact/signals'

const known = new Map<string, Signal<readonly string[] | undefined>>()
const placeOf = (account: number, uid: string): string => `stele-console-columns ${account} ${uid}`

/** The columns that an account has chosen for the lists of a type, in this browser; undefined for those of the layout. */
export function chosenColumns(account: number, uid: string): Signal<readonly string[] | undefined> {
  const place = placeOf(account, uid)
  const columns = known.get(place) ?? signal(stored(place))
  known.set(place, columns)
  return columns
}

export function chooseColumns(account: number, uid: string, names: readonly string[] | undefined): void {
  const place = placeOf(account, uid)
  chosenColumns(account, uid).value = names
  if (names) localStorage.setItem(place, JSON.stringify(names))
  else localStorage.removeItem(place)
}

function stored(place: string): readonly string[] | undefined {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(place) ?? 'null')
    return Array.isArray(names) ? names.map(String) : undefined
  } catch {
    return undefined
  }
}
