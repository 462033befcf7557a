import { Form } from '../../../../plugins/console/model/form/form.js'
import { Kinds } from '../../../../plugins/console/model/form/kinds.js'
import type { PlainItem, Related, Values } from '../../../../plugins/console/model/form/plain.js'
import { plainOf } from '../../../../plugins/console/model/form/read.js'
import type {
  AttributeInfo,
  ComponentMeta,
  DialectInfo,
  FieldInfo,
  LinkInfo,
  Right,
  TypeMeta,
} from '../../../../plugins/console/model/meta.js'
import { layoutOf } from './world.js'

const both = { readable: true, writable: true }

export const field = (name: string, type: string, more: Partial<FieldInfo> = {}): FieldInfo => ({
  ...{ kind: 'field', name, type, family: 'text', ...both },
  ...more,
})

const link = (name: string, type: string, more: Partial<LinkInfo>): LinkInfo => ({
  ...{ kind: 'link', name, type, shape: 'data', many: false, followed: true, open: false, embedded: false, ...both },
  ...more,
})

export const relation = (name: string, relation: string, more: Partial<LinkInfo> = {}): LinkInfo =>
  link(name, 'relation', { relation, many: relation.endsWith('Many'), targets: ['api::tag.tag'], ...more })

export const files = (name: string, many: boolean): LinkInfo =>
  link(name, 'media', { many, targets: ['plugin::upload.file'] })

export const component = (name: string, uid: string, more: Partial<LinkInfo> = {}): LinkInfo =>
  link(name, 'component', { shape: 'inline', targets: [uid], embedded: true, ...more })

export const zone = (name: string, targets: readonly string[], more: Partial<LinkInfo> = {}): LinkInfo =>
  link(name, 'dynamiczone', { shape: 'zone', many: true, targets, embedded: true, ...more })

const type = (uid: string, attributes: readonly AttributeInfo[], right: Right | null): TypeMeta => ({
  ...{
    uid,
    kind: 'collectionType',
    name: uid,
    singular: uid,
    plural: uid,
    path: '/pages',
    entry: 'nested',
    isBare: false,
  },
  ...{ attributes, layout: layoutOf(attributes), search: [] },
  can: { read: right, create: right, update: right, delete: right, publish: right },
  options: {
    ...{ drafts: true, scheduling: false, versions: false, trash: false, localized: false },
    ...{ bulk: false, events: false, uid: false, aggregate: false },
  },
})

export const page = 'api::page.page'

/** A type `page`, components, and entries and files to lead to. */
export function pureKinds(
  attributes: readonly AttributeInfo[],
  components: Readonly<Record<string, readonly AttributeInfo[]>> = {},
  dialect: Partial<DialectInfo> = {},
): Kinds {
  return new Kinds({
    types: [
      type(page, attributes, {}),
      type('api::tag.tag', [field('name', 'string')], {}),
      type('plugin::upload.file', [field('name', 'string')], {}),
    ],
    components: Object.entries(components).map(([uid, inner]): ComponentMeta => {
      return { uid, name: uid, category: 'shared', attributes: inner, layout: layoutOf(inner) }
    }),
    dialect: { pagingInPopulate: true, madeUids: true, ...dialect } as DialectInfo,
    limits: { statements: 100 },
  })
}

export const read = (kinds: Kinds, values: Values): PlainItem => plainOf(kinds, page, { id: 1, ...values })

export const formOf = (kinds: Kinds, values?: Values): Form =>
  new Form(kinds, kinds.type(page) as TypeMeta, values && read(kinds, values))

export const tag = (id: number): Related => ({ id, uid: 'api::tag.tag', values: { name: `tag ${id}` } })

/** Related entries as a response has them. */
export const data = (...ids: readonly number[]) => ({
  data: ids.map(id => ({ id, attributes: { name: `tag ${id}` } })),
})
