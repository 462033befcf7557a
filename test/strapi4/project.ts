import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type InjectOptions, inject, type Response } from 'light-my-request'
import { inject as provided } from 'vitest'
import { findPlugins, loadConfig, unmentionedPlugins } from '../../core/boot/load-config.js'
import { type App, boot } from '../../core/kernel.js'
import { createLog, type Log } from '../../core/log.js'
import type { OfferedPlugin } from '../../core/plugin/plugin.js'
import { wings } from '../../core/wings.js'
import { fixture } from './fixture.js'

/** A project in a folder of its own, with the database that belongs to it. */
export interface ProjectFolder {
  readonly folder: string
  readonly database: string
  /** The database that it begins with. */
  readonly source: string
  remove(): void
}

export function copyProject(source = join(fixture, 'data.db')): ProjectFolder {
  const folder = mkdtempSync(join(provided('folder'), 'strapi4-'))
  cpSync(join(fixture, 'project'), folder, { recursive: true })
  cpSync(join(fixture, 'project/dot-env'), join(folder, '.env'))
  mkdirSync(join(folder, '.tmp'))
  const database = join(folder, '.tmp/data.db')
  cpSync(source, database)
  return { folder, database, source, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Brings files and database back to what they were; nothing may have them open. */
export function restoreProject({ folder, database, source }: ProjectFolder): void {
  for (const file of [`${database}-wal`, `${database}-shm`]) if (existsSync(file)) rmSync(file)
  cpSync(source, database)
  rmSync(join(folder, 'public'), { recursive: true })
  cpSync(join(fixture, 'project/public'), join(folder, 'public'), { recursive: true })
}

/** The files that the generator of Strapi writes for a type, by their paths in a project. */
export const generated = (uid: string, folder?: string): Readonly<Record<string, string>> => {
  const [, api = '', name = ''] = /^api::([^.]+)\.(.+)$/.exec(uid) ?? []
  const parts = { routes: 'createCoreRouter', controllers: 'createCoreController', services: 'createCoreService' }
  return Object.fromEntries(
    Object.entries(parts).map(([part, make]) => [
      `src/api/${folder ?? api}/${part}/${name}.js`,
      `module.exports = require('@strapi/strapi').factories.${make}('${uid}')\n`,
    ]),
  )
}

/** The variable with which nothing of a project's code runs, and the standard actions answer in its place. */
export const withoutCode = { STELE_STRAPI_CODE: 'ignore' }

export interface OpenProject {
  readonly app: App
  readonly offered: readonly OfferedPlugin[]
  send(options: InjectOptions): Promise<Response>
  /** With the token of the project that may do everything. */
  get(path: string): Promise<Response>
  close(): Promise<void>
}

type Variables = Readonly<Record<string, string>>

/** Opens a project in place, as `stele start --app` does. */
export async function openProject(
  { folder }: Pick<ProjectFolder, 'folder'>,
  variables: Variables = {},
  log: Log = createLog('silent'),
): Promise<OpenProject> {
  const config = await loadConfig(folder, {
    projects: wings.foreign.projects,
    env: { NODE_ENV: 'production', UP_RATELIMIT_OFF: '1', ...variables },
  })
  const offered = await findPlugins(config, wings.foreign.projects)
  const app = await boot({ wings, config, log, plugins: offered, unmentioned: () => unmentionedPlugins(config) })
  const handle = app.koa.callback()
  const send = (options: InjectOptions) => inject(handle as never, options) as unknown as Promise<Response>
  return {
    app,
    offered,
    send,
    get: path => send({ method: 'GET', url: path }),
    close: () => app.close(),
  }
}
