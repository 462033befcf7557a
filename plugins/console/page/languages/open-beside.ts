import { EntryStore } from '../entry/store/store.js'
import { goIn, inThisVisit } from '../shell/address.js'
import { addressOfEntry, inLanguage } from '../shell/routes.js'
import { kinds, meta } from '../shell/session.js'

/** Shows the entry in another language beside its form; nothing where there is none. */
export async function openBeside(store: EntryStore, code: string): Promise<boolean> {
  const [known, app] = [kinds.peek(), meta.peek()]
  const found = store.head.peek()?.localizations.find(({ locale }) => locale === code)
  if (!known || !app || !found) return false
  const place = store.isSingle ? { locale: code } : { id: Number(found.id), locale: code }
  const other = new EntryStore(app, known, store.type, place)
  other.name = 'beside '
  other.problemsId = 'problems-beside-language'
  const isHere = inThisVisit()
  await other.load()
  if (!isHere()) return true
  if (other.head.peek() === undefined) return false
  store.beside.value = other
  show(store, code)
  return true
}

export function closeBeside(store: EntryStore): void {
  store.beside.value = undefined
  show(store)
}

/** The address is what is seen, for others as well. */
function show({ type, head, locale }: EntryStore, code?: string): void {
  const own = addressOfEntry(type, head.peek()?.id ?? 0) + inLanguage(type, locale.peek())
  goIn(code === undefined ? own : `${own}${own.includes('?') ? '&' : '?'}beside=${encodeURIComponent(code)}`)
}
