import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../../core/index.js'
import { env } from '../packages/utils/env.js'
import type { Bag, ConfigTree, Failure } from '../types.js'
import { failureOf } from './failure.js'
import { filesIn } from './folders.js'
import type { Language } from './language.js'
import { load } from './modules.js'
import { getAt, hasAt, mergeOver, setAt } from './paths.js'

/** Every file of `config/`, with those of the environment merged over them, over what Strapi begins with. */
export function readConfig(config: Config, language: Language, fail: (failure: Failure) => void): Bag {
  const { appDir, environment } = config
  const folder = path.join(appDir, 'config')
  const files = mergeOver(
    filesOf(folder, { appDir, language, fail }),
    filesOf(path.join(folder, 'env', environment), { appDir, language, fail }),
  )
  // Settings of plugins are under `plugin.<name>`, where their default ones are merged in.
  const { plugins: _, ...others } = files
  return { ...mergeOver(usual(config), others), plugin: {} }
}

interface Reading {
  readonly appDir: string
  readonly language: Language
  readonly fail: (failure: Failure) => void
}

function filesOf(folder: string, { appDir, language, fail }: Reading): Bag {
  const found: Bag = {}
  const extensions = [...language.extensions, '.json']
  for (const { file } of filesIn(folder, { ...language, extensions })) {
    const extension = path.extname(file)
    try {
      const exported = extension === '.json' ? JSON.parse(readFileSync(file, 'utf8')) : load(file)
      found[path.basename(file, extension)] = typeof exported === 'function' ? exported({ env }) : exported
    } catch (error) {
      fail(failureOf(appDir, file, error))
    }
  }
  return found
}

function usual({ appDir, environment, server }: Config): Bag {
  const { strapi: ofStrapi = {}, ...about } = packageOf(appDir)
  return {
    launchedAt: Date.now(),
    serveAdminPanel: false,
    autoReload: false,
    environment,
    uuid: ofStrapi.uuid,
    packageJsonStrapi: ofStrapi,
    info: { ...about, node: process.version, strapi: dependency(about) },
    server: { host: server.host, port: server.port, proxy: false, cron: { enabled: false }, url: server.url ?? '' },
    admin: { url: '/admin', path: '/admin' },
    api: { rest: { prefix: '/api' } },
  }
}

const dependency = ({ dependencies = {} }: Bag): string =>
  String(dependencies['@strapi/strapi'] ?? '4').replace(/^[^\d]+/, '')

function packageOf(appDir: string): Bag {
  try {
    return JSON.parse(readFileSync(path.join(appDir, 'package.json'), 'utf8'))
  } catch {
    return {}
  }
}

/** The settings as code reads them: by path, and each file as a property. */
export function configTree(values: Bag): ConfigTree {
  const tree: ConfigTree = {
    ...values,
    get: (at, fallback) => getAt(values, at, fallback),
    has: at => hasAt(values, at),
    set(at, value) {
      setAt(values, at, value)
      for (const key of Object.keys(values)) if (!reserved.has(key)) tree[key] = values[key]
      return tree
    },
  }
  return tree
}

const reserved: ReadonlySet<string> = new Set(['get', 'set', 'has'])
