import type { ContentType, Registry } from '../../../core/index.js'
import { superAdminCode } from '../content-types.js'

/** A permission as its row has it. */
interface NewPermission {
  readonly action: string
  readonly subject: string | null
  readonly properties: { readonly fields?: readonly string[]; readonly locales?: null }
  readonly conditions: readonly string[]
}

export interface NewRole {
  readonly name: string
  readonly code: string
  readonly description: string
  readonly permissions: readonly NewPermission[]
}

const own = ['admin::is-creator']
const explorer = (action: string): string => `plugin::content-manager.explorer.${action}`

/** The roles that Strapi 4.26 begins with, in its order. A Super Admin may everything by the code of the role. */
export function firstRoles(types: Registry): NewRole[] {
  const contents = [...types.types.values()].filter(({ uid }) => uid.startsWith('api::')).sort(byUid)
  return [
    {
      name: 'Super Admin',
      code: superAdminCode,
      description: 'Super Admins can access and manage all features and settings.',
      permissions: [],
    },
    {
      name: 'Editor',
      code: 'strapi-editor',
      description: 'Editors can manage and publish contents including those of other users.',
      permissions: [...contentPermissions(contents, types, []), ...publishing(contents), ...filePermissions([])],
    },
    {
      name: 'Author',
      code: 'strapi-author',
      description: 'Authors can manage the content they have created.',
      permissions: [...contentPermissions(contents, types, own), ...filePermissions(own)],
    },
  ]
}

const byUid = (one: ContentType, other: ContentType): number => (one.uid < other.uid ? -1 : 1)

/** The permissions to work on entries: of all, or under a condition. */
function contentPermissions(
  contents: readonly ContentType[],
  types: Registry,
  conditions: readonly string[],
): NewPermission[] {
  const withFields = ['create', 'read', 'update'].flatMap(action =>
    contents.map(type => ({
      action: explorer(action),
      subject: type.uid,
      properties: { fields: fieldsOf(type, types), ...languagesOf(type) },
      conditions,
    })),
  )
  return [...withFields, ...onEntries('delete', contents, conditions)]
}

const publishing = (contents: readonly ContentType[]): NewPermission[] =>
  onEntries(
    'publish',
    contents.filter(({ options }) => options.draftAndPublish === true),
    [],
  )

const onEntries = (action: string, contents: readonly ContentType[], conditions: readonly string[]): NewPermission[] =>
  contents.map(type => ({ action: explorer(action), subject: type.uid, properties: languagesOf(type), conditions }))

function filePermissions(conditions: readonly string[]): NewPermission[] {
  const permission = (action: string, when: readonly string[]): NewPermission => ({
    action: `plugin::upload.${action}`,
    subject: null,
    properties: {},
    conditions: when,
  })
  return [
    permission('read', conditions),
    permission('configure-view', []),
    permission('assets.create', []),
    permission('assets.update', conditions),
    permission('assets.download', []),
    permission('assets.copy-link', []),
  ]
}

/** All languages, those that are added later, too: without the property a localized type would have none. */
function languagesOf({ pluginOptions }: ContentType): { readonly locales?: null } {
  const { localized } = Object(pluginOptions.i18n) as { readonly localized?: unknown }
  return localized === true ? { locales: null } : {}
}

/** The attributes of a type's own, those of its components by paths. */
function fieldsOf(type: ContentType, types: Registry, within: readonly string[] = []): string[] {
  return Object.entries(type.attributes).flatMap(([name, attribute]) => {
    if (type.added?.includes(name)) return []
    const { component } = attribute as { readonly component?: string }
    const inner = component === undefined || within.includes(component) ? undefined : types.types.get(component)
    if (!inner) return [name]
    return fieldsOf(inner, types, [...within, inner.uid]).map(path => `${name}.${path}`)
  })
}
