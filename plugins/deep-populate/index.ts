import { type ContentType, definePlugin } from '../../core/index.js'
import { inFull, ofCode } from './rewriting.js'
import { checkTypes, costOf, optionsOf, schema } from './settings.js'

/** `populate=deep`: everything that the caller may find, down to a depth. */
export const deepPopulate = definePlugin({
  name: 'deep-populate',
  describe: 'populate=deep and populate=deep,3: relations, components, dynamic zones and files down to a depth',
  standardIn: { strapi4: 'strapi-plugin-populate-deep' },
  config: schema,
  checks: [{ start: checkTypes }],
  register: ({ app, config }) => {
    const options = optionsOf(app, config)
    return {
      options,
      cost: costOf(app),
      ofCode: (type: ContentType, populate: unknown) => ofCode(type, populate, options),
    }
  },
  hooks: {
    // The tree depends on the permissions of a scope and on no value, so that a plan has it once.
    parseQuery: { readsValues: false, run: (raw, ask, { options }) => inFull(raw, ask, options) },
  },
  middleware: [{ before: 'routing', run: ({ cost }) => cost?.note ?? ((_, next) => next()) }],
  observe: { headers: ({ cost }) => cost?.headers },
})
