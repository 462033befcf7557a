import { createTestApp, definePlugin, type Host, type TestAppOptions } from '../../../../core/index.js'
import { createData } from '../../../../plugins/strapi-code/data/index.js'
import type { Bag, Loose, Runtime } from '../../../../plugins/strapi-code/types.js'

type Types = NonNullable<TestAppOptions['types']>

export interface World {
  readonly db: Loose
  readonly entityService: Loose
  readonly host: Host
  readonly emitted: [string, Bag][]
  /** The events of `strapi.eventHub` that anyone listens to. */
  readonly listens: Set<string>
  hasEvents(uid: string, action: string): boolean
  close(): Promise<void>
  /** Rows of a statement of one's own, as lists. */
  rows(sql: string): Promise<readonly (readonly unknown[])[]>
  readonly inject: Loose
}

export interface WorldOptions {
  readonly types?: Types
  readonly components?: Types
  readonly plugins?: Bag
  readonly database?: Bag
  /** Functions of lifecycles files, by uid. */
  readonly lifecycles?: Record<string, Bag>
  readonly afterEvents?: 'commit' | 'transaction'
  /** Further plugins, as values. */
  readonly beside?: NonNullable<TestAppOptions['plugins']>
}

/** An app in memory whose database layer is that of code, without any project: only what the layer itself needs is there. */
export async function world(options: WorldOptions = {}): Promise<World> {
  const {
    types,
    components = {},
    plugins = {},
    database,
    lifecycles = {},
    afterEvents = 'commit',
    beside = [],
  } = options
  const emitted: [string, Bag][] = []
  const listens = new Set<string>()
  const strapi: Bag = {
    getModel: (uid: string) => (lifecycles[uid] ? { lifecycles: lifecycles[uid] } : undefined),
    eventHub: {
      emit: async (event: string, data: Bag) => void emitted.push([event, data]),
      hears: (event: string) => listens.has(event),
    },
    plugin: () => undefined,
  }
  const runtime = {
    strapi,
    project: { apis: new Map(), plugins: new Map() },
    settings: { afterEvents },
  } as unknown as Runtime
  const data = createData(runtime)
  let host!: Host
  const parts = data.partsOf()
  const layer = definePlugin({
    name: 'layer',
    ...(parts as object),
    register: given => {
      host = given as unknown as Host
      return {}
    },
  })
  const app = await createTestApp({
    types: types ?? defaultTypes,
    components: { ...defaultComponents, ...components },
    plugins: [layer, ...beside],
    config: {
      plugins: Object.fromEntries(Object.entries(plugins).map(([name, config]) => [name, { enabled: true, config }])),
      api: { rest: { public: true, dialect: 'strapi4' } },
      ...(database && { database }),
    } as Loose,
  })
  const opened = data.open(host)
  Object.assign(strapi, { db: opened.db, entityService: opened.entityService })
  return {
    ...opened,
    host,
    emitted,
    listens,
    hasEvents: data.hasEvents,
    close: () => app.close(),
    rows: async sql => (await host.store.reader.all(sql, [])).map(row => row.map(numeric)),
    inject: app.inject,
  }
}

/** Drivers give wide numbers as texts. */
const numeric = (value: unknown): unknown => (/^\d+$/.test(String(value)) ? Number(value) : value)

export const defaultComponents: Types = {
  'c.part': {
    attributes: {
      label: { type: 'string', required: true },
      weight: { type: 'integer' },
      tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
    },
  },
  'c.box': { attributes: { size: { type: 'integer' }, inner: { type: 'component', component: 'c.part' } } },
}

export const defaultTypes: Types = {
  tag: {
    attributes: {
      name: { type: 'string', required: true },
      rank: { type: 'integer' },
      items: { type: 'relation', relation: 'manyToMany', target: 'api::item.item', mappedBy: 'tags' },
      mains: { type: 'relation', relation: 'oneToMany', target: 'api::item.item', mappedBy: 'main' },
    },
  },
  item: {
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string', required: true, minLength: 2 },
      slug: { type: 'string', unique: true },
      count: { type: 'integer', min: 0 },
      price: { type: 'decimal' },
      big: { type: 'biginteger' },
      open: { type: 'boolean', default: true },
      kind: { type: 'enumeration', enum: ['a', 'b'] },
      day: { type: 'date' },
      at: { type: 'datetime' },
      time: { type: 'time' },
      data: { type: 'json' },
      secret: { type: 'password' },
      hidden: { type: 'string', private: true },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'items' },
      main: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag', inversedBy: 'mains' },
      part: { type: 'component', component: 'c.part' },
      boxes: { type: 'component', component: 'c.box', repeatable: true },
      zone: { type: 'dynamiczone', components: ['c.part', 'c.box'] },
    },
  },
}
