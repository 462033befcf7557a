import type { Config } from '../config/types.js'
import type { FoldedHooks } from '../content/hooks/hooks.js'
import { byType, type ContentParts } from '../content/parts.js'
import type { Dialect } from '../dialect.js'
import type { Engine } from '../engines/engine.js'
import { BootError } from '../errors.js'
import { Receipts } from '../idempotency/receipts.js'
import { Retries } from '../idempotency/retries.js'
import type { ForeignLayout } from '../layout/foreign.js'
import type { UnindexedFields } from '../layout/unindexed.js'
import type { Log } from '../log.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import { appliesTo } from '../plugin/declared.js'
import type { Services } from '../plugin/services.js'
import { immediate } from '../query/ask.js'
import type { Param } from '../query/params.js'
import type { Registry } from '../schema/registry.js'
import type { Models } from '../sql/models.js'
import { Planner } from '../sql/plan.js'
import { Writer } from '../write/writer.js'
import { cachingOf } from './caching.js'
import { formatsOf, servedFormats } from './formats.js'

/** All that the content service is made of. */
interface ContentInputs {
  readonly config: Config
  readonly registry: Registry
  readonly engine: Engine
  readonly models: Models
  readonly dialect: Dialect
  readonly plugins: readonly EnabledPlugin[]
  /** Names that built-in plugins list in the meta of entries, enabled or disabled. */
  readonly listedInMeta: readonly string[]
  /** The hooks of each type, as far as they are bound by now. */
  readonly hooks: ReadonlyMap<string, FoldedHooks>
  readonly unindexed: UnindexedFields
  readonly services: Services
  readonly log: Log
  readonly foreign: ForeignLayout
  /** Milliseconds since 1970. */
  readonly time: () => number
}

export function contentParts(ground: ContentInputs): ContentParts {
  const {
    config,
    registry,
    engine,
    models,
    dialect,
    plugins,
    listedInMeta,
    hooks,
    unindexed,
    log,
    time,
    services,
    foreign,
  } = ground
  const { rest } = config.api
  const formats = formatsOf(plugins)
  const params = new Map<string, ReadonlyMap<string, Param>>()
  for (const type of registry.types.values()) {
    const known = plugins.flatMap(({ spec, config }) => {
      const applies = spec.params && appliesTo(spec, config, type)
      return Object.entries(spec.params ?? {})
        .filter(([, { everywhere }]) => applies || everywhere)
        .map(([name, param]) => [name, readAtOnce(param, `plugin ${spec.name}, params.${name}`)] as const)
    })
    params.set(type.uid, new Map(known))
    const name = type.options.format ?? rest.format
    if (name !== undefined && !formats.has(name))
      throw new BootError(
        `${type.options.format ? type.source : 'config/api: rest'}: there is no format "${name}"; there are ${[...formats.keys()].join(', ') || 'none'}`,
      )
  }
  const served = servedFormats(plugins)
  const emptyMeta = dialect.entryMeta ? Object.fromEntries(listedInMeta.map(name => [name, []])) : undefined
  const maxLimit = rest.maxLimit === undefined ? dialect.defaultMaxLimit : rest.maxLimit
  return {
    registry,
    engine,
    dialect,
    log,
    emptyMeta,
    planner: new Planner(engine, models, dialect, emptyMeta && JSON.stringify(emptyMeta)),
    writer: new Writer(engine, registry, dialect, unindexed),
    hooks: byType(hooks, {}),
    params: byType(params, new Map<string, Param>()),
    format: (type, action, wanted) =>
      formats.get(type.options.format ?? wanted ?? served(type, action) ?? rest.format ?? ''),
    paging: { defaultLimit: rest.defaultLimit, maxLimit, withCount: rest.withCount },
    limits: rest.limits,
    maxWrites: rest.limits.writes,
    maxParameters: rest.maxParameters,
    statementTimeout: config.database.statementTimeout,
    // A compressed copy that is stored beside a response is never longer than the response.
    responseCache: (rest.responseCache * 2 ** 20) / (config.server.compression ? 2 : 1),
    time,
    caching: cachingOf(plugins, services),
    retries: new Retries(engine, new Receipts(engine, config.server.idempotency, log, foreign)),
  }
}

const readAtOnce = (param: Param, whose: string): Param => ({
  ...param,
  read: (raw, at) => immediate(param.read(raw, at), whose),
})
