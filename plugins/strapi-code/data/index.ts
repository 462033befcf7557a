import { type Host, optional, type Session } from '../../../core/index.js'
import { deepPopulate } from '../../deep-populate/index.js'
import { withAbsent } from '../not-carried.js'
import type { Bag, Data, Fn, Loose, Runtime } from '../types.js'
import { Checks } from './checks.js'
import { Connection } from './connection.js'
import { EntityService } from './entity-service.js'
import { EntryWriter } from './entry-writer.js'
import { hooksOf } from './hooks.js'
import { Lifecycles } from './lifecycles.js'
import { Locales } from './locales.js'
import { localizeByCode } from './localize.js'
import { type Model, Models } from './models.js'
import type { OpenLayer } from './opened.js'
import { ParamsReader } from './params.js'
import { Query, type QueryParts } from './query.js'
import { Reader } from './reader.js'
import { refusing } from './refusing.js'
import { RowWriter } from './row-writer.js'
import { Scopes } from './scope.js'
import { Writing } from './sql.js'

/** The lock of what has to be unique. */
const uniqueValues = 'unique'

/** The database layer of one app's code: `strapi.db`, `strapi.entityService`, and the events of both. */
export function createData(runtime: Runtime): Data {
  const lifecycles = new Lifecycles(uid => lifecyclesOf(runtime, uid))
  let opened: OpenLayer | undefined
  return {
    open(host) {
      opened = open(host, runtime, lifecycles)
      return opened
    },
    hasEvents: (uid, action) => lifecycles.hears(uid, action) || runtime.strapi.eventHub.hears(`entry.${action}`),
    current: () => opened?.scopes.current,
    partsOf: () => ({
      shares: { locks: [uniqueValues] },
      // No code can hear of writes there, and none is looked at.
      ...(mayHear(runtime) && { hooks: hooksOf({ runtime, lifecycles, opened: () => opened }) }),
    }),
  }
}

function open(host: Host, runtime: Runtime, lifecycles: Lifecycles): OpenLayer {
  const { store } = host
  const models = new Models(host, runtime)
  const writing = new Writing(store)
  const reader = new Reader(models, writing)
  const rows = new RowWriter(models, writing)
  const entries = new EntryWriter(host.entries, rows)
  const locales = new Locales(host)
  // On SQLite one transaction writes at a time: a statement beside the one that code is in would wait for its end.
  const joined = () => (store.facts.oneWriter ? scopes.current?.session : undefined)
  const connection = new Connection({ store, joined })
  const scopes: Scopes = new Scopes(store, opened => connection.transacting(opened))
  const parts: QueryParts = {
    ...{ models, reader, rows, lifecycles, scopes },
    // The panel's users and what no type has are not the server's to write.
    sinkOf: ({ type, isComponent }: Model) => (type && !isComponent && type.uid !== 'admin::user' ? entries : rows),
    inFull: inFullBy(host),
    defaultLocale: () => locales.default,
  }
  const queries = new Map<string, Query>()
  const query = (uid: string): Query => {
    const known = queries.get(uid) ?? withAbsent('strapi.db.query(uid)', new Query(models.get(uid), parts))
    queries.set(uid, known)
    return known
  }
  const count = (uid: string, ids: readonly number[]) => query(uid).count({ where: { id: { $in: ids } } })
  const lock = (session: Session) => host.shares.lock(session, uniqueValues)
  const checks = new Checks({ store, models, reader, scopes, count, lock })
  const params = new ParamsReader(models)
  const entityService = withAbsent(
    'strapi.entityService',
    refusing(new EntityService({ host, runtime, models, lifecycles, scopes, params, checks, locales, query })),
  )
  const db = withAbsent('strapi.db', {
    query,
    connection: connection.knex,
    getConnection: (table?: string) => (table === undefined ? connection.knex : connection.knex(table)),
    transaction: (callback?: Fn) => scopes.transaction(callback),
    inTransaction: () => scopes.current !== undefined,
    lifecycles,
    entityManager: entityManagerOf(query),
    metadata: metadataOf(models),
    dialect: { client: store.engine },
    config: { connection: { client: store.engine } },
  })
  const opened = { host, db, entityService, models, scopes, reader }
  locales.makeBy(asked => {
    const isHeard = ['create', 'update', 'findOne'].some(action => lifecycles.hears(asked.type.uid, action))
    return isHeard || runtime.strapi.eventHub.hears('entry.create') ? localizeByCode(asked, opened) : undefined
  })
  return opened
}

/** In projects with the package for it, `deep` as the first of a list of paths stands for everything around an entry. */
function inFullBy(host: Host): QueryParts['inFull'] {
  const deep = host.service(optional(deepPopulate))
  return ({ type, links }, populate) =>
    deep && type && Array.isArray(populate) && populate[0] === 'deep' && !links.has('deep')
      ? deep.ofCode(type, populate)
      : populate
}

/** `strapi.db.metadata`: a map of models. */
function metadataOf(models: Models): Bag {
  const all = () => models.keys().map(uid => [uid, models.get(uid).meta] as const)
  return {
    get(uid: string) {
      if (!models.has(uid)) throw new Error(`Metadata for "${uid}" not found`)
      return models.get(uid).meta
    },
    has: (uid: string) => models.has(uid),
    keys: () => models.keys()[Symbol.iterator](),
    values: () =>
      all()
        .map(([, meta]) => meta)
        [Symbol.iterator](),
    entries: () => all()[Symbol.iterator](),
    forEach: (work: Fn) => {
      for (const [uid, meta] of all()) work(meta, uid)
    },
    [Symbol.iterator]: () => all()[Symbol.iterator](),
    get size() {
      return models.keys().length
    },
  }
}

/** The same methods with the uid in front. */
function entityManagerOf(query: (uid: string) => Query): Bag {
  const names = [
    ...['findOne', 'findMany', 'findWithCount', 'findPage', 'count', 'create', 'createMany', 'update', 'updateMany'],
    ...['delete', 'deleteMany', 'load', 'loadPages'],
  ] as const
  return Object.fromEntries(
    names.map(name => [name, (uid: string, ...given: Loose[]) => (query(uid) as Bag)[name](...given)]),
  )
}

/** True where anything in the code of a project can hear of writes: what packages do is not known. */
function mayHear({ project, mentions }: Runtime & { readonly mentions?: ReadonlySet<string> }): boolean {
  if (!mentions || mentions.has('subscribe') || mentions.has('eventHub')) return true
  const types = [...project.apis.values()].flatMap(({ contentTypes }) => [...contentTypes.values()])
  if (types.some(({ lifecycles }) => lifecycles !== undefined)) return true
  return [...project.plugins.values()].some(
    ({ from, server }) =>
      from === 'installed' || Object.values(Object(server.contentTypes) as Bag).some(type => type?.lifecycles),
  )
}

/** The functions of a type's lifecycles file. */
function lifecyclesOf({ strapi, project }: Pick<Runtime, 'strapi' | 'project'>, uid: string): Bag | undefined {
  const model = strapi.getModel(uid)
  if (model?.lifecycles) return model.lifecycles
  for (const { contentTypes } of project.apis.values())
    for (const type of contentTypes.values()) if (type.uid === uid) return type.lifecycles as Bag | undefined
  const [, plugin, name] = /^plugin::([^.]+)\.(.+)$/.exec(uid) ?? []
  return plugin === undefined || name === undefined
    ? undefined
    : project.plugins.get(plugin)?.server.contentTypes?.[name]?.lifecycles
}
