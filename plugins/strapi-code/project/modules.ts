import { realpathSync } from 'node:fs'
import Module from 'node:module'
import path from 'node:path'
import type { Loose } from '../types.js'
import { compiled } from './compile.js'
import { answerImports } from './es-imports.js'

/** A folder whose modules are compiled as they are loaded, and whose requests for packages of Strapi are answered here. */
export interface ModuleRoot {
  /** The folder of the app. */
  readonly appDir: string
  /** The folder that a compiler would write to: `__dirname` of TypeScript is below it, as it was written for that place. */
  readonly compiledTo: string | undefined
  /** The folder in which compiled files are kept for later starts. */
  readonly cache?: string | undefined
  /** The module for a request for a package of Strapi; undefined where it is left to the packages of the project. */
  readonly provide: (request: string) => object | undefined
  /** Only the settings of the app are loaded with it. */
  readonly isForSettings?: boolean
  /** Told of each file of the folder that is loaded. */
  readonly loaded?: (file: string, text: string) => void
}

/** The parts of the loader of CommonJS that Node.js leaves open. */
interface Loader {
  _resolveFilename(request: string, parent: Parent | undefined, ...more: unknown[]): string
  _cache: Record<string, Loose>
  _extensions: Record<string, (module: ModuleToCompile, filename: string) => void>
}
interface Parent {
  readonly filename?: string | null
}
interface ModuleToCompile {
  _compile(code: string, filename: string): void
}

const loader = Module as unknown as Loader
const roots = new Map<string, ModuleRoot>()
const opened = new Set<string>()
let isInstalled = false

/** Answers for the modules of a folder from now on; the returned function ends that, and forgets what was loaded. */
export function addRoot(root: ModuleRoot): () => void {
  install()
  const folder = realpathSync(root.appDir)
  // Modules that settings have loaded are those that the code gets.
  if (opened.has(folder)) forget(folder)
  if (!root.isForSettings) opened.add(folder)
  roots.set(folder, root)
  return () => {
    if (roots.get(folder) !== root) return
    roots.delete(folder)
    forget(folder)
  }
}

/** Loads a file of a project; what fails is thrown as it is. */
export function load(file: string): Loose {
  const exported = withLongStacks(() => Module.createRequire(file)(file))
  const isCompiled = typeof exported === 'object' && exported !== null && exported.__esModule === true
  return isCompiled && 'default' in exported ? exported.default : exported
}

/** The line of the file stands behind those of Node.js's own loader, of which there are more than a stack has by default. */
function withLongStacks<T>(work: () => T): T {
  const usual = Error.stackTraceLimit
  Error.stackTraceLimit = Math.max(usual, 50)
  try {
    return work()
  } finally {
    Error.stackTraceLimit = usual
  }
}

/** Modules of a folder that is opened again are loaded again, as its files may have changed; its packages are not. */
function forget(folder: string): void {
  for (const file of Object.keys(loader._cache)) if (isOwn(file, folder)) delete loader._cache[file]
}

const isOwn = (file: string, folder: string): boolean =>
  file.startsWith(folder + path.sep) && !file.includes(`${path.sep}node_modules${path.sep}`)

/** The root that a file of a project belongs to. */
function rootOf(file: string): [folder: string, root: ModuleRoot] | undefined {
  for (const entry of roots) if (isOwn(file, entry[0])) return entry
  return undefined
}

/** The root of a file, or of a package in a folder of modules above which a root is. */
function rootAround(file: string | null | undefined): ModuleRoot | undefined {
  if (roots.size <= 1) return roots.values().next().value
  const own = file ? rootOf(file) : undefined
  if (own) return own[1]
  const containing = [...roots].filter(([folder]) => file?.startsWith(folder + path.sep))
  return containing[0]?.[1] ?? [...roots.values()].at(-1)
}

function install(): void {
  if (isInstalled) return
  isInstalled = true
  const resolve = loader._resolveFilename
  loader._resolveFilename = (request, parent, ...more) =>
    provided(request, parent) ?? resolved(resolve, request, parent, more)
  const js = loader._extensions['.js']
  const ts = loader._extensions['.ts']
  loader._extensions['.js'] = (module, filename) => compileOwn(module, filename, js)
  // Behind all that Node.js tries, so that a script is found before its source.
  loader._extensions['.ts'] = (module, filename) => compileOwn(module, filename, ts ?? js)
  answerImports((request, from) => rootAround(from)?.provide(request))
}

function compileOwn(
  module: ModuleToCompile,
  filename: string,
  otherwise: Loader['_extensions'][string] | undefined,
): void {
  const found = rootOf(filename)
  if (!found) {
    otherwise?.call(loader, module, filename)
    return
  }
  const [folder, { compiledTo, cache, loaded }] = found
  const below = compiledTo === undefined ? undefined : path.join(compiledTo, path.relative(folder, filename))
  const { source, code } = compiled(filename, below, cache)
  loaded?.(filename, source)
  module._compile(code, filename)
}

/** The name of a provided module in the cache of modules: a path, as Node.js may turn it into an address and back. */
const nameOf = (request: string): string => path.resolve(path.sep, 'provided by strapi-code', request)

function provided(request: string, parent: Parent | undefined): string | undefined {
  if (!request.startsWith('@strapi/')) return undefined
  const exported = rootAround(parent?.filename)?.provide(request)
  if (exported === undefined) return undefined
  const name = nameOf(request)
  if (loader._cache[name]?.exports !== exported) {
    const module = new Module(name) as Module & { loaded: boolean; filename: string }
    Object.assign(module, { exports: exported, loaded: true, filename: name })
    loader._cache[name] = module
  }
  return name
}

/**
 * Resolves as Node.js does, and where that fails as a compiler would have laid out the files: a path in its folder is that of
 * the source, and `./x.js` may be written in TypeScript.
 */
function resolved(resolve: Loader['_resolveFilename'], request: string, parent: Parent | undefined, more: unknown[]) {
  try {
    return resolve.call(loader, request, parent, ...more)
  } catch (error) {
    const found = parent?.filename ? rootOf(parent.filename) : undefined
    if (!found) throw error
    for (const other of spellings(request, parent?.filename ?? '', found))
      try {
        return resolve.call(loader, other, parent, ...more)
      } catch {}
    throw error
  }
}

function spellings(request: string, from: string, [folder, { compiledTo }]: [string, ModuleRoot]): string[] {
  const isPath = request.startsWith('.') || path.isAbsolute(request)
  if (!isPath) return []
  const place = path.resolve(path.dirname(from), request)
  const source =
    compiledTo !== undefined && isOwn(place, compiledTo) ? path.join(folder, path.relative(compiledTo, place)) : place
  return [source, source.replace(/\.js$/, '.ts')].filter(one => one !== request)
}
