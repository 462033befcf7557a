import fc from 'fast-check'
import { generated } from './project.js'

/*
 * Projects of odd files with which Strapi 4 starts: whatever is in them, this server starts, too, and serves each type.
 * Not in them is what Strapi 4.26 refuses: files that are no JSON, types without names or attributes, names or tables that
 * two types have, attributes that are no objects or of an unknown type, an attribute "id", components without a table,
 * owning relations to what is not there, an inverse that owns a oneToMany or does not own a manyToOne, enumerations of
 * types whose values are no texts, or alike once they are made words, and middlewares that are not there. `collation` is a
 * word of this server alone, and not in them either: that the database knows the language is checked.
 */

/** Values of any type, in place of those that a key has. */
const anything = fc.constantFrom<unknown[]>(
  ...[null, true, false, 0, 1, -1, 2.5, '', '0', '7', 'yes', 'no', 'NaN', [], {}, ['x'], { x: null }, [null], 'a b'],
)
const rarely = <Value>(usual: fc.Arbitrary<Value>): fc.Arbitrary<Value | unknown> =>
  fc.oneof({ weight: 3, arbitrary: usual }, { weight: 2, arbitrary: anything })

const optionNames = [
  ...['required', 'unique', 'private', 'configurable', 'writable', 'visible', 'searchable', 'default', 'min', 'max'],
  ...['minLength', 'maxLength', 'regex', 'pluginOptions', 'column', 'index', 'repeatable', 'multiple', 'allowedTypes'],
  ...['targetField', 'options', 'enumName', 'description', 'useJoinTable', 'autoPopulate', 'requird', 'x-y'],
]
/** A column of another name is another's business: Strapi's own files never name one. */
const options = fc
  .dictionary(fc.constantFrom(...optionNames), anything, { maxKeys: 5 })
  .map(({ column: _, ...said }) => said)

const attributeNames = [
  ...['title', 'Title', 'TITLE', 'name', 'my_name', 'myName', 'publishedAt', 'createdAt', 'updatedAt', 'createdBy'],
  ...[
    'updatedBy',
    'locale',
    'localizations',
    'published_at',
    'größe',
    'my-attr',
    '2nd',
    'target_id',
    '__component',
    '__type',
  ],
  ...[
    'order',
    'select',
    'group',
    'attributes',
    'data',
    'meta',
    'constructor',
    'toString',
    'status',
    'count',
    'a.b',
    'x y',
    '12',
  ],
]

const valueTypes = [
  ...['string', 'text', 'richtext', 'email', 'password', 'uid', 'integer', 'biginteger', 'float', 'decimal', 'boolean'],
  ...['date', 'time', 'datetime', 'timestamp', 'json', 'blocks', 'media'],
]
const value = fc.tuple(fc.constantFrom(...valueTypes), options).map(([type, more]) => ({ ...more, type }))

const enumeration = fc
  .tuple(options, fc.constantFrom([], ['a'], ['a', 'B b', 'c-d'], ['Ä', 'Zwei', 'x1'], ['yes', 'no', 'null']))
  .map(([more, values]) => ({ ...more, type: 'enumeration', enum: values }))

export const types = ['one', 'two', 'three']
export const uidOf = (name: string) => `api::${name}.${name}`
const uids = types.map(uidOf)
const components = ['shared.part', 'shared.box']

const oneSided = fc
  .record({
    relation: fc.constantFrom('oneToOne', 'oneToMany', 'manyToOne', 'manyToMany', 'morphToMany'),
    target: fc.constantFrom(...uids, 'plugin::users-permissions.user', 'plugin::upload.file', 'admin::user'),
    more: options,
  })
  .map(({ more, ...relation }) => ({ ...more, ...relation, type: 'relation' }))
/** Strapi looks at neither the target nor the other side of a relation that does not own its links. */
const mapped = fc
  .record({
    relation: fc.constantFrom('oneToOne', 'oneToMany', 'manyToMany'),
    target: fc.constantFrom(...uids, 'api::gone.gone', 'plugin::gone.gone'),
    mappedBy: fc.constantFrom('title', 'links', 'nowhere', null),
    more: options,
  })
  .map(({ more, ...relation }) => ({ ...more, ...relation, type: 'relation' }))
const component = fc
  .tuple(fc.constantFrom(...components), options)
  .map(([uid, more]) => ({ ...more, type: 'component', component: uid }))
const zone = fc
  .tuple(fc.subarray([...components, 'gone.part']), options)
  .map(([uids, more]) => ({ ...more, type: 'dynamiczone', components: uids }))

const attributes = fc.dictionary(
  fc.constantFrom(...attributeNames),
  fc.oneof({ weight: 4, arbitrary: value }, enumeration, oneSided, mapped, component, zone),
  { maxKeys: 7 },
)

/** An owner of a relation, which names `links` of its target, whatever that says itself. */
const owner = fc
  .record({
    relation: fc.constantFrom('oneToOne', 'manyToOne', 'manyToMany'),
    target: fc.constantFrom(...uids),
    more: options,
  })
  .map(({ more, ...relation }) => ({ ...more, ...relation, type: 'relation', inversedBy: 'links' }))

const pluginOptions = rarely(
  fc.record({ i18n: rarely(fc.record({ localized: rarely(fc.boolean()) })), seo: anything }, { requiredKeys: [] }),
)
const typeOptions = rarely(
  fc.record(
    {
      draftAndPublish: rarely(fc.boolean()),
      populateCreatorFields: anything,
      privateAttributes: anything,
      mine: anything,
    },
    { requiredKeys: [] },
  ),
)

