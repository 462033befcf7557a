import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

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
