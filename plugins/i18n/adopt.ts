import { change, rowsOf } from '../../core/index.js'
import { isLocalized } from './content-types.js'
import type { I18nHost } from './settings.js'

/**
 * Entries that were made without a locale, because their type was not localized or the plugin was disabled, are taken to be in
 * the default one. Every start looks: another server without the plugin may write to the same database.
 */
export async function adoptEntries({ types, store, log }: I18nHost, locale: string): Promise<void> {
  const { knex } = store
  for (const type of types.types.values()) {
    if (!isLocalized(type)) continue
    const column = type.fields.get('locale')?.column as string
    const without = knex(type.table).whereNull(column)
    if ((await rowsOf(store.reader, without.clone().select('id').limit(1))).length === 0) continue
    const { changes } = await store.transaction(session => change(session, without.update({ [column]: locale })))
    log.info({ type: type.uid, locale, entries: changes }, `${changes} entries of ${type.uid} are now in ${locale}`)
  }
}
