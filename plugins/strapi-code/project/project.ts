import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Api, ApiType, Bag, Export, Extension, Failure, LifeFunctions, Loose, RouteFile } from '../types.js'
import { failureOf } from './failure.js'
import { type CodeFile, fileNamed, filesIn, foldersIn } from './folders.js'
import type { Language } from './language.js'
import { load } from './modules.js'

/** The folders of a project, loaded. */
export interface LoadedFolders {
  readonly apis: ReadonlyMap<string, Api>
  readonly policies: ReadonlyMap<string, Export>
  readonly middlewares: ReadonlyMap<string, Export>
  readonly extensions: ReadonlyMap<string, Extension>
  readonly index: LifeFunctions & { readonly file?: string }
  readonly files: WeakMap<object, string>
}

/** Loads the code of a project, folder by folder; a file that fails is told, and the rest is loaded. */
export function loadProject(appDir: string, language: Language, fail: (failure: Failure) => void): LoadedFolders {
  const loader = new Loader(appDir, language, fail)
  const src = path.join(appDir, 'src')
  const index = fileNamed(src, 'index', language)
  return {
    index: { ...lifeOf(index === undefined ? undefined : loader.load(index)), ...(index && { file: index }) },
    apis: new Map(foldersIn(path.join(src, 'api')).map(folder => [folder.name, loader.api(folder)])),
    policies: loader.byName(path.join(src, 'policies'), true),
    middlewares: loader.byName(path.join(src, 'middlewares'), true),
    extensions: new Map(
      foldersIn(path.join(src, 'extensions')).map(({ file }) => [path.basename(file), loader.extension(file)]),
    ),
    files: loader.files,
  }
}

class Loader {
  readonly files = new WeakMap<object, string>()
  readonly #appDir: string
  readonly #language: Language
  readonly #fail: (failure: Failure) => void

  constructor(appDir: string, language: Language, fail: (failure: Failure) => void) {
    this.#appDir = appDir
    this.#language = language
    this.#fail = fail
  }

  /** The export of a file; undefined where it fails. */
  load(file: string): Export {
    try {
      const exported = load(file)
      const isObject = (typeof exported === 'object' && exported !== null) || typeof exported === 'function'
      if (isObject) this.files.set(exported, path.relative(this.#appDir, file))
      return exported
    } catch (error) {
      this.#fail(failureOf(this.#appDir, file, error))
      return undefined
    }
  }

  /** The files of a folder by their names: those of policies and middlewares of the project as they are, others in kebab case. */
  byName(folder: string, asWritten = false): Map<string, Export> {
    const named = filesIn(folder, this.#language).map(({ name, file }): [string, Export] => [
      asWritten ? path.basename(file, path.extname(file)) : name,
      this.load(file),
    ])
    return new Map(named.filter(([, exported]) => exported !== undefined))
  }

  api({ name, file: folder }: CodeFile): Api {
    const index = fileNamed(folder, 'index', this.#language)
    const own = (part: string) => this.byName(path.join(folder, part))
    return {
      name,
      ...(index !== undefined && { index: lifeOf(this.load(index)) }),
      routes: this.#routes(path.join(folder, 'routes')),
      controllers: own('controllers'),
      services: own('services'),
      policies: own('policies'),
      middlewares: own('middlewares'),
      contentTypes: new Map(
        foldersIn(path.join(folder, 'content-types')).flatMap(type => {
          const found = this.#type(name, type)
          return found ? [[type.name, found] as const] : []
        }),
      ),
    }
  }

  #routes(folder: string): RouteFile[] {
    return filesIn(folder, this.#language).flatMap(({ name, file }) => {
      const exported = this.load(file)
      return exported === undefined ? [] : [{ name, file: path.relative(this.#appDir, file), exported }]
    })
  }

  #type(api: string, { name, file: folder }: CodeFile): ApiType | undefined {
    const schema = jsonIn(path.join(folder, 'schema.json')) ?? this.#schemaOfCode(folder)
    if (!schema) return undefined
    const uid = `api::${api}.${name}`
    const file = fileNamed(folder, 'lifecycles', this.#language)
    const lifecycles = file === undefined ? undefined : this.load(file)
    const unknown = Object.keys(Object(lifecycles)).filter(key => !events.has(key))
    if (file !== undefined && unknown.length > 0) {
      const at = path.relative(this.#appDir, file)
      this.#fail({
        file: at,
        says: `${at}: ${noEvents(unknown)}`,
      })
      return { uid, schema }
    }
    return { uid, schema, ...(lifecycles !== undefined && { lifecycles }) }
  }

  #schemaOfCode(folder: string): Bag | undefined {
    const file = fileNamed(folder, 'schema', this.#language)
    return file === undefined ? undefined : this.load(file)
  }

  extension(folder: string): Extension {
    const file = fileNamed(folder, 'strapi-server', this.#language)
    const server = file === undefined ? undefined : this.load(file)
    return {
      name: path.basename(folder),
      ...(file !== undefined && { file: path.relative(this.#appDir, file) }),
      ...(typeof server === 'function' && { server }),
      contentTypes: new Map(
        foldersIn(path.join(folder, 'content-types')).flatMap(({ name, file: type }) => {
          const schema = jsonIn(path.join(type, 'schema.json'))
          return schema ? [[name, schema] as const] : []
        }),
      ),
    }
  }
}

const actions = ['create', 'createMany', 'update', 'updateMany', 'delete', 'deleteMany', 'count', 'findOne', 'findMany']

/** The names that `lifecycles` may have. */
const events: ReadonlySet<string> = new Set(
  actions.flatMap(action =>
    ['before', 'after'].map(when => `${when}${action.charAt(0).toUpperCase()}${action.slice(1)}`),
  ),
)

/** The sentence about names in a file of lifecycles that are none of events; undefined where all are. */
export function noEvents(names: readonly string[]): string | undefined {
  const unknown = names.filter(name => !events.has(name))
  if (unknown.length === 0) return undefined
  return `${unknown.join(', ')} ${unknown.length === 1 ? 'is no event' : 'are no events'} of lifecycles; ${[...events].join(', ')} are`
}

function lifeOf(exported: Loose): LifeFunctions {
  const { register, bootstrap, destroy } = Object(exported) as Bag
  return {
    ...(typeof register === 'function' && { register: register.bind(exported) }),
    ...(typeof bootstrap === 'function' && { bootstrap: bootstrap.bind(exported) }),
    ...(typeof destroy === 'function' && { destroy: destroy.bind(exported) }),
  }
}

/** The schema files are read, and refused, by the server: what is no JSON is left to it. */
function jsonIn(file: string): Bag | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
