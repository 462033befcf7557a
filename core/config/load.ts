import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BootError } from '../errors.js'
import { readApi } from './api.js'
import { problemsOf } from './check.js'
import { readDatabase } from './database.js'
import { readEnvironment } from './dotenv.js'
import { readFiles } from './files.js'
import { foreignOf } from './foreign.js'
import { freeze } from './freeze.js'
import { merge } from './merge.js'
import { readPlugins } from './plugins.js'
import { projectOf } from './project.js'
import { readServer } from './server.js'
import type { Config, DeepPartial, Section } from './types.js'
import { variablesOf } from './variables.js'

export interface LoadOptions {
  /** Where variables come from; process.env itself also receives what `.env` adds to it. */
  readonly env?: NodeJS.ProcessEnv
  /** Said over everything else: command line options, tests. */
  readonly overrides?: DeepPartial<Config>
  /** Reads no files at all: defaults, variables and overrides make the whole of it. */
  readonly bare?: boolean
}

/** The settings of an app, complete, checked and frozen: config/, config/env/<NODE_ENV>/, `.env`, the environment. */
export async function loadConfig(
  appDir: string,
  { env, overrides = {}, bare = false }: LoadOptions = {},
): Promise<Config> {
  const folder = resolve(appDir)
  await mustBeFolder(folder)
  const environment = bare ? { ...env } : await readEnvironment(folder, env ?? { ...process.env })
  const name = overrides.environment ?? (environment.NODE_ENV || 'development')
  const files: Awaited<ReturnType<typeof readFiles>> = bare ? new Map() : await readFiles(folder, name, environment)
  const project = overrides.project ?? (bare ? 'stele' : await projectOf(folder))
  const problems = problemsOf(files, merge({}, overrides), project)
  if (problems.length > 0) throw new BootError(problems.join('\n'))

  const variable = variablesOf(environment)
  const said = (file: string) => files.get(file)?.value
  const level = (said('log') as Section | undefined)?.level
  const config = {
    appDir: folder,
    project,
    environment: name,
    server: readServer(merge(said('server'), overrides.server), variable),
    database: readDatabase(folder, files.get('database'), overrides.database, variable, project),
    api: readApi(said('api'), overrides.api, variable),
    plugins: readPlugins(said('plugins'), overrides.plugins),
    permissions: merge(said('permissions'), overrides.permissions),
    log: { level: overrides.log?.level ?? level ?? variable('LOG_LEVEL') ?? 'info' },
    foreign: merge(foreignOf(files), overrides.foreign),
  }
  return freeze(merge({}, config) as Config)
}

async function mustBeFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory())
    throw new BootError(`There is no app folder ${folder}: --app names it, and stele init makes a new one`)
}
