import { existsSync, readFileSync } from 'node:fs'
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

function openFile(): (name: Name) => unknown {
  const contents = fileOf('bundle.json')
  // Sources, which tests run, have none.
  if (isUnwanted() || !existsSync(contents)) return () => undefined
  const isInstalled = installedIn(ownFolder, JSON.parse(readFileSync(contents, 'utf8')) as Contents)
  let packages: Readonly<Record<Name, unknown>> | undefined
  return name => {
    if (!isInstalled(name)) return undefined
    packages ??= run(scriptOf())
    return packages[name]
  }
}

/** The file, in the form that V8 had compiled it to at the end of the build; another version of V8 compiles it again. */
export function scriptOf(): Script {
  const filename = fileOf('bundle.cjs')
  const compiled = fileOf('bundle.v8')
  return new Script(Module.wrap(readFileSync(filename, 'utf8')), {
    filename,
    cachedData: existsSync(compiled) ? readFileSync(compiled) : undefined,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
}

/** Each package is loaded when it is first asked for. */
export function run(script: Script): Readonly<Record<Name, unknown>> {
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
