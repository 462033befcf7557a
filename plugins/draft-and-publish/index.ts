import { definePlugin, oneOf } from '../../core/index.js'
import { publishRoutes } from './actions.js'
import { adopt } from './adopt.js'
import { isScheduled } from './live.js'
import { dropIgnored, hideDrafts, preview } from './reading.js'
import { scheduleJob } from './schedule.js'
import { words } from './schema-words.js'
import { checkStart, serviceOf } from './service.js'
import { checkPublished, shapeWrite } from './writing.js'

export { completeDraft } from './writing.js'

declare module '../../core/index.js' {
  interface TypeOptions {
    /** Entries are drafts until they are published. */
    draftAndPublish?: boolean
    /** Drafts can be published, and entries unpublished, at a time: `publishAt`, `unpublishAt`. */
    scheduling?: boolean
  }
}

const moment = { type: 'datetime', moments: true } as const

/** Drafts: entries without a `publishedAt`, which only those see who ask for a preview. */
export const draftAndPublish = definePlugin({
  name: 'draft-and-publish',
  describe: 'drafts that are not read until they are published',
  config: {
    type: 'object',
    properties: {
      strict: { type: 'boolean', default: { spec: true, strapi4: false } },
      /** `POST /articles/1/actions/publish` and `/unpublish`, with permissions of their own. */
      actions: { type: 'boolean', default: true },
      /** An entry whose `publishedAt` is still to come is not live before it. */
      awaitDate: { type: 'boolean', default: { spec: true, strapi4: false } },
      /** Types with drafts have `publishAt` and `unpublishAt`, unless `options.scheduling` of a type says otherwise. */
      scheduling: { type: 'boolean', default: false },
      /** Drafts are shown to those who are permitted the action `preview` on their type. */
      restrictPreview: { type: 'boolean', default: false },
    },
  },
  standardIn: { strapi4: true },
  // The table in which Strapi 4 keeps the facts that adopt.ts reads; the plugin stores nothing in it.
  shares: { stored: {} },
  words,
  appliesTo: type => type.options.draftAndPublish === true,
  attributes: (type, config) => ({
    publishedAt: { type: 'datetime', index: 'present', ...(config.awaitDate && { moments: true }) },
    ...(isScheduled(type, config) && { publishAt: moment, unpublishAt: moment }),
  }),
  params: {
    publicationState: {
      ...oneOf('live', 'preview'),
      // Without the parameter it is live too, which has less effect than a parameter that is sent: see reading.ts.
      default: undefined,
      byCode: 'preview',
      describe: 'live (published entries, the default) or preview (drafts too)',
      everywhere: true,
      nested: true,
    },
  },
  register: serviceOf,
  hooks: {
    parseQuery: { readsValues: false, run: dropIgnored },
    beforeFind: { readsValues: false, run: hideDrafts },
    beforeWrite: shapeWrite,
    afterWrite: checkPublished,
  },
  routes: [(type, { actions }) => (actions ? publishRoutes(type) : [])],
  actions: [(_, { restrictPreview }) => (restrictPreview ? [preview] : [])],
  checks: [{ start: checkStart }],
  jobs: [scheduleJob],
  once: [{ forEach: 'type', run: adopt }],
  hides: {
    ...{ attribute: 'publishedAt', from: 'publishedAt', until: 'unpublishAt' },
    ...{ shownBy: preview, noun: 'draft' },
  },
})
