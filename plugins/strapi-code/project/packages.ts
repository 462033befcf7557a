import { transformResponse } from '../http/transform-response.js'
import { notCarried, packageFile, pluginFile, utilIn, whyNotGiven } from '../not-carried.js'
import { pagingOf } from '../packages/paging.js'
import { makeStrapiPackage } from '../packages/strapi.js'
import { makeUtils } from '../packages/utils/index.js'
import { parseMultipartData } from '../packages/utils/multipart.js'
import type { Bag, Loose, Runtime } from '../types.js'

/** The modules that the code of one app gets for packages of Strapi, whether they are installed or not. */
export class ProvidedPackages {
  readonly #runtime: () => Runtime
  readonly #made = new Map<string, object>()

  constructor(runtime: () => Runtime) {
    this.#runtime = runtime
  }

  /**
   * The module for a request; undefined where it is left to the project's packages. Where nothing here is like it, it may be
   * loaded, as many a project does with what it never calls, and says so when it is called.
   */
  provide(request: string): object | undefined {
    const { name = '', below = '' } = packageFile(request) ?? {}
    const make = makers[name] ?? (/^plugin-/.test(name) ? ofPlugin : undefined)
    if (!make || below === 'package.json') return undefined
    const found = this.#made.get(request)
    if (found) return found
    const made = make(below, { runtime: this.#runtime(), request, name })
    if (made !== undefined) this.#made.set(request, made)
    return made
  }
}

interface PackageRequest {
  readonly runtime: Runtime
  readonly request: string
  readonly name: string
}
type Make = (below: string, asked: PackageRequest) => object | undefined

const makers: Readonly<Record<string, Make>> = { strapi: ofStrapi, utils: ofUtils }

const whole = new WeakMap<Runtime, { strapi?: Bag; utils?: Bag }>()

function partsOf(runtime: Runtime): { strapi?: Bag; utils?: Bag } {
  const found = whole.get(runtime) ?? {}
  whole.set(runtime, found)
  return found
}

function ofStrapi(below: string, { runtime, request }: PackageRequest): object {
  const parts = partsOf(runtime)
  parts.strapi ??= makeStrapiPackage(runtime.strapi, runtime.http.factories as Loose)
  if (below === '' || below === 'lib' || below === 'dist') return parts.strapi
  if (/(?:^|\/)factories$/.test(below)) return parts.strapi.factories
  if (/(?:^|\/)core-api\/controller\/transform$/.test(below)) return transforming(runtime)
  if (/(?:^|\/)core-api\/service\/pagination$/.test(below)) return pagingOf(runtime.strapi)
  return absentFile(request, {})
}

/** The functions by which core controllers read bodies and give their responses a form. */
function transforming({ strapi }: Runtime): Bag {
  return {
    parseBody: (ctx: Loose) => (ctx.is('multipart') ? parseMultipartData(ctx) : { data: ctx.request.body?.data }),
    transformResponse: (value: Loose, meta: Loose = {}, { contentType }: Bag = {}) =>
      transformResponse(value, meta, contentType, uid => strapi.getModel(uid)),
  }
}

function ofUtils(below: string, { runtime, request }: PackageRequest): object {
  const parts = partsOf(runtime)
  parts.utils ??= makeUtils(runtime.strapi)
  const member = utilIn(below)
  const found = member === undefined ? parts.utils : parts.utils[member]
  if (found !== undefined) return found
  return absentFile(request, parts.utils)
}

/** Code of plugins: what a file of the package exports is a part of the plugin as extensions see it. */
function ofPlugin(below: string, { runtime, request, name }: PackageRequest): object | undefined {
  const plugin = name.replace(/^plugin-/, '')
  if (below === '') return undefined
  if (/(?:^|\/)strapi-server$/.test(below)) return runtime.plugins.fileOf(plugin, { part: 'server' })
  if (!/^(?:dist\/)?server(?:\/|$)/.test(below)) return undefined
  const file = pluginFile(plugin, below)
  return file ? runtime.plugins.fileOf(plugin, file) : absentFile(request, {})
}

const absentFile = (request: string, utils: Bag): object =>
  notCarried(request, whyNotGiven(request, member => utils[member] !== undefined) ?? 'nothing here is like it')
