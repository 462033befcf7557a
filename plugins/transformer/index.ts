import { definePlugin, type Format } from '../../core/index.js'
import { EntryTransformer, type Removal, shapeFor } from './entries.js'
import { isIgnoring, wrapped } from './requests.js'
import { actionsOf, removedBy, type Settings, schema } from './settings.js'

/** Responses without `attributes`, without the `data` of relations, or without both. */
const formatFor = (removed: Removal): Format<Settings> => ({
  // Flat entries are what is left where both are removed.
  entry: removed.attributes && removed.data ? 'plain' : 'nested',
  one: (entry, meta, about) => ({ data: entry && new EntryTransformer(removed, about).entry(entry), meta }),
  many: (entries, meta, about) => {
    const transformed = new EntryTransformer(removed, about)
    return { data: entries.map(entry => transformed.entry(entry)), meta }
  },
  serves: {
    test: (type, action, settings) => {
      const { attributes, data } = removedBy(settings)
      return attributes === removed.attributes && data === removed.data && actionsOf(settings, type).includes(action)
    },
    unless: isIgnoring,
  },
  shape: shapeFor(removed),
})

/** Responses and bodies without envelopes, as strapi-plugin-transformer has them. */
export const transformer = definePlugin({
  name: 'transformer',
  describe: 'responses without attributes and data, and bodies without data, as strapi-plugin-transformer has them',
  standardIn: { strapi4: 'strapi-plugin-transformer' },
  config: schema,
  register: ({ config, types }) => ({ config, types }),
  bodies: ['application/json', 'application/x-www-form-urlencoded'].map(type => wrapped(type)),
  formats: {
    transformer: formatFor({ attributes: true, data: true }),
    'transformer-attributes': formatFor({ attributes: true, data: false }),
    'transformer-data': formatFor({ attributes: false, data: true }),
  },
})
