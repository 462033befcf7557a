import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import path from 'node:path'
import { constants, Script } from 'node:vm'
import { ownFolder } from '../own-folder.js'
import { type Contents, installedIn } from './installed.js'

/** The packages that the build puts into one file, with all that they need. */
export const bundled = [
  '@koa/cors',
  '@koa/router',
  'ajv',
  'commander',
  'knex',
  'koa',
  'objection',
  'pino',
  'qs',
] as const
type Name = (typeof bundled)[number]

const require = createRequire(import.meta.url)
const fileOf = (name: string): string => path.join(import.meta.dirname, name)

/** One of the packages: from the file of the build if that has what is installed, and as it is installed otherwise. */
export function load(name: Name): unknown {
  fromFile ??= openFile()
  return fromFile(name) ?? require(name)
}

let fromFile: ((name: Name) => unknown) | undefined
/** The file of the build, where this process runs it. */
let running: Bundle | undefined

export interface Bundle {
  readonly contents: Contents
  readonly script: Script
}

function openFile(): (name: Name) => unknown {
  const contents = fileOf('bundle.json')
  // Sources, which tests run, have none.
  if (isUnwanted() || !existsSync(contents)) return () => undefined
  const known = JSON.parse(readFileSync(contents, 'utf8')) as Contents
  const isInstalled = installedIn(ownFolder, known)
  let packages: Readonly<Record<Name, unknown>> | undefined
  return name => {
    if (!isInstalled(name)) return undefined
    if (packages === undefined) {
      running = openBundle(known)
      packages = run(running)
    }
    return packages[name]
  }
}

/** The file, in the form that V8 compiled it to before; another version of V8 compiles it again. */
export function openBundle(contents: Contents): Bundle {
  const filename = fileOf('bundle.cjs')
  const script = new Script(Module.wrap(readFileSync(filename, 'utf8')), {
    filename,
    cachedData: compiledBefore(contents),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  return { contents, script }
}

/** V8 looks only at the length of a text, so the name says of which text it is. */
const compiledOf = ({ print }: Contents): string => fileOf(`bundle.${print}.v8`)

function compiledBefore(contents: Contents): Buffer | undefined {
  try {
    return readFileSync(compiledOf(contents))
  } catch {
    return undefined
  }
}

/**
 * Keeps what V8 has compiled the file to, unless that came from an earlier process: a package that npm installs has
 * nothing of the kind. V8's options have to be those with which a process begins. Where the folder cannot be written,
 * every start compiles the file again.
 */
export function keepCompiled(bundle = running): void {
  if (bundle === undefined || bundle.script.cachedDataRejected === false) return
  const file = compiledOf(bundle.contents)
  // Processes in several containers may share the folder, and have the same number.
  const written = file.replace(/v8$/, `${randomUUID()}.v8`)
  try {
    // V8 takes what it finds there as it is: after a power cut it has to be whole, or missing.
    writeFileSync(written, bundle.script.createCachedData(), { flush: true })
    renameSync(written, file)
  } catch {
    rmSync(written, { force: true })
  }
}

/** Each package is loaded when it is first asked for. */
export function run({ script }: Bundle): Readonly<Record<Name, unknown>> {
  const module = { exports: {} as Record<Name, unknown> }
  script.runInThisContext()(module.exports, require, module, fileOf('bundle.cjs'), import.meta.dirname)
  return module.exports
}

/** Modules that are loaded first may watch or change how packages are loaded, as instrumentations do. */
function isUnwanted(): boolean {
  if (process.env.STELE_PACKAGES === 'installed') return true
  const given = [...process.execArgv, ...(process.env.NODE_OPTIONS?.split(/\s+/) ?? [])]
  return given.some(option => /^(-r|--(require|import|loader|experimental-loader)(=|$))/.test(option))
}
