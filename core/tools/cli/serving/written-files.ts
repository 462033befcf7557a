import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import type { FileChange } from '../../../boot/start.js'
import { BootError } from '../../../errors.js'
import { placeIn } from '../../../schema/place.js'

/** Files of an app that are written together, and put back where one of them cannot be, or later. */
export class WrittenFiles {
  readonly #appDir: string
  readonly #done: FileChange[] = []
  /** Folders that were made for them, the outer ones first. */
  readonly #folders: string[] = []

  constructor(appDir: string) {
    this.#appDir = appDir
  }

  /** Files of which a process that was killed may have written some. */
  static left(appDir: string, files: readonly FileChange[]): WrittenFiles {
    const left = new WrittenFiles(appDir)
    left.#done.push(...files)
    const folders = files.flatMap(({ path: file, before }) => (before === null ? foldersOf(file) : []))
    for (const folder of [...new Set(folders)].sort((one, other) => one.length - other.length))
      left.#folders.push(path.join(appDir, folder))
    for (const { path: file } of files) removeParts(path.join(appDir, file))
    return left
  }

  /** `wrote` is called after each of them. */
  write(files: readonly FileChange[], wrote: () => void = () => undefined): void {
    for (const { path: file, before } of files)
      if (textAt(placeIn(this.#appDir, file)) !== before)
        throw new BootError(`${file} has changed meanwhile`, { kind: 'busy' })
    try {
      for (const file of files) {
        this.#done.push(file)
        this.#put(file.path, file.after)
        wrote()
      }
    } catch (cause) {
      this.putBack()
      throw cause
    }
  }

  /** Files that were changed by others since then are theirs. */
  putBack(): void {
    for (const { path: file, before, after } of this.#done.splice(0).reverse())
      if (textAt(placeIn(this.#appDir, file)) === after) this.#put(file, before)
    for (const folder of this.#folders.splice(0).reverse())
      try {
        rmdirSync(folder)
      } catch {
        // It has files of others.
      }
  }

  #put(file: string, text: string | null): void {
    const place = placeIn(this.#appDir, file)
    if (text === null) rmSync(place, { force: true })
    else {
      this.#makeFolder(path.dirname(place))
      replace(place, text)
    }
  }

  #makeFolder(folder: string): void {
    if (statSync(folder, { throwIfNoEntry: false })) return
    this.#makeFolder(path.dirname(folder))
    mkdirSync(folder)
    this.#folders.push(folder)
  }
}

/** The folders on the way to a file, the outer ones first, without the first of all. */
const foldersOf = (file: string): string[] => {
  const names = file.split('/').slice(0, -1)
  return names.slice(1).map((_, at) => names.slice(0, at + 2).join('/'))
}

/** Removes what a process has left that was killed before a file got its name. */
function removeParts(place: string): void {
  const [folder, name] = [path.dirname(place), path.basename(place)]
  if (!statSync(folder, { throwIfNoEntry: false })) return
  for (const one of readdirSync(folder))
    if (one.startsWith(`${name}.`) && /\.\d+\.tmp$/.test(one)) rmSync(path.join(folder, one), { force: true })
}

/** Readers see the former text or this one, and never a part of it. */
function replace(place: string, text: string): void {
  const mode = statSync(place, { throwIfNoEntry: false })?.mode
  const beside = `${place}.${process.pid}.tmp`
  try {
    const file = openSync(beside, 'wx', mode)
    try {
      writeSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(beside, place)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

function textAt(place: string): string | null {
  try {
    return readFileSync(place, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
