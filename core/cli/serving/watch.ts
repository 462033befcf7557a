import { type FSWatcher, watch } from 'node:fs'
import path from 'node:path'

/** The folders of an app whose files make it what it is, those of older projects among them. */
const folders = ['content-types', 'config', 'plugins', 'src']
/** Files of the app folder itself: variables, the package, plugins that are a single file. */
const ofApp = /^(\.env(\..+)?|package\.json|.+\.[cm]?[jt]s)$/
/** What editors write beside a file while they save it. */
const ofEditor = /(^|[/\\])(\.#|4913$|.*~$|.*\.(swp|swx|tmp)$)|node_modules/

/** Calls back with the path of every file of an app that changes; closing it ends that. */
export class AppWatcher {
  readonly #folder: string
  readonly #changed: (file: string) => void
  readonly #watchers = new Map<string, FSWatcher>()

  constructor(folder: string, changed: (file: string) => void) {
    this.#folder = folder
    this.#changed = changed
    this.#watch('', name => {
      if (folders.includes(name)) this.#watchFolder(name)
      if (folders.includes(name) || ofApp.test(name)) this.#report(name)
    })
    for (const name of folders) this.#watchFolder(name)
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  /** One that is deleted and made again is another folder. */
  #watchFolder(name: string): void {
    this.#watchers.get(name)?.close()
    this.#watchers.delete(name)
    this.#watch(name, file => this.#report(path.join(name, file)))
  }

  #report(file: string): void {
    if (!ofEditor.test(file)) this.#changed(file)
  }

  /** A folder that does not exist is watched once it does. */
  #watch(name: string, changed: (file: string) => void): void {
    try {
      const watcher = watch(path.join(this.#folder, name), { recursive: name !== '' }, (_, file) => changed(file ?? ''))
      watcher.on('error', () => watcher.close())
      this.#watchers.set(name, watcher)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}
