import { readdirSync } from 'node:fs'
import path from 'node:path'
import { snakeCase } from '../../../core/plugin-kit.js'
import type { Language } from './language.js'

/** A file of code, by the name that it has for the code. */
export interface CodeFile {
  readonly name: string
  readonly file: string
}

/** The files of a folder that are loaded, in their order; none where there is no such folder. */
export function filesIn(folder: string, { extensions, isTypeScript }: Language): CodeFile[] {
  const found = new Map<string, CodeFile>()
  for (const entry of entriesOf(folder)) {
    const extension = path.extname(entry.name)
    const base = entry.name.slice(0, -extension.length)
    if (!entry.isFile() || !extensions.includes(extension) || base === '' || base.endsWith('.d')) continue
    if (isTypeScript && /\.test$/.test(base)) continue
    found.set(base, { name: kebab(base), file: path.join(folder, entry.name) })
  }
  return [...found.values()]
}

/** The folders in a folder, in their order, by the name that they have for the code. */
export const foldersIn = (folder: string): CodeFile[] =>
  entriesOf(folder)
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => ({ name: kebab(name), file: path.join(folder, name) }))

/** The one file of a name, in whichever language it is written. */
export const fileNamed = (folder: string, name: string, language: Language): string | undefined =>
  filesIn(folder, language).find(({ file }) => path.basename(file, path.extname(file)) === name)?.file

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

const isKebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** `myThing` is `my-thing`; what is one of these names already stays. */
export function kebab(name: string): string {
  return isKebab.test(name) ? name : snakeCase(name).replaceAll('_', '-')
}