const type = fc.record(
  {
    kind: fc.constantFrom('collectionType', 'singleType', 'other', null, ''),
    options: typeOptions,
    pluginOptions,
    attributes,
    links: mapped,
    owners: fc.dictionary(fc.constantFrom('first', 'second', 'links2'), owner, { maxKeys: 3 }),
    collectionName: fc.constantFrom('', 'rows', 'my rows', '2024_rows', 'rows-x', 'Rows', 'größen'),
    more: fc.dictionary(
      fc.constantFrom('search', 'indexes', 'renamedFrom', 'config', '__filename__', 'attribute'),
      anything,
      {
        maxKeys: 2,
      },
    ),
    icon: anything,
  },
  { requiredKeys: ['attributes', 'links', 'owners', 'collectionName', 'more'] },
)

/** Contents of files, by name. */
export type Files = Readonly<Record<string, unknown>>

const typeFile = (
  name: string,
  at: number,
  { attributes, links, owners, collectionName, more, icon, ...said }: DrawnType,
) => [
  `src/api/${name}/content-types/${name}/schema.json`,
  {
    ...more,
    ...said,
    ...(collectionName && { collectionName: `${collectionName}_${at}` }),
    info: { singularName: name, pluralName: `${name}-all`, displayName: name, icon },
    attributes: { ...attributes, links, ...owners },
  },
]
type DrawnType = typeof type extends fc.Arbitrary<infer Value> ? Value : never

const typeFiles = fc
  .tuple(type, type, type)
  .map(
    (all): Files =>
      Object.fromEntries([
        ...all.map((one, at) => typeFile(types[at] as string, at, one)),
        ...types.flatMap(name => Object.entries(generated(uidOf(name)))),
      ]),
  )

const parts = fc.dictionary(fc.constantFrom(...attributeNames), fc.oneof(value, enumeration), { maxKeys: 4 })
const componentFiles = fc.tuple(parts, parts, anything, anything).map(
  ([part, box, info, options]): Files => ({
    'src/components/shared/part.json': { collectionName: 'components_parts', info, options, attributes: part },
    'src/components/shared/box.json': { collectionName: 'components_boxes', info, options, attributes: box },
  }),
)

/** Settings of a plugin as Strapi reads them: it looks at `enabled` and `config` alone. */
const plugin = fc.oneof(
  fc.record(
    { enabled: anything, config: rarely(fc.dictionary(fc.constantFrom('provider', 'x'), anything)) },
    { requiredKeys: [] },
  ),
  fc.constantFrom<unknown[]>(true, false, [], ['x'], 'text', 7),
)
const uploads = fc.record(
  {
    provider: fc.constantFrom<unknown[]>('local', 'aws-s3', 'cloudinary', null),
    providerOptions: rarely(fc.record({ s3Options: anything, baseUrl: anything }, { requiredKeys: [] })),
    sizeLimit: anything,
    breakpoints: rarely(fc.dictionary(fc.constantFrom('large', 'thumbnail', 'x y'), anything)),
    actionOptions: anything,
  },
  { requiredKeys: [] },
)
const accounts = fc.record({ ratelimit: anything, register: anything, layout: anything }, { requiredKeys: [] })
const configFiles = fc
  .record({
    plugins: fc.dictionary(fc.constantFrom('graphql', 'i18n', 'email', 'seo', 'redis', 'plugins'), plugin, {
      maxKeys: 4,
    }),
    uploads: rarely(uploads),
    accounts,
    server: fc.dictionary(fc.constantFrom('proxy', 'url', 'cron', 'dirs', 'logger', 'mine', 'webhooks'), anything, {
      maxKeys: 4,
    }),
    api: fc.record(
      {
        rest: rarely(fc.dictionary(fc.constantFrom('defaultLimit', 'maxLimit', 'withCount', 'mine'), anything)),
        responses: anything,
      },
      { requiredKeys: [] },
    ),
    middlewares: fc.array(
      fc.oneof(
        fc.constantFrom<unknown[]>('strapi::errors', 'strapi::body', 'global::mine'),
        fc.record({
          name: fc.constantFrom('strapi::cors', 'strapi::body', 'strapi::security', 'strapi::session'),
          config: fc.dictionary(
            fc.constantFrom(
              'origin',
              'credentials',
              'headers',
              'jsonLimit',
              'formidable',
              'contentSecurityPolicy',
              'hsts',
              'enabled',
            ),
            anything,
          ),
        }),
      ),
      { maxLength: 4 },
    ),
  })
  .map(
    ({ plugins, uploads, accounts, ...said }): Files => ({
      'config/plugins.json': {
        ...plugins,
        upload: { config: uploads },
        'users-permissions': { config: { ...accounts, jwtSecret: 'a secret of this test that is long' } },
      },
      'config/server.json': { ...said.server, host: '127.0.0.1', app: { keys: ['k'] } },
      'config/api.json': said.api,
      'config/middlewares.json': said.middlewares,
      'src/middlewares/mine.js': 'module.exports = () => (ctx, next) => next()',
      'config/admin.json': { apiToken: { salt: 'a salt of this test that is long' } },
      'config/database.json': {
        connection: { client: 'sqlite', connection: { filename: '.tmp/data.db' }, useNullAsDefault: true },
      },
      'package.json': {
        dependencies: {
          '@strapi/strapi': '4.26.2',
          '@strapi/plugin-i18n': '4.26.2',
          '@strapi/plugin-users-permissions': '4.26.2',
        },
      },
    }),
  )

export const projects = fc.tuple(typeFiles, componentFiles, configFiles).map((all): Files => Object.assign({}, ...all))
