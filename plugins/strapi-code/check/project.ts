import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageFolder } from '../../../core/plugin-kit.js'
import { packageFile, utilIn, whyNotGiven } from '../not-carried.js'
import { isEnabled, isOurs } from '../plugins/ours/index.js'
import { filesIn, foldersIn, kebab } from '../project/folders.js'
import { type Language, languageOf } from '../project/language.js'
import type { Bag } from '../types.js'
import {
  absentPluginPart,
  type Core,
  coreShape,
  packagePart,
  pluginPart,
  serviceOfPlugin,
  services as servicesOfServer,
  utilNames,
  utilsPart,
} from './carried.js'
import { entriesOf } from './entries.js'
import { Reader } from './reader.js'
import { type Lack, Scripts } from './scripts.js'
import type { Source } from './source.js'
import { bare, type Node } from './syntax.js'
import { type Known, missing, type Own, textOf, type Value } from './values.js'

/** The facts that are known of an app beside its code. */
export interface AppOfCheck {
  readonly appDir: string
  /** `config/plugins`, read. */
  readonly plugins: Readonly<Record<string, { readonly enabled: boolean; readonly resolve?: string }>>
  /** `config/middlewares`, read. */
  readonly middlewares: unknown
  /** Types and components by their uids. */
  readonly types: ReadonlyMap<string, TypeOfCheck>
}

export interface TypeOfCheck {
  readonly kind: 'collectionType' | 'singleType' | 'component'
  readonly singularName: string
  readonly pluralName: string
}

/** The role of a script by its place in the project. */
export interface Role {
  readonly kind: 'controllers' | 'services' | 'policies' | 'middlewares' | 'routes' | 'lifecycles' | 'other'
  /** Of the API, where it is one's. */
  readonly api?: string
  readonly name: string
}

/** A controller or service, as its file writes it. */
export interface WrittenPart {
  readonly source: Source
  /** Undefined where the text does not tell what it is made of. */
  readonly own: Own | undefined
}

/** The code of a project as it lies there; nothing of it runs. */
export class CodeOnDisk implements Known {
  readonly app: AppOfCheck
  readonly language: Language
  /** The scripts that a start loads. */
  readonly sources: readonly Source[]
  readonly reader: Reader
  readonly #scripts: Scripts
  readonly #parts = new Map<string, WrittenPart | undefined>()
  readonly #set = new Set<string>()
  readonly #dependencies: Bag

  constructor(app: AppOfCheck) {
    this.app = app
    this.language = languageOf(app.appDir)
    const manifest = jsonIn(path.join(app.appDir, 'package.json'))
    this.#dependencies = Object(manifest.dependencies)
    // Names for the package module-alias.
    const aliases = this.#dependencies['module-alias'] === undefined ? {} : Object(manifest._moduleAliases)
    this.#scripts = new Scripts({ appDir: app.appDir, language: this.language, aliases })
    this.sources = this.#scripts.loadedBy(entriesOf(app, this.language))
    this.reader = new Reader(this)
  }

  hasType(uid: string): boolean {
    if (this.app.types.has(uid) || uid === 'strapi::core-store') return true
    // Types of plugins of the project are made by its code.
    const [, plugin] = /^plugin::([^.]+)\./.exec(uid) ?? []
    return plugin !== undefined && !Object.hasOwn(servicesOfServer, plugin)
  }

  sets(at: string): boolean {
    return this.#set.has(at)
  }

  /** The code gives a part of Strapi a member of its own. */
  noteSet(at: string): void {
    this.#set.add(at)
  }

  /** From here on the members that the code sets are known. */
  forget(): void {
    for (const source of this.sources) source.forget()
    this.#parts.clear()
  }

  service(uid: string): Value {
    const [, plugin, name] = /^plugin::([^.]+)\.(.+)$/.exec(uid) ?? []
    if (plugin !== undefined && name !== undefined)
      return Object.hasOwn(servicesOfServer, plugin)
        ? serviceOfPlugin(plugin, name, this.#isExtended(plugin))
        : undefined
    return this.#written('services', uid)
  }

  controller(uid: string): Value {
    return uid.startsWith('plugin::') ? undefined : this.#written('controllers', uid)
  }

  #written(kind: 'services' | 'controllers', uid: string): Value {
    const path = `strapi.${kind === 'services' ? 'service' : 'controller'}('${uid}')`
    const found = this.partOf(kind, uid)
    if (!found) return missing(path, `${path} is not there: no file of src/api exports it`)
    return found.own && { ...found.own, path }
  }

  /** A part of an API by its uid; undefined where there is no file of it. */
  partOf(kind: 'services' | 'controllers', uid: string): WrittenPart | undefined {
    const key = `${kind} ${uid}`
    if (!this.#parts.has(key)) {
      const file = this.fileOf(kind, uid)
      const source = file === undefined ? undefined : this.#scripts.at(file)
      this.#parts.set(key, source && { source, own: this.ownOf(source, kind) })
    }
    return this.#parts.get(key)
  }

  /** The file of a part by its uid: `api::shop.order`, `global::yes`. */
  fileOf(kind: 'services' | 'controllers' | 'policies' | 'middlewares', uid: string): string | undefined {
    const [, home, rest = ''] = /^(api|global)::(.+)$/.exec(uid) ?? []
    const src = path.join(this.app.appDir, 'src')
    if (home === 'global')
      return filesIn(path.join(src, kind), this.language).find(
        ({ file }) => path.basename(file, path.extname(file)) === rest,
      )?.file
    const [, api, name] = /^([^.]+)\.(.+)$/.exec(rest) ?? []
    const folder = foldersIn(path.join(src, 'api')).find(one => one.name === api)
    return folder && filesIn(path.join(folder.file, kind), this.language).find(one => one.name === name)?.file
  }

