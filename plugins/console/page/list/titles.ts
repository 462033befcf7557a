import { signal } from '@preact/signals'
import { isDone } from '../../../pages/page/request.js'
import type { Query } from '../../../pages/values/query-text.js'
import { isRecord } from '../../../pages/values/records.js'
import { pickedFrom, pickerQueries } from '../../model/form/picker.js'
import { relatedTitle } from '../../model/form/titles.js'
import type { FilterTarget } from '../../model/list/fields.js'
import { viewIn } from '../../model/list/view.js'
import { ask } from '../api.js'
import { choicesAt } from '../choices.js'
import { address } from '../shell/address.js'
import { kinds } from '../shell/session.js'

interface Titled {
  readonly id: number
  readonly title: string
}

/** Titles of entries that filters name, by type and id. */
const known = signal<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()
const keyOf = ({ type }: FilterTarget, id: number): string => `${type.uid} ${id}`

/** The title of an entry; its number until it is known. */
export function titleOf(target: FilterTarget, id: number): string {
  const title = known.value.get(keyOf(target, id))
  if (title === undefined) void find(target, id)
  return title ?? `#${id}`
}

/** Entries whose titles match a text. */
export async function search(target: FilterTarget, text: string): Promise<readonly Titled[]> {
  const { type, link, holder } = target
  const { locale } = viewIn(address.peek().search)
  if (!kinds.value) return []
  for (const query of pickerQueries(kinds.value, link, holder, { type, search: { text, ...(locale && { locale }) } })) {
    const found = await read(target, query)
    if (found.length > 0) return found
  }
  return []
}

async function find(target: FilterTarget, id: number): Promise<void> {
  const key = keyOf(target, id)
  if (asked.has(key) || !kinds.value) return
  asked.add(key)
  const { type, link, holder } = target
  await read(target, {
    fields: ['id', ...kinds.value.titleFields(link, holder)],
    filters: { id: { $eq: id } },
    ...(type.options.drafts && { publicationState: 'preview' }),
    ...(type.options.localized && { locale: 'all' }),
  })
}

async function read(target: FilterTarget, query: Query): Promise<readonly Titled[]> {
  const { type, link, holder } = target
  const reply = await ask({ url: choicesAt(type, query) })
  const all = kinds.value
  if (!isDone(reply) || !all) return []
  const data = isRecord(reply.body) && 'data' in reply.body ? reply.body.data : reply.body
  const entries = pickedFrom(type, data).map((related): Titled => {
    return { id: related.id, title: relatedTitle(all, link, holder, related) ?? `#${related.id}` }
  })
  known.value = new Map([...known.peek(), ...entries.map(({ id, title }) => [keyOf(target, id), title] as const)])
  return entries
}
