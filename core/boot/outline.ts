import { chooseDialect, type Dialect, type DialectName, looseFlags } from '../dialect.js'
import { counted } from '../kit/counted.js'
import type { Log } from '../log.js'
import { arrangePlugins, type EnabledPlugin, type RawPlugin, usualSettings } from '../plugin/arrange.js'
import { furtherParts } from '../plugin/checks/further-parts.js'
import { listedInMeta, schemaWords } from '../plugin/find.js'
import { withPartsForApp } from '../plugin/for-app.js'
import { loadDefinitions } from '../schema/load.js'
import type { Definition } from '../schema/types.js'
import { readTypes } from './app-types.js'
import { projectOf } from './load-config.js'
import type { BootOptions, Outline } from './start.js'

/** Reads what the app consists of; opens nothing. */
export async function outline(options: BootOptions): Promise<Outline> {
  const { config, log, plugins: offered, unmentioned, wings, purpose = 'serve' } = options
  const { rest } = config.api
  const dialectName = rest.dialect ?? (config.project === 'stele' ? 'spec' : config.project)
  const dialect = chooseDialect(dialectName, rest.flags)
  const said = [...(await schemaWords()), ...offered.map(({ plugin }) => plugin)]
  const further = furtherParts(said)
  const arranged = arrangePlugins(
    offered.filter(({ enabled }) => enabled),
    dialectName,
    further,
  )
  for (const notice of config.notices) log.warn(notice)
  const files = options.definitions ?? loadDefinitions(config.appDir)
  const about = { app: config, dialect, dialectName, definitions: files, purpose, log }
  const { plugins, read } = options.asDeclared
    ? { plugins: arranged, read: (all: readonly Definition[]) => all }
    : await withPartsForApp(arranged, about, further)
  const definitions = read(files)
  announce(dialect, dialectName, plugins, log)
  const project = projectOf(config, wings.foreign.projects)
  const hasFiles = options.definitions === undefined
  const found = await readTypes({ config, plugins, offered, unmentioned, definitions, hasFiles, dialect, project, log })
  const off = async () =>
    [...offered.filter(({ enabled }) => !enabled), ...((await unmentioned?.()) ?? [])].map(
      ({ plugin }) => plugin as RawPlugin,
    )
  return { dialectName, dialect, plugins, read, ...found, listedInMeta: await listedInMeta(), off }
}

/** One line, as there are many flags and settings: at the level debug each is named with its value. */
function announce(dialect: Dialect, name: DialectName, plugins: readonly EnabledPlugin[], log: Log): void {
  const flags = looseFlags(dialect)
  const settings = plugins.flatMap(({ spec, config }) =>
    Object.entries(usualSettings(spec, name))
      .filter(([setting, value]) => config[setting] === value)
      .map(([setting, value]) => ({ plugin: spec.name, setting, value })),
  )
  const differs =
    flags.length + settings.length === 0
      ? ''
      : `, which differs from spec in ${counted(flags.length, 'flag')} and ${counted(settings.length, 'setting')} of plugins: LOG_LEVEL=debug lists them, the README explains them under "The two dialects"`
  log.info(
    { dialect: name, ...(flags.length > 0 && { flags: flags.join(' ') }) },
    `responses follow the dialect ${name}${differs}`,
  )
  for (const flag of flags) log.debug({ flag, value: dialect[flag as keyof Dialect] }, `the dialect sets ${flag}`)
  for (const { plugin, setting, value } of settings)
    log.debug({ plugin, setting, value }, `the dialect sets ${setting} of ${plugin}`)
}
