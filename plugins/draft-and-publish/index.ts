import { definePlugin, oneOf } from '../../core/index.js'
import { publishRoutes } from './actions.js'
import { adopt } from './adopt.js'
import { dropIgnored, hideDrafts } from './reading.js'
import { serviceOf } from './service.js'
import { checkPublished, shapeWrite } from './writing.js'

declare module '../../core/index.js' {
  interface TypeOptions {
    /** Entries are drafts until they are published. */
    draftAndPublish?: boolean
  }
}

/** Drafts: entries without a `publishedAt`, which only those see who ask for a preview. */
export const draftAndPublish = definePlugin({
  name: 'draft-and-publish',
  config: {
    type: 'object',
    properties: {
      strict: { type: 'boolean', default: true },
      /** `POST /articles/1/actions/publish` and `/unpublish`, with rights of their own. */
      actions: { type: 'boolean', default: true },
    },
  },
  standardIn: { strapi4: true },
  dialects: { strapi4: { strict: false, actions: false } },
  // Nothing of its own: the table is where Strapi 4 keeps what adopt.ts wants to know.
  stored: {},
  appliesTo: type => type.options.draftAndPublish === true,
  attributes: { publishedAt: { type: 'datetime', index: 'present' } },
  params: {
    publicationState: {
      ...oneOf('live', 'preview'),
      // What nobody said is live too, and holds for less than what a request says: see reading.ts.
      default: undefined,
      byCode: 'preview',
      describe: 'live (published entries, the default) or preview (drafts too)',
      everywhere: true,
      nested: true,
    },
  },
  register: serviceOf,
  hooks: {
    parseQuery: dropIgnored,
    beforeFind: hideDrafts,
    beforeWrite: shapeWrite,
    afterWrite: checkPublished,
  },
  typeRoutes: (type, { actions }) => (actions ? publishRoutes(type) : []),
  adopt,
})
