import { type Definition, definePlugin } from '../../../core/index.js'

const versionUid = 'plugin::history.version'

const versionType: Definition = {
  uid: versionUid,
  source: 'plugins/history.ts',
  schema: {
    kind: 'collectionType',
    collectionName: 'versions',
    info: { singularName: 'version', pluralName: 'versions', displayName: 'Version' },
    attributes: { of: { type: 'string' }, entry: { type: 'integer' }, was: { type: 'json' } },
  },
}

/** Keeps every entry as it was before it was changed or deleted. */
export const history = definePlugin({
  name: 'history',
  appliesTo: ({ uid }) => uid.startsWith('api::'),
  contentTypes: [versionType],
  register: host => host,
  hooks: {
    afterWrite: {
      before: true,
      async run({ id }, { type, before, session }, { entries }) {
        if (before) await entries(versionUid, session).create({ of: type.uid, entry: id, was: before })
      },
    },
  },
})
