import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Whose shape an app folder has: this server's own, or that of a Strapi 4 project, which is opened in place. */
export type Project = 'stele' | 'strapi4'

export async function projectOf(appDir: string): Promise<Project> {
  if (await names(appDir, '@strapi/strapi')) return 'strapi4'
  const [theirs, ours] = await Promise.all([isFolder(join(appDir, 'src/api')), isFolder(join(appDir, 'content-types'))])
  return theirs && !ours ? 'strapi4' : 'stele'
}

async function names(appDir: string, dependency: string): Promise<boolean> {
  try {
    const { dependencies } = JSON.parse(await readFile(join(appDir, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, unknown>
    }
    return dependencies !== undefined && Object.hasOwn(dependencies, dependency)
  } catch {
    // No package.json, or one that says nothing to us.
    return false
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
