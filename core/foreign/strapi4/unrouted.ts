import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Definition } from '../../schema/types.js'
import { isFactoryMade } from './code.js'

/**
 * Types of the project for which no file makes a router: Strapi 4 answers their paths with 404. A file that does more than
 * make one may make others, so that the types of its API are left as they are, and so is a type that any other code names.
 */
export async function unroutedIn(appDir: string, definitions: readonly Definition[]): Promise<ReadonlySet<string>> {
  const apis = await routeFiles(appDir)
  const others = await Promise.all(['src/index.js', 'src/index.ts'].map(file => textOf(path.join(appDir, file))))
  const all = [...[...apis.values()].flat(), ...others]
  const isUnrouted = ({ uid, source }: Definition): boolean => {
    const [, api] = /^src\/api\/([^/]+)\//.exec(source) ?? []
    if (api === undefined || !uid.startsWith('api::')) return false
    return (apis.get(api) ?? []).every(isFactoryMade) && !all.some(text => text.includes(uid))
  }
  return new Set(definitions.filter(isUnrouted).map(({ uid }) => uid))
}

/** The texts of the files of routes, by the folder of their API. */
async function routeFiles(appDir: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const root = path.join(appDir, 'src/api')
  const apis = await readdir(root).catch(() => [])
  const texts = apis.map(async (api): Promise<[string, readonly string[]]> => {
    const folder = path.join(root, api, 'routes')
    const files = (await readdir(folder).catch(() => [])).filter(name => /(?<!\.d)\.[cm]?[jt]s$/.test(name))
    return [api, await Promise.all(files.map(name => textOf(path.join(folder, name))))]
  })
  return new Map(await Promise.all(texts))
}

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')
