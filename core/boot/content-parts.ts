import type { Config } from '../config/types.js'
import type { ContentParts } from '../content/parts.js'
import { Retries } from '../content/retries.js'
import type { Dialect } from '../dialect.js'
import { BootError } from '../errors.js'
import type { FoldedHooks } from '../hooks.js'
import type { Log } from '../log.js'
import type { Format } from '../plugin-parts.js'
import type { Param } from '../query/params.js'
import type { Registry } from '../schema/registry.js'
import type { Engine } from '../store/engine.js'
import type { Models } from '../store/models.js'
import { Planner } from '../store/plan.js'
import { Receipts } from '../store/receipts.js'
import { Writer } from '../write/writer.js'
import { appliesTo, type EnabledPlugin } from './arrange.js'
import { formatsOf } from './formats.js'

/** What the content service stands on, and who made it. */
interface Ground {
  readonly config: Config
  readonly registry: Registry
  readonly engine: Engine
  readonly models: Models
  readonly dialect: Dialect
  readonly plugins: readonly EnabledPlugin[]
  /** The hooks of each type, as far as they are bound by now. */
  readonly hooks: ReadonlyMap<string, FoldedHooks>
  readonly log: Log
}

export function contentParts(ground: Ground): ContentParts {
  const { config, registry, engine, models, dialect, plugins, hooks, log } = ground
  const { rest } = config.api
  const formats = formatsOf(plugins)
  const params = new Map<string, ReadonlyMap<string, Param>>()
  const chosen = new Map<string, Format | undefined>()
  for (const type of registry.types.values()) {
    const known = plugins.flatMap(({ spec, config }) => {
      const applies = spec.params && appliesTo(spec, config, type)
      return Object.entries(spec.params ?? {}).filter(([, { everywhere }]) => applies || everywhere)
    })
    params.set(type.uid, new Map(known))
    const name = type.options.format ?? rest.format
    if (name !== undefined && !formats.has(name))
      throw new BootError(
        `${type.options.format ? type.source : 'config/api: rest'}: there is no format "${name}"; there are ${[...formats.keys()].join(', ') || 'none'}`,
      )
    chosen.set(type.uid, name === undefined ? undefined : formats.get(name))
  }
  const none: FoldedHooks = {}
  const noParams = new Map<string, Param>()
  const maxLimit = rest.maxLimit === undefined ? dialect.defaultMaxLimit : rest.maxLimit
  return {
    registry,
    engine,
    dialect,
    log,
    planner: new Planner(engine, models, dialect),
    writer: new Writer(engine, registry, dialect),
    hooks: ({ uid }) => hooks.get(uid) ?? none,
    params: ({ uid }) => params.get(uid) ?? noParams,
    format: ({ uid }) => chosen.get(uid),
    paging: { defaultLimit: rest.defaultLimit, maxLimit, withCount: rest.withCount },
    limits: rest.limits,
    maxParameters: rest.maxParameters,
    statementTimeout: config.database.statementTimeout,
    keptAnswers: rest.keptAnswers * 2 ** 20,
    retries: new Retries(engine, new Receipts(engine, config.server.idempotency, log)),
  }
}
