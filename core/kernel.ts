import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import { actionsOf, dormantActions } from './boot/actions.js'
import { readTypes } from './boot/app-types.js'
import { arrangePlugins, type EnabledPlugin, hooksFor } from './boot/arrange.js'
import { connect, mustExist } from './boot/connect.js'
import { contentParts } from './boot/content-parts.js'
import { refresher, register, stop, unwind } from './boot/services.js'
import { webOf } from './boot/web.js'
import type { Config } from './config/types.js'
import { Content } from './content/content.js'
import { chooseDialect, type Dialect, type DialectName, looseFlags } from './dialect.js'
import { type Caller, type FoldedHooks, foldHooks } from './hooks.js'
import type { Route } from './http/routes.js'
import type { Log } from './log.js'
import type { AnyPlugin } from './plugin.js'
import type { Check, Command, CommandCall, Finding, Host } from './plugin-parts.js'
import type { Registry } from './schema/registry.js'
import type { Definition } from './schema/types.js'
import { adoptTypes } from './store/adopt.js'
import type { Store } from './store/engine.js'
import { entriesOf, noEntriesYet } from './store/entries.js'
import { FirstWrite } from './store/first-write.js'
import { wantedTables } from './store/layout.js'
import { buildModels } from './store/models.js'
import { storedSettings } from './store/settings.js'
import { runOnce } from './store/steps.js'
import { transact } from './store/transaction.js'
import { prepareTurns } from './store/turn.js'
import { wishesOf } from './store/wishes.js'
import { type TransferHost, transferPlugins } from './transfer/host.js'

/** A plugin that the app could turn on, and whether it did. */
export interface OfferedPlugin {
  readonly plugin: AnyPlugin
  readonly enabled: boolean
  readonly config: Readonly<Record<string, unknown>>
  /** Why it is on or off, and where it was found if it does not come with the server; told to people. */
  readonly why?: string
  readonly from?: string
}

export interface BootOptions {
  readonly config: Config
  readonly log: Log
  readonly plugins: readonly OfferedPlugin[]
  /** Plugins that nobody spoke of: looked at only where a type has something that no plugin which is on knows. */
  readonly unmentioned?: () => Promise<readonly OfferedPlugin[]>
  /** Content types in place of those in the app's folder. */
  readonly definitions?: readonly Definition[]
  /** What plugins are told that it is for; to serve unless told otherwise. */
  readonly purpose?: Host['purpose']
  /** How many processes serve the app together; one unless told otherwise. */
  readonly processes?: number
}

/** A plugin's command, with its service. */
export interface AppCommand extends Omit<Command, 'run'> {
  readonly run: (call: CommandCall) => unknown
}

/** A plugin's check, with its service. */
export interface AppCheck extends Omit<Check, 'run'> {
  readonly plugin: string
  readonly run: (report: (finding: Finding) => void) => void | Promise<void>
}

/** A running app. */
export interface App {
  readonly config: Config
  readonly log: Log
  readonly types: Registry
  readonly routes: readonly Route[]
  /** What plugins add to the command line. */
  readonly commands: readonly AppCommand[]
  /** What plugins add to `stele doctor`. */
  readonly checks: readonly AppCheck[]
  readonly store: Store
  readonly content: Content
  readonly koa: Koa
  readonly entries: Host['entries']
  /** What archives of the whole content are made of. */
  readonly transfer: TransferHost
  /** Who asks without credentials. */
  visitor(): Promise<Caller>
  /** Accepts requests; resolves to the address. */
  listen(): Promise<AddressInfo>
  /** Finishes what runs, then lets go of everything. */
  close(): Promise<void>
}

/** What an app consists of: known before anything is opened or runs. */
export interface Outline {
  readonly dialectName: DialectName
  readonly dialect: Dialect
  readonly plugins: readonly EnabledPlugin[]
  readonly registry: Registry
}

export async function outline(options: Omit<BootOptions, 'purpose'>): Promise<Outline> {
  const { config, log, plugins: offered, unmentioned, definitions } = options
  const { rest } = config.api
  const dialectName = rest.dialect ?? (config.project === 'strapi4' ? 'strapi4' : 'spec')
  const dialect = chooseDialect(dialectName, rest.flags)
  const plugins = arrangePlugins(
    offered.filter(({ enabled }) => enabled),
    dialectName,
  )
  announce(dialect, dialectName, plugins, log)
  const registry = await readTypes({ config, plugins, offered, unmentioned, definitions, dialect, log })
  return { dialectName, dialect, plugins, registry }
}

