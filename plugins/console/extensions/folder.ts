import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { StaticBody } from '../../../core/plugin-kit.js'
import { packed } from '../../pages/serving/packed.js'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The files of a folder that browsers get, as they are when the server starts; links lead nowhere. */
export class ModuleFolder {
  /** Changes with the content of any file. */
  readonly hash: string
  readonly #files: ReadonlyMap<string, string>
  readonly #packed = new Map<string, Promise<StaticBody>>()

  constructor(files: ReadonlyMap<string, string>) {
    this.#files = files
    const hash = createHash('sha256')
    for (const [name, text] of [...files].sort(([one], [other]) => (one < other ? -1 : 1)))
      hash.update(`${name}\0${text.length}\0${text}`)
    this.hash = hash.digest('base64url').slice(0, 16)
  }

  /** Undefined where there is no such folder. */
  static async read(folder: string): Promise<ModuleFolder | undefined> {
    const found = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => undefined)
    if (!found) return undefined
    const files = found.filter(entry => entry.isFile() && Object.hasOwn(types, path.extname(entry.name)))
    const read = files.map(async ({ parentPath, name }) => {
      const file = path.join(parentPath, name)
      return [path.relative(folder, file).replaceAll(path.sep, '/'), await readFile(file, 'utf8')] as const
    })
    return new ModuleFolder(new Map(await Promise.all(read)))
  }

  text(name: string): string | undefined {
    return this.#files.get(name)
  }

  /** A file as it is sent: it is compressed for its first request. */
  body(name: string): Promise<StaticBody> | undefined {
    const text = this.#files.get(name)
    if (text === undefined) return undefined
    const body = this.#packed.get(name) ?? packed(types[path.extname(name)] as string, text)
    this.#packed.set(name, body)
    return body
  }
}
