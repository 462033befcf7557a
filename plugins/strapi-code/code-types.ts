import type { Definition } from '../../core/index.js'
import type { Bag, CodeType, Project } from './types.js'

/** The settings that decide which attributes every type has beside its own. */
interface EnabledFeatures {
  /** Types of this server's internationalisation have a locale. */
  readonly isLocalized: (schema: Bag) => boolean
}

/** `strapi.contentTypes` and `strapi.components`. */
export interface CodeTypes {
  readonly contentTypes: Record<string, CodeType>
  readonly components: Record<string, CodeType>
}

/** The types of an app in the shape that code reads: its schema files, and the types of its plugins as extensions left them. */
export function codeTypesOf(definitions: readonly Definition[], project: Project, enabled: EnabledFeatures): CodeTypes {
  const contentTypes: Record<string, CodeType> = {}
  const components: Record<string, CodeType> = {}
  for (const { name, server } of project.plugins.values())
    for (const [key, type] of Object.entries((server.contentTypes ?? {}) as Bag)) {
      const uid = `plugin::${name}.${key}`
      if (type?.schema) contentTypes[uid] = contentType(uid, type.schema, enabled, type.lifecycles)
    }
  contentTypes[creator.uid] = contentType(creator.uid, creator.schema, enabled, undefined)
  for (const { uid, schema } of definitions) {
    if (uid.startsWith('api::')) {
      const [, api = '', name = ''] = /^api::([^.]+)\.(.+)$/.exec(uid) ?? []
      const { lifecycles } = project.apis.get(api)?.contentTypes.get(name) ?? {}
      contentTypes[uid] = contentType(uid, schema as Bag, enabled, lifecycles)
    } else if (!uid.includes('::')) components[uid] = component(uid, schema as Bag)
  }
  return { contentTypes: sorted(contentTypes), components }
}

const hidden = { private: true, configurable: false }

/** The panel's user that has made an entry: code that follows relations comes by it. */
const creator = {
  uid: 'admin::user',
  schema: {
    collectionName: 'admin_users',
    info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
    attributes: {
      firstname: { type: 'string', configurable: false },
      lastname: { type: 'string', configurable: false },
      username: { type: 'string', configurable: false },
      email: { type: 'email', ...hidden },
      password: { type: 'password', ...hidden },
      resetPasswordToken: { type: 'string', ...hidden },
      registrationToken: { type: 'string', ...hidden },
      isActive: { type: 'boolean', ...hidden },
      blocked: { type: 'boolean', ...hidden },
      preferedLanguage: { type: 'string', configurable: false },
    },
  },
}

const sorted = <T>(all: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))

function contentType(
  uid: string,
  schema: Bag,
  { isLocalized }: EnabledFeatures,
  lifecycles: Bag | undefined,
): CodeType {
  const { pluginOptions } = schema
  const [info, options] = [bagOf(schema.info), bagOf(schema.options)]
  const [, space = '', owner = ''] = /^([^:]+)::([^.]+)/.exec(uid) ?? []
  const name = String(info.singularName ?? uid.split('.').at(-1))
  const isOfApi = space === 'api'
  const isPrivate = options.populateCreatorFields !== true
  return {
    ...schema,
    kind: schema.kind ?? 'collectionType',
    collectionName: schema.collectionName ?? (isOfApi ? name : `${owner}_${name}`.toLowerCase()),
    info,
    options,
    ...(pluginOptions !== undefined && { pluginOptions }),
    __schema__: schemaOf(schema),
    modelType: 'contentType',
    modelName: name,
    uid,
    ...(isOfApi ? { apiName: owner } : { plugin: owner }),
    globalId: schema.globalId ?? pascal(isOfApi ? name : `${owner}-${name}`),
    attributes: {
      ...bagOf(schema.attributes),
      createdAt: { type: 'datetime' },
      updatedAt: { type: 'datetime' },
      ...(options.draftAndPublish === true && {
        publishedAt: { type: 'datetime', configurable: false, writable: true, visible: false },
      }),
      createdBy: madeBy(isPrivate),
      updatedBy: madeBy(isPrivate),
      ...(isLocalized(schema) && {
        locale: { ...ofServer, type: 'string' },
        localizations: { ...ofServer, type: 'relation', relation: 'oneToMany', target: uid },
      }),
    },
    actions: {},
    lifecycles: lifecycles ?? {},
  }
}

/** Schema files may hold anything: what is no object says nothing. */
const bagOf = (value: unknown): Bag => (typeof value === 'object' && value !== null ? (value as Bag) : {})

const ofServer = { writable: true, private: false, configurable: false, visible: false }

const madeBy = (isPrivate: boolean): Bag => ({
  type: 'relation',
  relation: 'oneToOne',
  target: 'admin::user',
  configurable: false,
  writable: false,
  visible: false,
  useJoinTable: false,
  private: isPrivate,
})

function component(uid: string, schema: Bag): CodeType {
  const [category = '', name = ''] = uid.split('.')
  const [info, options] = [bagOf(schema.info), bagOf(schema.options)]
  return {
    ...schema,
    collectionName: schema.collectionName,
    info,
    options,
    __schema__: schemaOf(schema),
    uid,
    category,
    modelType: 'component',
    modelName: name,
    globalId: schema.globalId ?? pascal(`component-${uid}`),
    attributes: { ...bagOf(schema.attributes) },
  }
}

const kept = ['kind', 'collectionName', 'info', 'options', 'pluginOptions', 'attributes']

const schemaOf = (schema: Bag): Bag =>
  structuredClone(Object.fromEntries(kept.filter(key => schema[key] !== undefined).map(key => [key, schema[key]])))

const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