/** From settings to a server that can listen, top to bottom. */
export async function boot(options: BootOptions): Promise<App> {
  const { config, log, plugins: offered, unmentioned, purpose = 'serve', processes = 1 } = options
  const outlined = await outline(options)
  const { dialect, plugins, registry } = outlined

  if (purpose === 'look') mustExist(config)
  const raw = await connect(config, log)
  const undo: (() => unknown)[] = [() => raw.close()]
  try {
    const models = buildModels(registry, raw.knex)
    const tables = wantedTables(registry, raw, dialect)
    const first = await FirstWrite.to(raw, wishesOf(outlined, raw), log, purpose === 'look')
    const { engine } = first

    const services = new Map<string, unknown>()
    const hooks = new Map<string, FoldedHooks>()
    const content = new Content(contentParts({ ...outlined, config, engine, models, hooks, log }))
    const store: Store = {
      engine: engine.name,
      knex: engine.knex,
      model: uid => models.get(uid) as never,
      reader: engine.reader,
      encode: (as, value) => engine.encode(as, value),
      decode: (as, value) => engine.decode(as, value),
      transaction: work => transact(engine, work),
    }
    const entries: Host['entries'] = (uid, session) => {
      const type = registry.get(uid)
      const isAbsent = first.isAbsent(type.table) && !session?.afterCommit
      return isAbsent ? noEntriesYet(type, content.plain) : entriesOf(type, content.plain, session)
    }
    const actions = actionsOf(registry, plugins)
    const others = config.permissions !== undefined && unmentioned ? await unmentioned() : []
    const asleep = dormantActions(registry, [...offered, ...others], actions)
    for (const { spec, config: settings } of plugins) {
      const service = await register(spec, {
        config: settings,
        app: config,
        log: log.child({ plugin: spec.name }),
        types: registry,
        actions,
        dormantActions: asleep,
        purpose,
        processes,
        store,
        entries,
        stored: storedSettings(engine, spec.name, spec.stored ?? {}),
        forgetPlans: () => content.forget(),
        service: plugin => services.get((plugin as { name: string }).name) as never,
        serviceIfOn: plugin => services.get((plugin as { name: string }).name) as never,
      })
      services.set(spec.name, service)
      undo.push(() => stop(spec, service))
    }
    for (const type of registry.types.values()) hooks.set(type.uid, foldHooks(hooksFor(type, plugins, services)))
    await first.precede(() => prepareTurns(raw, registry))
    await first.precede(() => runOnce(raw, plugins, services, log))
    await first.precede(() => adoptTypes(raw, plugins, registry, services, log))
    const kept = refresher(plugins, services, engine, first)
    await kept.now()

    const web = webOf({ ...outlined, config, engine, content, services, actions: [...actions, ...asleep], kept, log })
    const commands = plugins.flatMap(({ spec }) =>
      (spec.commands ?? []).map(command => ({
        ...command,
        run: (call: CommandCall) => command.run(call, services.get(spec.name)),
      })),
    )
    const checks = plugins.flatMap(({ spec }) =>
      (spec.checks ?? []).map(
        ({ name, describe, run }): AppCheck => ({
          ...{ plugin: spec.name, name, describe },
          run: report => run(services.get(spec.name), report),
        }),
      ),
    )
    const transfer = { engine, types: registry, tables, plugins: transferPlugins(plugins, services) }
    let closing: Promise<void> | undefined
    const close = async () => {
      await web.close()
      await unwind(undo)
    }
    return {
      ...{ config, log, types: registry, commands, checks, store, content, entries, transfer, ...web },
      close: () => {
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    await unwind(undo).catch(reason => log.error({ err: reason }, 'could not stop in order'))
    throw error
  }
}

function announce(dialect: Dialect, name: DialectName, plugins: readonly EnabledPlugin[], log: Log): void {
  log.info({ dialect: name }, `answers follow the ${name} dialect`)
  for (const flag of looseFlags(dialect)) log.info({ flag }, `the dialect differs from the specification in ${flag}`)
  for (const { spec, config } of plugins)
    for (const [setting, value] of Object.entries(spec.dialects?.[name] ?? {}))
      if (config[setting] === value)
        log.info({ plugin: spec.name, setting, value }, `the dialect sets ${setting} of ${spec.name} to ${value}`)
}
