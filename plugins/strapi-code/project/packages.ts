import { NotCarried, packageFile, utilIn, whyNotGiven } from '../not-carried.js'
import { makeStrapiPackage } from '../packages/strapi.js'
import { makeUtils } from '../packages/utils/index.js'
import type { Bag, Loose, Runtime } from '../types.js'

/** The modules that the code of one app gets for packages of Strapi, whether they are installed or not. */
export class ProvidedPackages {
  readonly #runtime: () => Runtime
  readonly #made = new Map<string, object>()

  constructor(runtime: () => Runtime) {
    this.#runtime = runtime
  }

  /** The module for a request; undefined where it is left to the project's packages. Throws where nothing is like it. */
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
  throw refused(request, {})
}

function ofUtils(below: string, { runtime, request }: PackageRequest): object {
  const parts = partsOf(runtime)
  parts.utils ??= makeUtils(runtime.strapi)
  const member = utilIn(below)
  const found = member === undefined ? parts.utils : parts.utils[member]
  if (found !== undefined) return found
  throw refused(request, parts.utils)
}

/** Code of plugins: `strapi-server` is the plugin as extensions see it; other files of theirs are Strapi's own. */
function ofPlugin(below: string, { runtime, request, name }: PackageRequest): object | undefined {
  const plugin = name.replace(/^plugin-/, '')
  if (below === '') return undefined
  if (/(?:^|\/)strapi-server$/.test(below)) return runtime.project.plugins.get(plugin)?.server
  if (/^(?:dist\/)?server\/utils(?:\/index)?$/.test(below))
    return { getService: (service: string) => runtime.strapi.plugin(plugin)?.service(service) }
  if (!/^(?:dist\/)?server(?:\/|$)/.test(below)) return undefined
  throw refused(request, {})
}

const refused = (request: string, utils: Bag): NotCarried =>
  new NotCarried(request, whyNotGiven(request, member => utils[member] !== undefined) ?? 'nothing here is like it')
