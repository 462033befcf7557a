import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A package that the project depends on, with its name in Strapi 4 if it is a plugin. */
export interface PluginPackage {
  readonly name: string
  readonly plugin?: string
  /** Its folder is not in `node_modules`. */
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
  const { kind, name: plugin } = await strapiOf(join(appDir, 'node_modules', name, 'package.json'))
  if (kind === 'plugin') return { name, ...(typeof plugin === 'string' && { plugin }) }
  const [, called] = /(?:^|\/)strapi-plugin-(.+)$/.exec(name) ?? []
  if (called === undefined) return undefined
  return { name, plugin: called, isMissing: !existsSync(join(appDir, 'node_modules', name)) }
}

/** The part of a package.json that is about Strapi. */
async function strapiOf(file: string): Promise<{ readonly kind?: unknown; readonly name?: unknown }> {
  try {
    return Object((JSON.parse(await readFile(file, 'utf8')) as { readonly strapi?: unknown }).strapi)
  } catch {
    // Packages that are not installed, or have no readable package.json, depend on nothing.
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
