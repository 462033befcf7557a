import { isDone } from '../../../pages/page/request.js'
import type { Kinds } from '../../model/form/kinds.js'
import { pickedFrom } from '../../model/form/picker.js'
import { loaded, type PlainItem, type PlainValue, type Related, refOf } from '../../model/form/plain.js'
import type { Difference } from '../../model/versions/compare.js'
import { ask } from '../api.js'
import { choicesAt, hasChoices } from '../choices.js'

/** Entries that one request names. */
const atOnce = 100

/** Differences with the values that name the entries which they lead to: a request for each type. */
export async function withTitles(kinds: Kinds, differences: readonly Difference[]): Promise<readonly Difference[]> {
  const ids = new Map<string, Set<number>>()
  for (const { before, after } of differences)
    for (const { uid, id } of [...relatedIn(before), ...relatedIn(after)])
      ids.set(uid, (ids.get(uid) ?? new Set()).add(id))
  const found = await Promise.all([...ids].map(([uid, all]) => read(kinds, uid, [...all].slice(0, atOnce))))
  const known = new Map(found.flat().map(one => [refOf(one), one]))
  const named = (value: PlainValue | undefined) => value && titled(value, known)
  return differences.map(one => ({ ...one, before: named(one.before), after: named(one.after) }))
}

async function read(kinds: Kinds, uid: string, ids: readonly number[]): Promise<readonly Related[]> {
  const type = kinds.type(uid)
  if (!type || !hasChoices(type)) return []
  const main = type.layout.settings.mainField
  const url = choicesAt(type, {
    fields: [...new Set(['id', main])],
    filters: { id: { $in: ids } },
    ...(!type.isBare && { pagination: { limit: ids.length } }),
    ...(type.options.drafts && { publicationState: 'preview' }),
    ...(type.options.localized && { locale: 'all' }),
  })
  const reply = await ask({ url })
  return isDone(reply) ? pickedFrom(type, reply.body) : []
}

const relatedIn = (value: PlainValue | undefined): readonly Related[] =>
  value?.kind === 'links'
    ? loaded(value.links)
    : value?.kind === 'items'
      ? value.items.flatMap(({ values }) => Object.values(values).flatMap(relatedIn))
      : []

function titled(value: PlainValue, known: ReadonlyMap<string, Related>): PlainValue {
  if (value.kind === 'items') return { kind: 'items', items: value.items.map(item => titledItem(item, known)) }
  if (value.kind !== 'links') return value
  return { kind: 'links', links: { ...value.links, head: value.links.head.map(one => known.get(refOf(one)) ?? one) } }
}

const titledItem = (item: PlainItem, known: ReadonlyMap<string, Related>): PlainItem => ({
  ...item,
  values: Object.fromEntries(Object.entries(item.values).map(([name, value]) => [name, titled(value, known)])),
})
