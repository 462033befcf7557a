import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readApi } from '../config/api.js'
import { problemsOf } from '../config/check.js'
import { leftAside, readDatabase } from '../config/database.js'
import { readEnvironment } from '../config/dotenv.js'
import { type ConfigFile, misspeltIn, readFiles } from '../config/files.js'
import { foreignOf } from '../config/foreign.js'
import { freeze, merge, type Section } from '../config/merge.js'
import { readPlugins } from '../config/plugins.js'
import { readServer } from '../config/server.js'
import { type Project, readRows } from '../config/setting.js'
import { log } from '../config/settings.js'
import { tolerate } from '../config/tolerate.js'
import type { Config, Overrides } from '../config/types.js'
import { type Environment, variableOf } from '../config/variable.js'
import { BootError } from '../errors.js'
import { builtInPlugins, namedPlugins, prepareSettings } from '../plugin/find.js'
import type { ForeignProject } from '../plugin/foreign.js'
import type { OfferedPlugin } from '../plugin/plugin.js'

export interface LoadOptions {
  /** The source of variables; process.env itself also receives those that `.env` adds. */
  readonly env?: NodeJS.ProcessEnv
  /** Merged over everything else, in the shape of the files: command line options, tests. */
  readonly overrides?: Overrides
  /** Reads no files at all: defaults, variables and overrides make the whole of it. */
  readonly bare?: boolean
  /** Reads files again that were read before in this process. */
  readonly again?: boolean
  /** Other servers whose folders are opened as well; without them every folder is one of this server. */
  readonly projects?: readonly ForeignProject[]
}

/** The settings of an app, complete, checked and frozen: config/, config/env/<NODE_ENV>/, `.env`, the environment. */
export async function loadConfig(
  appDir: string,
  { env, overrides = {}, bare = false, again = false, projects = [] }: LoadOptions = {},
): Promise<Config> {
  const folder = resolve(appDir)
  await mustBeFolder(folder)
  const environment = bare ? { ...env } : await readEnvironment(folder, env ?? { ...process.env })
  const name = overrides.environment ?? (environment.NODE_ENV || 'development')
  const project: Project = (bare ? undefined : await detect(folder, projects))?.kind ?? 'stele'
  const doubled: string[] = []
  const pick = project === 'stele' ? undefined : (notice: string) => void doubled.push(notice)
  if (project !== 'stele') await prepareSettings(folder)
  const found = bare ? new Map() : await readFiles(folder, name, { environment, again, pick })
  // Settings that another server starts with are no reason to stop.
  const foreign = projectOf({ project }, projects)
  const { files, notices } = foreign ? tolerate(codeSpelledOut(found, foreign)) : { files: found, notices: [] }
  const problems = problemsOf(files, merge({}, overrides), project)
  if (problems.length > 0) throw new BootError(problems.join('\n'))

  const around = { variables: environment, environment: name, project }
  const said = (file: string) => files.get(file)?.value
  const older = foreign?.server(files)
  const database = readDatabase(folder, files.get('database'), overrides.database, around)
  const config = {
    appDir: folder,
    project,
    environment: name,
    server: readServer(merge(merge(older, said('server')), overrides.server), around),
    database,
    api: readApi(said('api'), overrides.api, around),
    plugins: readPlugins(said('plugins'), merge(overrides.plugins, ofCode(foreign, environment))),
    permissions: merge(said('permissions'), overrides.permissions),
    webhooks: merge(said('webhooks'), overrides.webhooks),
    console: merge(said('console'), overrides.console),
    log: readRows(log, merge(said('log'), overrides.log), around),
    foreign: merge(foreignOf(files), overrides.foreign),
    notices: [...doubled, ...notices, ...misspeltIn(files), ...leftAside(folder, database, around)],
  }
  return freeze(merge({}, config) as Config)
}

/** The settings that a variable gives the plugin for the code of another server's folder, over all others. */
function ofCode(foreign: ForeignProject | undefined, environment: Environment): Section {
  if (!foreign) return {}
  const { plugin, variable, values } = foreign.code
  const said = variableOf(environment, variable) ?? ''
  if (said === '') return {}
  // A word that is not known must not run what it was to switch off.
  if (!Object.hasOwn(values, said))
    throw new BootError(`${variable} is ${JSON.stringify(said)}; expected one of ${Object.keys(values).join(', ')}`)
  return { [plugin]: values[said] }
}

/** The files, with the words of that variable in `config/plugins` spelled out: `'<plugin>': 'ignore'`. */
function codeSpelledOut(
  files: ReadonlyMap<string, ConfigFile>,
  { code: { plugin, values } }: ForeignProject,
): ReadonlyMap<string, ConfigFile> {
  const file = files.get('plugins')
  const said = (file?.value as Section | undefined)?.[plugin]
  if (!file || typeof said !== 'string' || !Object.hasOwn(values, said)) return files
  return new Map(files).set('plugins', { ...file, value: { ...(file.value as Section), [plugin]: values[said] } })
}

async function mustBeFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory())
    throw new BootError(`There is no app folder ${folder}: --app names it, and stele init makes a new one`, {
      kind: 'usage',
    })
}

/** The other server whose app folder this is, if it is not one of this server. */
async function detect(appDir: string, projects: readonly ForeignProject[]): Promise<ForeignProject | undefined> {
  for (const project of projects) if (await project.detect(appDir)) return project
  return undefined
}

/** The other server whose app folder has been opened. */
export const projectOf = (
  { project }: Pick<Config, 'project'>,
  projects: readonly ForeignProject[],
): ForeignProject | undefined => projects.find(({ kind }) => kind === project)

/** The plugins that an app speaks of: it names them, or they are standard in a folder of its kind. */
export async function findPlugins(config: Config, projects: readonly ForeignProject[] = []): Promise<OfferedPlugin[]> {
  const project = projectOf(config, projects)
  return project ? project.offered(config, await builtInPlugins()) : namedPlugins(config)
}

/** The plugins that come with the server and that `config/plugins` does not mention: disabled, and known by their declarations. */
export async function unmentionedPlugins({ project, plugins }: Config): Promise<OfferedPlugin[]> {
  // The plugins in the folder of another server are all enabled or disabled for a reason.
  if (project !== 'stele') return []
  const unmentioned = await builtInPlugins(name => !Object.hasOwn(plugins, name))
  return unmentioned.map(plugin => ({ plugin, enabled: false, config: {}, why: 'config/plugins does not name it' }))
}
