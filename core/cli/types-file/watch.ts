import { type FSWatcher, watch } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Io } from '../io.js'
import type { TypesFileOptions } from './write.js'

/** What types depend on: schema files, settings, plugins of the app, and variables. */
const folders = ['content-types', 'config', 'plugins', 'src']
const read = /^(content-types|config|plugins|src)\b|^(\.env|package\.json)$/

/** How long several files that are saved together have to be quiet. */
const quiet = 100

/** Writes the file again after each change, until the process is told to end. */
export async function watchApp({ app, ts }: TypesFileOptions & { readonly ts: string }, io: Io): Promise<void> {
  const folder = path.resolve(io.cwd, app)
  const file = path.resolve(io.cwd, ts)
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isChanged = false
  const writeAgain = async () => {
    if (running) {
      isChanged = true
      return
    }
    running = inThread(['types', '--app', folder, '--ts', file])
    await running
    running = undefined
    if (isChanged) {
      isChanged = false
      await writeAgain()
    }
  }
  const changed = (name: string | null) => {
    if (name === null || !read.test(name) || path.join(folder, name) === file) return
    clearTimeout(timer)
    timer = setTimeout(writeAgain, quiet)
  }
  const watchers = [folder, ...folders.map(name => path.join(folder, name))].flatMap(place =>
    watched(place, place !== folder, name =>
      changed(name === null ? null : path.relative(folder, path.join(place, name))),
    ),
  )
  io.stdout.write(`watching ${app}\n`)
  await new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM']) io.signals.on(signal, () => resolve())
  })
  clearTimeout(timer)
  for (const watcher of watchers) watcher.close()
  await running
}

/** Watches a folder, and what is below it; one that does not exist has nothing to watch. */
function watched(place: string, recursive: boolean, changed: (name: string | null) => void): FSWatcher[] {
  try {
    return [watch(place, { recursive }, (_, name) => changed(name))]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Runs a command in a thread of its own: settings and plugins are modules, which a thread imports once. */
const inThread = (argv: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('../main.js', import.meta.url), { argv: [...argv] })
    thread.once('error', reject)
    thread.once('exit', () => resolve())
  })