  /** The object that a controller, a service or lifecycles are, as the file writes it. */
  ownOf(source: Source, kind: Role['kind']): Own | undefined {
    const { exported } = source
    if (!exported) return undefined
    const scope = source.scope(this.reader)
    const call = bare(exported)
    const factory = call.type === 'CallExpression' ? factoryOf(call) : undefined
    if (call.type === 'CallExpression' && !factory) return undefined
    const core: Core = kind === 'services' ? 'service' : 'controller'
    const uid = factory === undefined ? undefined : textOf(this.reader.value(call.arguments[0], scope))
    const isSingle = uid !== undefined && this.app.types.get(uid)?.kind === 'singleType'
    const given = factory ? call.arguments[1] : exported
    const value = given ? this.reader.value(given, scope) : this.reader.value(nothing, scope)
    const object = value?.kind === 'function' ? this.reader.returned(value, []) : value
    if (object?.kind !== 'object') return undefined
    return {
      kind: 'own',
      path: 'this',
      object: object.node,
      scope: object.scope,
      core: factory ? coreShape(core, isSingle ? 'single' : 'collection') : {},
    }
  }

  plugin(name: string): Value {
    if (isOurs(name))
      return this.hasPlugin(name) ? pluginPart(name, this.#isExtended(name)) : missing(`strapi.plugin('${name}')`)
    const absent = absentPluginPart(name, this.#dependencies[`@strapi/plugin-${name}`] !== undefined)
    if (absent || this.app.plugins[name]?.resolve !== undefined || this.#isInstalled(name)) return absent
    return missing(`strapi.plugin('${name}')`)
  }

  /** True where a plugin of this server, or one of the project's own, is enabled. */
  hasPlugin(name: string): boolean {
    const { plugins } = this.app
    if (isOurs(name)) return isEnabled(name, { plugins, dependencies: Object.keys(this.#dependencies) })
    const { enabled = true, resolve } = plugins[name] ?? {}
    return enabled && (resolve !== undefined || this.#isInstalled(name))
  }

  #isExtended(plugin: string): boolean {
    return this.sources.some(({ place }) => place.startsWith(`src/extensions/${plugin}/strapi-server.`))
  }

  #isInstalled(plugin: string): boolean {
    const { appDir } = this.app
    return Object.keys(this.#dependencies).some(name => {
      const folder = packageFolder(name, appDir)
      const { strapi } = folder === undefined ? {} : jsonIn(path.join(folder, 'package.json'))
      return Object(strapi).name === plugin || name.endsWith(`strapi-plugin-${plugin}`)
    })
  }

  exported(from: string, request: string): Value {
    const why = whyNotGiven(request, member => utilNames.includes(member))
    if (why !== undefined) return { kind: 'absent', path: request, why }
    const file = packageFile(request)
    if (file?.name === 'strapi') {
      if (/(?:^|\/)factories$/.test(file.below)) return packagePart && this.reader.member(packagePart, 'factories')
      return file.below === '' || file.below === 'lib' || file.below === 'dist' ? packagePart : undefined
    }
    if (file?.name === 'utils') {
      const member = utilIn(file.below)
      return member === undefined ? utilsPart : this.reader.member(utilsPart, member)
    }
    const found = this.#scripts.resolved(from, request)
    return found === undefined ? undefined : this.#scripts.at(found)?.value(this.reader)
  }

  /** The file or the package that a request does not find; undefined where it finds one. */
  lacks(source: Source, request: string): Lack | undefined {
    return this.#scripts.lacks(source, request)
  }

  /** All that a script loads, and itself. */
  loadedBy({ file }: Source): readonly Source[] {
    return this.#scripts.loadedBy([file])
  }
}

const nothing: Node = { type: 'ObjectExpression', properties: [] }

/** `createCoreController` and the like, by whatever way it was reached. */
export function factoryOf({ callee }: Node): string | undefined {
  const at = bare(callee)
  const name: string | undefined = at.type === 'Identifier' ? at.name : at.property?.name
  return /^createCore(?:Controller|Service|Router)$/.test(name ?? '') ? name : undefined
}

/** Files of an API stand at one place, those of plugins wherever their folder is. */
const lifecyclesAt = /^(?:src\/api\/[^/]+|(?!src\/api\/).*)\/content-types\/[^/]+\/lifecycles\.\w+$/

/** The role of a script by its place. */
export function roleOf(place: string): Role {
  const name = kebab(path.basename(place, path.extname(place)))
  const [, api, part] =
    /^src\/api\/([^/]+)\/(controllers|services|policies|middlewares|routes)\/[^/]+$/.exec(place) ?? []
  if (api !== undefined) return { kind: part as Role['kind'], api: kebab(api), name }
  const [, own] = /^src\/(policies|middlewares)\/[^/]+$/.exec(place) ?? []
  if (own !== undefined) return { kind: own as Role['kind'], name }
  return lifecyclesAt.test(place) ? { kind: 'lifecycles', name } : { kind: 'other', name }
}

function jsonIn(file: string): Bag {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
