import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import * as files from './compiled-file.js'

/** What the server finds where it runs from one file. */
export interface Whole {
  /** Its modules that something asks for by their place below `dist/`. */
  readonly modules: Readonly<Record<string, () => unknown>>
  /** What opens such files: there before this one, so that it is no part of it. */
  readonly files: typeof files
  /** Loads what is not in the file: a file does not know where packages and apps are. */
  readonly import: (name: string) => Promise<Record<string, unknown>>
  /** Keeps what V8 has compiled of the file. */
  readonly keep: () => void
}

const dist = path.resolve(import.meta.dirname, '../..')

/** Whether this process runs the server from its many files; undefined until something of it is loaded. */
let areFiles: boolean | undefined
let whole: Whole | undefined

/** The modules of the server are two sets if some come from the one file and some from the many: what is loaded first decides. */
export function loadsFiles(): void {
  areFiles ??= true
}

/** The file that the build makes of the whole server, unless it is loaded from its many files. */
export function wholeServer(): Whole | undefined {
  areFiles ??= !isUsable()
  if (!areFiles) whole ??= open()
  return whole
}

/** A module of the server, for those who import it by the name of its package. */
export const ownModule = (place: string): unknown =>
  wholeServer()?.modules[place]?.() ?? createRequire(import.meta.url)(path.join(dist, place))

function isUsable(): boolean {
  const built = files.fileOf('server.json')
  if (files.areWatched() || !existsSync(built)) return false
  // The compiler has run since.
  const compiled = statSync(path.join(dist, '.tsbuildinfo'), { throwIfNoEntry: false })
  return compiled === undefined || compiled.mtimeMs <= statSync(built).mtimeMs
}

function open(): Whole {
  const { print } = JSON.parse(readFileSync(files.fileOf('server.json'), 'utf8')) as { print: string }
  const file = new files.CompiledFile('server', print)
  const own = { files, import: (name: string) => import(name), keep: () => file.keep() }
  const modules = file.run(createRequire(import.meta.url), own) as Whole['modules']
  return { ...own, modules }
}
