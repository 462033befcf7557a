import { definePlugin, optional } from '../../core/index.js'
import { i18n } from '../i18n/index.js'
import { versionType } from './content-types.js'
import { forgetting } from './forgetting.js'
import { recording } from './recording.js'
import { moving } from './remaking.js'
import { versionRoutes } from './routes.js'
import { words } from './schema-words.js'
import { checkStart, deletedVersions, hasVersions, serviceOf } from './service.js'

declare module '../../core/index.js' {
  interface TypeOptions {
    /** Former states of entries are kept, and can be restored. */
    versions?: boolean
  }
}

/** Keeps replaced states: entries can be compared with them, and restored to them. */
export const versions = definePlugin({
  name: 'versions',
  describe: 'earlier states of entries, to compare and to restore',
  uses: [optional(i18n)],
  config: {
    type: 'object',
    properties: {
      /** Every content type of the app has versions, unless `options.versions` of a type says otherwise. */
      all: { type: 'boolean', default: false },
      /** Number of versions kept for each entry. */
      keep: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
      /** For how many days those of an entry are kept that has been deleted. */
      deletedDays: { type: 'integer', minimum: 1, maximum: 36_500, default: 30 },
    },
  },
  words,
  appliesTo: hasVersions,
  contentTypes: [versionType],
  register: serviceOf,
  hooks: { inTransaction: recording, afterWrite: moving },
  routes: [versionRoutes],
  actions: [() => [deletedVersions]],
  checks: [{ start: checkStart }],
  jobs: [forgetting],
})
