import { isDeepStrictEqual } from 'node:util'
import type { Call, ContentType, Row } from '../../core/index.js'
import { isLocalized, optionsOf } from './content-types.js'
import { familyOf } from './family.js'
import type { I18n } from './index.js'

/** Marks a write that brings shared values to a localization: it is not shared again. */
export const echo = Symbol('echo')

type UpdateCall = Pick<Call, 'type' | 'populated'>

/** The attributes that all localizations of an entry have in common. */
export function sharedNames({ type, populated = [] }: UpdateCall, { config, types }: I18n): string[] {
  const always = config.sharing === 'always'
  return Object.keys(type.attributes).filter(name => {
    const link = type.links.get(name)
    return isShared(type, name, always, uid => types.get(uid)) && (always || !link || populated.includes(name))
  })
}

/**
 * A uid is an address, and an address leads to one entry. A relation to a localized type leads to entries of the own
 * locale. A target that only one entry can have cannot be had by all. Everything else is shared unless it is localized.
 */
function isShared(type: ContentType, name: string, relations: boolean, typeOf: (uid: string) => ContentType): boolean {
  const attribute = type.attributes[name]
  const link = type.links.get(name)
  const { writable = false } = link ?? type.fields.get(name) ?? {}
  if (!attribute || !writable || type.added.includes(name)) return false
  if (link?.exclusive || link?.storage.via === 'target') return false
  const said = optionsOf(attribute).localized
  if (said !== undefined) return !said
  if (attribute.type === 'relation') return relations && !link?.targets?.some(uid => isLocalized(typeOf(uid)))
  return attribute.type !== 'uid'
}

interface ShareOptions {
  readonly names: readonly string[]
  /** The localizations change with this write even where it shares no value. */
  readonly touches?: boolean
}

/** Writes named values of an entry, as far as they are shared, to its localizations, in the same transaction. */
export async function share(row: Row, { names, touches = false }: ShareOptions, call: Call, i18n: I18n): Promise<void> {
  const { type, session } = call
  const shared = sharedNames(call, i18n).filter(name => names.includes(name))
  if (shared.length === 0 && !touches) return
  const [, ...others] = await familyOf(row.id, { type, session, store: i18n.store })
  if (others.length === 0) return
  const entries = i18n.entries(type.uid, session)
  // A value that cannot be read again, such as a password, is written as it was sent.
  const sent = Object.fromEntries(shared.filter(name => row[name] !== undefined).map(name => [name, row[name]]))
  const data = shared.length === 0 ? {} : { ...sent, ...(await entries.copy(row.id, shared)) }
  const unsent = shared.filter(name => !Object.hasOwn(sent, name))
  for (const { id } of others) {
    // Values that were not sent and are there already are not written again: old ones may not fit the schema any more.
    const own = unsent.length === 0 ? {} : await entries.copy(id, unsent)
    const isNew = ([name, value]: [string, unknown]) =>
      Object.hasOwn(sent, name) || !isDeepStrictEqual(value, own?.[name])
    await entries.update(id, { ...Object.fromEntries(Object.entries(data).filter(isNew)), [echo]: true })
  }
}
