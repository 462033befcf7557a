import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { own } from '../../../kit/own-folder.js'
import type { AppOptions } from '../app.js'
import { AppWatcher } from '../app-watcher.js'
import type { Io } from '../io.js'

/** The options of a command that writes files. */
export interface FileOptions extends AppOptions {
  /** The files of plugins, each by its option and relative to where the command runs; true prints the text. */
  readonly files: Readonly<Record<string, string | true>>
  /** The folder for the JSON schemas of content types and components. */
  readonly schemas?: string
  readonly check?: true
  readonly watch?: true
}

/** Writes the files again after each change, until the process is told to end. */
export async function watchApp({ app, files, schemas }: FileOptions, io: Io): Promise<void> {
  const folder = path.resolve(io.cwd, app)
  const written = Object.entries({ ...files, schemas }).flatMap(([option, name]) =>
    typeof name === 'string' ? [{ option, place: path.resolve(io.cwd, name) }] : [],
  )
  const args = written.flatMap(({ option, place }) => [`--${option}`, place])
  let running: Promise<void> | undefined
  let isChanged = false
  const writeAgain = async () => {
    if (running) {
      isChanged = true
      return
    }
    running = inThread(['types', '--app', folder, ...args])
    await running
    running = undefined
    if (isChanged) {
      isChanged = false
      await writeAgain()
    }
  }
  const watcher = new AppWatcher(folder, changed => {
    const isOwn = (name: string) => written.some(({ place }) => place === path.join(folder, name))
    if (!changed.every(isOwn)) writeAgain()
  })
  io.stdout.write(`watching ${app}\n`)
  await new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM']) io.signals.on(signal, () => resolve())
  })
  watcher.close()
  await running
}

/** Runs a command in a thread of its own: settings and plugins are modules, which a thread imports once. */
const inThread = (argv: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(own('core/tools/cli/stele.js'), { argv: [...argv] })
    thread.once('error', reject)
    thread.once('exit', () => resolve())
  })
