import { definePlugin, oneOf } from '../../core/index.js'
import { emptying } from './emptying.js'
import { hideTrash, purge, seeTrash } from './reading.js'
import { restoreRoutes } from './restoring.js'
import { words } from './schema-words.js'
import { adopt, adoptAll, checkStart, hasTrash, serviceOf } from './service.js'
import { completeWrite, finishWrite, shapeWrite } from './writing.js'

declare module '../../core/index.js' {
  interface TypeOptions {
    /** Deleted entries stay in the trash for a while, and can be restored. */
    trash?: boolean
  }
}

/** Deleted entries are kept for a while: only those see them who ask for the trash and are permitted to. */
export const trash = definePlugin({
  name: 'trash',
  describe: 'deleted entries can be restored for a while',
  config: {
    type: 'object',
    properties: {
      /** Every content type of the app has a trash, unless `options.trash` of a type says otherwise. */
      all: { type: 'boolean', default: false },
      /** After how many days an entry is removed from the trash. */
      days: { type: 'integer', minimum: 1, maximum: 36_500, default: 30 },
    },
  },
  words,
  appliesTo: hasTrash,
  attributes: {
    deletedAt: { type: 'datetime', writable: false, index: true },
    // The id while the entry is in the trash: values are unique among entries with the same key.
    trashKey: { type: 'integer', default: 0, private: true, writable: false, uniqueWithin: true },
    trashNote: { type: 'json', private: true, writable: false },
  },
  hides: { attribute: 'deletedAt', when: 'deleted', noun: 'entry in the trash', plural: 'entries in the trash' },
  params: {
    trash: {
      ...oneOf('with', 'only'),
      default: undefined,
      describe: 'with: entries in the trash, too; only: those alone, and a delete removes them for good',
      actions: ['find', 'findOne', 'delete'],
    },
  },
  register: serviceOf,
  hooks: {
    beforeFind: { readsValues: false, run: hideTrash },
    beforeWrite: shapeWrite,
    inTransaction: completeWrite,
    afterWrite: finishWrite,
  },
  routes: [restoreRoutes],
  actions: [() => [seeTrash, purge]],
  checks: [{ start: checkStart }],
  jobs: [emptying],
  once: [{ forEach: 'type', run: adopt }],
  transfer: { after: adoptAll },
})
