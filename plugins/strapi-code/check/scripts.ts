import { readdirSync } from 'node:fs'
import { builtinModules, createRequire } from 'node:module'
import path from 'node:path'
import { packageFolder } from '../../../core/plugin-kit.js'
import { packageFile } from '../not-carried.js'
import type { Language } from '../project/language.js'
import type { Bag } from '../types.js'
import { isFile, scriptsAt } from './entries.js'
import { requestsIn } from './requests.js'
import { Source } from './source.js'

interface Place {
  readonly appDir: string
  readonly language: Language
  /** Names that stand for folders. */
  readonly aliases: Bag
}

/** A module that is not there. */
export type Lack = { readonly file: string } | { readonly package: string }

/** The scripts of a project, and the modules that they ask each other for. */
export class Scripts {
  readonly #place: Place
  readonly #read = new Map<string, Source | undefined>()

  constructor(place: Place) {
    this.#place = place
  }

  /** A script of the project by its file; undefined of what is none. */
  at(file: string): Source | undefined {
    if (!this.#read.has(file))
      this.#read.set(file, this.#isOwn(file) ? new Source(this.#place.appDir, file) : undefined)
    return this.#read.get(file)
  }

  #isOwn(file: string): boolean {
    const names = path.relative(this.#place.appDir, file).split(path.sep)
    const isScript = /\.[jt]s$/.test(file) && !/\.d\.ts$/.test(file)
    return isScript && names[0] !== '..' && !names.includes('node_modules') && isFile(file)
  }

  /** The scripts at these places and all that they load, in the order of their places. */
  loadedBy(files: readonly string[]): Source[] {
    const found = new Map<string, Source>()
    const left = [...files]
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      const source = found.has(file) ? undefined : this.at(file)
      if (!source) continue
      found.set(file, source)
      left.push(...this.#loadedNext(source))
    }
    return [...found.values()].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  }

  /** All that lies beside and below a script may be loaded by it, if its text does not tell. */
  #loadedNext(source: Source): string[] {
    const { file } = source
    const below = () => scriptsIn(path.dirname(file), this.#place.language)
    return requestsIn(source).flatMap(({ request }) => {
      if (request === undefined) return below()
      const found = this.resolved(file, request)
      if (found !== undefined) return [found]
      return this.placeOf(file, request) !== undefined && isBuiltPath(request) ? below() : []
    })
  }

  /** The file or folder that a request names by a path, or by one of the names that package.json gives to folders. */
  placeOf(from: string, request: string): string | undefined {
    if (request.startsWith('.') || path.isAbsolute(request)) return path.resolve(path.dirname(from), request)
    const { appDir, aliases, language } = this.#place
    const alias = Object.keys(aliases).find(name => request === name || request.startsWith(`${name}/`))
    if (alias === undefined) return undefined
    const place = path.resolve(appDir, String(aliases[alias]), request.slice(alias.length + 1))
    const { compiledTo } = language
    return compiledTo !== undefined && place.startsWith(compiledTo + path.sep)
      ? path.join(appDir, path.relative(compiledTo, place))
      : place
  }

  /** The script that a request is for; undefined where it is for none of the project. */
  resolved(from: string, request: string): string | undefined {
    const place = this.placeOf(from, request)
    return place === undefined ? undefined : scriptsAt(place).find(file => this.at(file) !== undefined)
  }

  /** The file or the package that a request does not find; undefined where it finds one. */
  lacks({ file }: Source, request: string): Lack | undefined {
    const isBuiltIn = request.startsWith('node:') || builtinModules.includes(request.split('/')[0] as string)
    if (isBuiltIn || isProvided(request)) return undefined
    const place = this.placeOf(file, request)
    const isPath = place !== undefined
    if (isPath && (this.resolved(file, request) !== undefined || isBuiltPath(request))) return undefined
    try {
      createRequire(file).resolve(place ?? request)
      return undefined
    } catch (error) {
      // A package that has no part for `require` is there all the same.
      if ((error as { code?: string }).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return undefined
    }
    const name = request
      .split('/')
      .slice(0, request.startsWith('@') ? 2 : 1)
      .join('/')
    if (!isPath && packageFolder(name, path.dirname(file)) !== undefined) return undefined
    return isPath ? { file: request } : { package: name }
  }
}

/** Files of a folder stand before those of a longer name. */
const sortKey = ({ place }: Source): string => place.replaceAll('/', '\0')

/** The server answers for these packages, whether they are installed or not. */
function isProvided(request: string): boolean {
  const { name = '', below = '' } = packageFile(request) ?? {}
  return (
    ['strapi', 'utils'].includes(name) ||
    (name.startsWith('plugin-') && /^(?:dist\/)?server(?:\/|$)|strapi-server$/.test(below))
  )
}

/** The files that a compiler writes are not looked for. */
const isBuiltPath = (request: string): boolean => /(?:^|\/)dist(?:\/|$)/.test(request)

/** Built files, and what a plugin adds to the admin panel. */
const isLeftOut = (name: string, folder: string): boolean =>
  ['node_modules', 'dist', 'build', 'public', 'coverage'].includes(name) ||
  name.startsWith('.') ||
  (name === 'admin' && path.basename(folder) !== 'api')

/** All scripts in a folder, but for tests. */
function scriptsIn(folder: string, language: Language): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const place = path.join(folder, entry.name)
    if (entry.isDirectory()) return isLeftOut(entry.name, folder) ? [] : scriptsIn(place, language)
    const isScript =
      language.extensions.includes(path.extname(entry.name)) && !/\.(?:d|test|spec)\.\w+$/.test(entry.name)
    return isScript && entry.isFile() ? [place] : []
  })
}
