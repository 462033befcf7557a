import { fileURLToPath } from 'node:url'
import { createTestApp, type TestApp } from '../../../../core/index.js'
import { loadDefinitions } from '../../../../core/schema/load.js'
import { Form } from '../../../../plugins/console/model/form/form.js'
import { Kinds } from '../../../../plugins/console/model/form/kinds.js'
import type { PlainItem, Values } from '../../../../plugins/console/model/form/plain.js'
import { entryQuery, type Query } from '../../../../plugins/console/model/form/query.js'
import { entryOf, headOf, plainOf } from '../../../../plugins/console/model/form/read.js'
import type {
  AttributeInfo,
  ComponentMeta,
  DialectInfo,
  Layout,
  Right,
  TypeMeta,
} from '../../../../plugins/console/model/meta.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import { metadataOf } from '../../../../plugins/explorer/metadata.js'
import { i18n } from '../../../../plugins/i18n/index.js'
import { upload } from '../../../../plugins/upload/index.js'
import type { DatabaseSettings } from '../../../support/engines.js'
import { everyType } from '../../explorer/every-field.js'

const folderOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The apps whose types are filled in: the sample, the project of another server, and one with an attribute of each type. */
export const apps = {
  sample: { definitions: loadDefinitions(folderOf('../../../..')) },
  project: { definitions: loadDefinitions(folderOf('../../../fixtures/strapi4/project')) },
  'every type': everyType,
}

export type DialectName = 'spec' | 'strapi4'

/** An app that permits everything; in memory unless there is a database. */
export const open = (app: keyof typeof apps, dialect: DialectName, database?: DatabaseSettings): Promise<TestApp> =>
  createTestApp({
    ...apps[app],
    plugins: [upload, draftAndPublish, i18n],
    config: { ...(database && { database }), api: { rest: { dialect } } },
  })

interface Permitted {
  readonly rights?: Readonly<Record<string, Right>>
}

/** The types of an app as the page knows them, with everything permitted unless `rights` says otherwise. */
export function kindsOf({ outline }: TestApp, { rights = {} }: Permitted = {}): Kinds {
  const { types } = metadataOf(outline, { name: 'test', version: '1' })
  const layouts = types.map(({ uid, name, kind, singular, plural, path, attributes, searched = [] }) => {
    return {
      ...{ uid, name, kind, singular, plural, path, attributes },
      search: searched,
      layout: layoutOf(attributes),
    }
  })
  const { dialect } = outline
  return new Kinds({
    types: layouts.flatMap(({ kind, path, ...type }): TypeMeta[] => {
      const right = rights[type.uid] ?? {}
      const can = { read: right, create: right, update: right, delete: right, publish: right }
      const isDraft = type.attributes.some(({ name }) => name === 'publishedAt')
      return kind === 'component'
        ? []
        : [
            {
              ...type,
              ...(path && { path }),
              kind,
              can,
              entry: 'nested',
              isBare: false,
              options: options(isDraft),
            },
          ]
    }),
    components: layouts.flatMap(({ kind, uid, name, attributes, layout }): ComponentMeta[] =>
      kind === 'component' ? [{ uid, name, category: uid.split('.')[0] ?? '', attributes, layout }] : [],
    ),
    dialect: { ...dialect, sharing: 'always', bareLocalizations: false, withCount: true } as DialectInfo,
    limits: outline.app.api.rest.limits,
  })
}

const options = (drafts: boolean): TypeMeta['options'] => ({
  ...{ drafts, scheduling: false, versions: false, trash: false, localized: false },
  ...{ bulk: false, events: false, uid: false, aggregate: false },
})

/** A layout with every attribute of the schema. */
export function layoutOf(attributes: readonly AttributeInfo[]): Layout {
  const shown = attributes.filter(({ added }) => !added)
  const texts = shown.filter(({ type, readable }) => readable && type === 'string')
  const about = { visible: true, editable: true, searchable: true, sortable: true }
  return {
    settings: {
      ...{ bulkable: true, filterable: true, searchable: true, pageSize: 25 },
      ...{ mainField: texts[0]?.name ?? 'id', defaultSortBy: 'id', defaultSortOrder: 'ASC' },
    },
    list: ['id'],
    edit: shown.map(({ name }) => [{ name, size: 12 }]),
    fields: Object.fromEntries(shown.map(({ name }) => [name, { label: name, listLabel: name, ...about }])),
    isStored: false,
    isDeclared: false,
  }
}

/** The page's requests about entries of one type. */
export class Client {
  readonly kinds: Kinds
  readonly #app: TestApp
  readonly #headers: Readonly<Record<string, string>>
  /** Requests of this client. */
  asked = 0

  /** `headers` go with every request. */
  constructor(app: TestApp, kinds = kindsOf(app), headers: Readonly<Record<string, string>> = {}) {
    this.#app = app
    this.#headers = headers
    this.kinds = kinds
  }

  type(uid: string): TypeMeta {
    const type = this.kinds.type(uid)
    if (!type) throw new Error(`the app has no type ${uid}`)
    return type
  }

  async send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, query: Query = {}, data?: unknown, headers = {}) {
    this.asked += 1
    const text = Object.entries(query).map(
      ([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
    const url = `${path}?${text.join('&')}`
    const sent = { ...this.#headers, ...headers }
    const response = await this.#app.inject({
      method,
      url,
      headers: sent,
      ...(data !== undefined && { payload: { data } }),
    })
    return { status: response.statusCode, text: response.body, body: response.json() }
  }

  #path(type: TypeMeta, id?: number): string {
    return `${type.path}${type.kind === 'singleType' || id === undefined ? '' : `/${id}`}`
  }

  async read(uid: string, id: number) {
    const type = this.type(uid)
    const response = await this.send('GET', this.#path(type, id), entryQuery(this.kinds, type))
    if (response.status !== 200) throw new Error(`${uid} ${id}: ${response.text}`)
    return this.#taken(type, response.body)
  }

  #taken(type: TypeMeta, body: unknown): { entry: Values; plain: PlainItem; updatedAt: string } {
    const entry = entryOf(body) ?? {}
    return { entry, plain: plainOf(this.kinds, type.uid, entry), updatedAt: headOf(entry).updatedAt ?? '' }
  }

  async open(uid: string, id: number): Promise<Form> {
    return new Form(this.kinds, this.type(uid), (await this.read(uid, id)).plain)
  }

  /** Saves a form as the page does, and gives the response. */
  save(form: Form, data: unknown = form.body(), headers = {}) {
    const { type, root } = form
    const method = form.isNew.value && type.kind === 'collectionType' ? 'POST' : 'PUT'
    return this.send(method, this.#path(type, root.id), entryQuery(this.kinds, type), data, headers)
  }

  async saved(form: Form): Promise<PlainItem> {
    const data = form.body()
    const response = await this.save(form, data)
    if (response.status !== 200) throw new Error(`${JSON.stringify(data)}\n${response.text}`)
    return this.#taken(form.type, response.body).plain
  }
}
