import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Whose shape an app folder has: this server's own, or that of a Strapi 4 project, which is opened in place. */
export type Project = 'stele' | 'strapi4'

export async function projectOf(appDir: string): Promise<Project> {
  if ((await dependenciesOf(appDir)).includes('@strapi/strapi')) return 'strapi4'
  const [theirs, ours] = await Promise.all([isFolder(join(appDir, 'src/api')), isFolder(join(appDir, 'content-types'))])
  return theirs && !ours ? 'strapi4' : 'stele'
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

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
