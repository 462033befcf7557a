import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ownFolder } from '../kit/own-folder.js'
import { areWatched, CompiledFile, fileOf } from './compiled-file.js'
import { type Contents, installedIn } from './installed.js'

/** The packages that every start needs: hundreds of files, of which the build makes one, with all that they need. */
export const bundled = [
  '@koa/cors',
  '@koa/router',
  'ajv',
  'commander',
  'knex',
  'koa',
  'lru-cache',
  'objection',
  'pino',
  'qs',
] as const
type Name = (typeof bundled)[number]

const require = createRequire(import.meta.url)

/** One of the packages: from the file of the build if that has what is installed, and as it is installed otherwise. */
export function load(name: Name): unknown {
  fromFile ??= openFile()
  return fromFile(name) ?? require(name)
}

let fromFile: ((name: Name) => unknown) | undefined
/** The file of the build, where this process runs it. */
let running: CompiledFile | undefined

/** Each package is loaded when it is first asked for. */
function openFile(): (name: Name) => unknown {
  const contents = fileOf('bundle.json')
  // Sources, which tests run, have none.
  if (areWatched() || !existsSync(contents)) return () => undefined
  const known = JSON.parse(readFileSync(contents, 'utf8')) as Contents
  const isInstalled = installedIn(ownFolder, known)
  let packages: Readonly<Record<Name, unknown>> | undefined
  return name => {
    if (!isInstalled(name)) return undefined
    running ??= new CompiledFile('bundle', known.print)
    packages ??= running.run(require) as Readonly<Record<Name, unknown>>
    return packages[name]
  }
}

/** Keeps what V8 has compiled: a package that npm installs has nothing of the kind. */
export const keepCompiled = (): void => running?.keep()
