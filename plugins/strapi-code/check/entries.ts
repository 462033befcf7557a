import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { AbsentPlugin, type FoundPlugin, findPlugins } from '../plugins/found.js'
import { isOurs } from '../plugins/ours/index.js'
import { isOfStrapi } from '../plugins/ours/others.js'
import { serverFile } from '../plugins/server.js'
import { fileNamed, filesIn, foldersIn } from '../project/folders.js'
import type { Language } from '../project/language.js'
import type { AppOfCheck } from './project.js'

/** The scripts that a start loads by their places, whatever names them: all others are loaded by one of these, or by none. */
export function entriesOf(app: AppOfCheck, language: Language): string[] {
  const { appDir, middlewares } = app
  const src = path.join(appDir, 'src')
  const config = path.join(appDir, 'config')
  const all = (...folders: string[]) => folders.flatMap(folder => filesIn(folder, language).map(({ file }) => file))
  const one = (folder: string, name: string) => [fileNamed(folder, name, language) ?? []].flat()
  return [
    ...one(src, 'index'),
    ...foldersIn(path.join(src, 'api')).flatMap(({ file: api }) => [
      ...one(api, 'index'),
      ...all(...parts.map(part => path.join(api, part))),
      ...foldersIn(path.join(api, 'content-types')).flatMap(({ file: type }) => {
        const schema = one(type, 'schema')
        const isType = schema.length > 0 || existsSync(path.join(type, 'schema.json'))
        return isType ? [...schema, ...one(type, 'lifecycles')] : []
      }),
    ]),
    ...all(path.join(src, 'policies'), path.join(src, 'middlewares')),
    ...foldersIn(path.join(src, 'extensions')).flatMap(({ file }) => one(file, 'strapi-server')),
    ...all(config, ...foldersIn(path.join(config, 'env')).map(({ file }) => file)),
    ...localPlugins(app).flatMap(({ folder }) => serverFile(folder, language) ?? []),
    ...namedMiddlewares(appDir, middlewares),
  ]
}

const parts = ['routes', 'controllers', 'services', 'policies', 'middlewares']

/** Plugins in folders of the project, as far as they are enabled. */
export function localPlugins({ appDir, plugins }: Pick<AppOfCheck, 'appDir' | 'plugins'>): FoundPlugin[] {
  const others = (name: string) => isOurs(name) || isOfStrapi(name)
  const found = Object.entries(plugins).flatMap(([name, entry]) => {
    try {
      return findPlugins({ appDir, plugins: { [name]: { config: {}, ...entry } } }, [], others)
    } catch (error) {
      if (error instanceof AbsentPlugin) return []
      throw error
    }
  })
  return found.filter(({ from, isEnabled }) => from === 'local' && isEnabled)
}

/** Middlewares that `config/middlewares` finds by a path. */
function namedMiddlewares(appDir: string, middlewares: unknown): string[] {
  return (Array.isArray(middlewares) ? middlewares : []).flatMap(entry => {
    const { resolve } = Object(entry) as { readonly resolve?: unknown }
    if (typeof resolve !== 'string') return []
    const place = path.resolve(appDir, resolve)
    return scriptsAt(place).find(isFile) ?? []
  })
}

/** The files that a path may mean, as the loader of modules tries them. */
export const scriptsAt = (place: string): string[] => [
  place,
  ...['.js', '.ts', '/index.js', '/index.ts'].map(end => place + end),
  place.replace(/\.js$/, '.ts'),
]

export const isFile = (place: string): boolean => existsSync(place) && statSync(place).isFile()
