import { type Dirent, type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import path from 'node:path'

/** The watched folders of an app, including those of older projects. */
const folders = ['content-types', 'config', 'plugins', 'src']
/** Files of the app folder itself: variables, the package, plugins that are a single file. */
const ofApp = /^(\.env(\..+)?|package\.json|.+\.[cm]?[jt]s)$/
/** Names that editors write beside a file while they save it, and packages, which change with package.json. */
const isIgnored = (name: string): boolean => /^(\.#.*|4913|.*~|.*\.(swp|swx|tmp)|node_modules)$/.test(name)

/** Editors write a file in several steps, and a person saves several files at once. */
const quietFor = 50

/**
 * Calls back with the paths of an app's files that have changed; closing it ends that.
 *
 * Events only say when to look: the files are compared with what they were. A file that was replaced by another, a folder that
 * was made again and a temporary file that came and went differ from one system and version of Node.js to the next, and
 * a recursive `fs.watch` of Node.js 20 and 22 loses files on Linux that were replaced once. So each folder has a
 * watcher of its own.
 */
export class AppWatcher {
  readonly #folder: string
  readonly #changed: (files: readonly string[]) => void
  readonly #watchers = new Map<string, FSWatcher>()
  /** Folders that may be others than those that are watched, although they have the same path. */
  readonly #replaced = new Set<string>()
  #files: ReadonlyMap<string, string>
  #pending: NodeJS.Timeout | undefined

  constructor(folder: string, changed: (files: readonly string[]) => void) {
    this.#folder = folder
    this.#changed = changed
    this.#files = this.#look()
  }

  /** Takes the files as they are now for known: they were changed by this process. */
  accept(): void {
    this.#files = this.#look()
  }

  close(): void {
    clearTimeout(this.#pending)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #event(place: string, type: string, name: string | null): void {
    if (name !== null && !isPart(place, name)) return
    // Without a name, any folder may be meant.
    if (name === null) for (const watched of this.#watchers.keys()) this.#replaced.add(watched)
    else if (type === 'rename') this.#replaced.add(path.join(place, name))
    clearTimeout(this.#pending)
    this.#pending = setTimeout(() => this.#compare(), quietFor)
  }

  #compare(): void {
    const before = this.#files
    const now = this.#look()
    this.#files = now
    const files = [...new Set([...before.keys(), ...now.keys()])].filter(file => before.get(file) !== now.get(file))
    if (files.length > 0) this.#changed(files.sort())
  }

  /** The files as they are now, after which every folder of theirs is watched. */
  #look(): Map<string, string> {
    const files = new Map<string, string>()
    const places = new Set<string>()
    const add = (place: string) => {
      // Watches a folder before its files are read, so that changes meanwhile are events.
      this.#watch(place)
      places.add(place)
      for (const entry of entriesIn(path.join(this.#folder, place))) {
        const file = path.join(place, entry.name)
        if (!isPart(place, entry.name)) continue
        const found = statSync(path.join(this.#folder, file), { throwIfNoEntry: false })
        // Below, a link may lead to a folder above it.
        const isFolder = place === '' ? folders.includes(file) : !entry.isSymbolicLink()
        if (found?.isDirectory() && isFolder) add(file)
        else if (found?.isFile()) files.set(file, `${found.ino} ${found.size} ${found.mtimeMs}`)
      }
    }
    add('')
    for (const place of this.#watchers.keys()) if (!places.has(place)) this.#unwatch(place)
    this.#replaced.clear()
    return files
  }

  #watch(place: string): void {
    if (this.#replaced.has(place)) this.#unwatch(place)
    if (this.#watchers.has(place)) return
    try {
      const watcher = watch(path.join(this.#folder, place), (type, name) => this.#event(place, type, name))
      watcher.on('error', () => this.#unwatch(place))
      this.#watchers.set(place, watcher)
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }

  #unwatch(place: string): void {
    this.#watchers.get(place)?.close()
    this.#watchers.delete(place)
  }
}

/** True for parts of an app; its folder may hold other files, such as a database, which changes all the time. */
const isPart = (place: string, name: string): boolean =>
  place === '' ? folders.includes(name) || (ofApp.test(name) && !isIgnored(name)) : !isIgnored(name)

/** The entries of a folder; it may be deleted at any moment. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (isGone(error)) return []
    throw error
  }
}

const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
