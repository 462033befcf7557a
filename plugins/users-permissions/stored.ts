import type { SettingsOf, StoredSettings, StoredValues } from '../../core/index.js'
import type { StoredTable, settingsSchema } from './settings.js'

type StoredTableSettings = StoredSettings<StoredValues<StoredTable>>

/** The settings of the database as far as the app's config does not say them itself. */
export function withConfig(
  stored: StoredTableSettings,
  { advanced, letters }: SettingsOf<typeof settingsSchema>,
): StoredTableSettings {
  return {
    ...stored,
    async get(key, session) {
      const value = await stored.get(key, session)
      if (key === 'advanced') return { ...value, ...advanced }
      if (key !== 'email') return value
      const templates = Object.entries(value as StoredTable['email']).map(([name, template]) => {
        const options = { ...template.options, ...letters[name as keyof typeof letters] }
        return [name, { ...template, options }]
      })
      return Object.fromEntries(templates)
    },
  }
}
