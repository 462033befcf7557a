import type { ContentType } from '../../../core/index.js'
import type { Permission } from '../meaning.js'
import type { ModelParts } from './parts.js'

/** A type of this server's plugins that is content in Strapi 4 as well. */
interface Known {
  /** The permissions of its root fields, where they are not the actions on the type itself. */
  readonly find?: Permission
  readonly findOne?: Permission
  /** The permission whose row rules hold for its lists, where it is not `find`. */
  readonly lists?: string
  readonly hasQueries: boolean
  readonly hasMutations: boolean
  /** Required attributes that clients may find null. */
  readonly nullable?: readonly string[]
}

const files = 'plugin::upload.content-api'
const listLocales = { uid: 'plugin::i18n.locales', action: 'listLocales' }

/** In the order in which they stand in unions. */
const known: Readonly<Record<string, Known>> = {
  'plugin::upload.file': {
    find: { uid: files, action: 'find' },
    findOne: { uid: files, action: 'findOne' },
    lists: 'library',
    hasQueries: true,
    hasMutations: true,
  },
  'plugin::upload.folder': { hasQueries: true, hasMutations: true },
  'plugin::users-permissions.permission': { hasQueries: false, hasMutations: false },
  // Mutations of accounts and roles have rules of their own, so the plugin adds them.
  'plugin::users-permissions.role': { hasQueries: true, hasMutations: false },
  'plugin::users-permissions.user': { hasQueries: true, hasMutations: false },
  'plugin::i18n.locale': {
    find: listLocales,
    findOne: listLocales,
    hasQueries: true,
    hasMutations: false,
    nullable: ['code'],
  },
}

/** The types that the schema may have: components, then those of plugins, then those of the app. */
export function contentOf({ types, plugins = [] }: Pick<ModelParts, 'types' | 'plugins'>): ContentType[] {
  const all = [...types]
  const own = new Set([...plugins].map(({ name }) => name))
  const order = Object.keys(known)
  const isOthers = ({ uid }: ContentType) => {
    const [, plugin] = /^plugin::([^.]+)\./.exec(uid) ?? []
    return plugin !== undefined && !own.has(plugin) && !(uid in known)
  }
  return [
    ...all.filter(({ kind }) => kind === 'component'),
    ...order.flatMap(uid => all.filter(type => type.uid === uid)),
    ...all.filter(type => type.kind !== 'component' && isOthers(type)),
    ...all.filter(({ kind, uid }) => kind !== 'component' && uid.startsWith('api::')),
  ]
}

/** The permission that a root field of a type needs. */
export function permissionOf({ uid }: ContentType, action: string): Permission {
  const { [action as 'find']: own } = known[uid] ?? {}
  return own ?? { uid, action }
}

/** What a list of a type is asked with, beside its query. */
export function listingOf({ uid }: Pick<ContentType, 'uid'>): { readonly permission?: string } {
  const { lists } = known[uid] ?? {}
  return lists === undefined ? {} : { permission: lists }
}

export const hasQueries = ({ uid }: ContentType): boolean => known[uid]?.hasQueries ?? true
export const hasMutations = ({ uid }: ContentType): boolean => known[uid]?.hasMutations ?? true
export const isNullable = ({ uid }: ContentType, attribute: string): boolean =>
  known[uid]?.nullable?.includes(attribute) === true

export const hasDrafts = ({ options, fields }: ContentType): boolean =>
  options.draftAndPublish === true && fields.has('publishedAt')

export const isLocalized = ({ fields, links }: ContentType): boolean =>
  fields.has('locale') && links.has('localizations')
