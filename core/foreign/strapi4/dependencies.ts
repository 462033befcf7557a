import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFolder } from '../../kit/packages.js'

/** A package that the project depends on, with its name in Strapi 4 if it is a plugin. */
export interface PluginPackage {
  readonly name: string
  readonly plugin?: string
  /** It is not installed. */
  readonly isMissing?: boolean
}

/** Packages that are plugins by their own package.json, or by their name if they are not installed. */
export async function pluginPackagesOf(appDir: string): Promise<readonly PluginPackage[]> {
  const all = await Promise.all((await dependenciesOf(appDir)).map(name => packageOf(appDir, name)))
  return all.filter(found => found !== undefined)
}

async function packageOf(appDir: string, name: string): Promise<PluginPackage | undefined> {
  const [, own] = /^@strapi\/plugin-(.+)$/.exec(name) ?? []
  if (own !== undefined) return { name, plugin: own }
  const folder = packageFolder(name, appDir)
  const { kind, name: plugin }: StrapiPart = folder === undefined ? {} : await strapiOf(join(folder, 'package.json'))
  if (kind === 'plugin') return { name, ...(typeof plugin === 'string' && { plugin }) }
  const [, called] = /(?:^|\/)strapi-plugin-(.+)$/.exec(name) ?? []
  if (called === undefined) return undefined
  return { name, plugin: called, isMissing: folder === undefined }
}

/** The part of a package.json that is about Strapi. */
interface StrapiPart {
  readonly kind?: unknown
  readonly name?: unknown
}

async function strapiOf(file: string): Promise<StrapiPart> {
  try {
    return Object((JSON.parse(await readFile(file, 'utf8')) as { readonly strapi?: unknown }).strapi)
  } catch {
    // A package.json that cannot be read says nothing.
    return {}
  }
}

/** The packages that the app's package.json asks for. */
export async function dependenciesOf(appDir: string): Promise<readonly string[]> {
  try {
    const { dependencies } = JSON.parse(await readFile(join(appDir, 'package.json'), 'utf8')) as {
      dependencies?: Readonly<Record<string, unknown>>
    }
    return Object.keys(dependencies ?? {})
  } catch {
    // No package.json, or one that says nothing to us.
    return []
  }
}
