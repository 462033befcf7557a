import type { LinkInfo, TypeMeta } from '../meta.js'
import type { Kind, Kinds } from './kinds.js'
import type { Related } from './plain.js'
import type { Query } from './query.js'
import { entriesAt } from './read.js'

/** The entries that a picker lists at once. */
const mostListed = 20

/** The text that is searched for, and the language of the entry in whose form the picker is. */
interface PickerSearch {
  readonly text: string
  readonly locale?: string | null
}

/**
 * The requests for the entries of a type that a picker offers: each is sent if the one before found nothing. By the index of words
 * where the type has one, otherwise by the start of the field that names an entry, and then anywhere in it.
 */
export function pickerQueries(
  kinds: Kinds,
  link: LinkInfo,
  holder: Kind,
  { type, search }: PickerPlace,
): readonly Query[] {
  const main = mainField(link, holder, type)
  const text = search.text.trim()
  const shown = {
    fields: pickerFields(kinds, link, holder, type),
    pagination: { start: 0, limit: mostListed, withCount: false },
    ...(type.options.drafts && { publicationState: 'preview' }),
    ...(type.options.localized && search.locale && { locale: search.locale }),
  }
  if (text === '') return [{ ...shown, sort: [main === undefined ? 'id' : main] }]
  const found = (operator: string) => ({
    ...shown,
    filters: { [main ?? 'id']: { [operator]: text } },
    sort: [main ?? 'id'],
  })
  // Without a text to search there is the id.
  if (main === undefined) return /^\d+$/.test(text) ? [found('$eq')] : []
  const words = type.search.length > 0 ? (text.match(/[\p{L}\p{N}]+/gu) ?? []) : []
  // The last word is still being typed.
  const byWords = words.length > 0 ? [{ ...shown, _q: `${words.join(' ')}*`, sort: ['_rank'] }] : []
  return [...byWords, found('$startsWithi'), found('$containsi')]
}

interface PickerPlace {
  /** The type whose entries are offered: that of the relation, or the one that was chosen first. */
  readonly type: TypeMeta
  readonly search: PickerSearch
}

/** The entries in the response to such a request. */
export const pickedFrom = ({ uid }: TypeMeta, response: unknown): readonly Related[] =>
  entriesAt(response).map(({ id, ...values }) => ({ id: Number(id), uid, values }))

function mainField({ name }: LinkInfo, { layout }: Kind, type: TypeMeta): string | undefined {
  const mains = [layout.fields[name]?.mainField, type.layout.settings.mainField]
  return mains.find(main => type.attributes.some(one => one.name === main && isText(one)))
}

const isText = (one: TypeMeta['attributes'][number]): boolean =>
  one.kind === 'field' && one.family === 'text' && one.readable

/** The fields that name an entry, its state, and one more field: the next one in the list of its type. */
function pickerFields(kinds: Kinds, link: LinkInfo, holder: Kind, type: TypeMeta): readonly string[] {
  const titles = kinds.titleFields({ ...link, targets: [type.uid] }, holder)
  const readable = (name: string) =>
    type.attributes.some(one => one.name === name && one.kind === 'field' && one.readable)
  const next = type.layout.list.find(name => readable(name) && !titles.includes(name))
  const fields = [...titles, ...(next === undefined ? [] : [next])]
  return fields.length > 0 ? fields : ['id']
}
