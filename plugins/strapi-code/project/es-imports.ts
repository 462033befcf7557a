import { readFileSync } from 'node:fs'
import Module from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../../../core/plugin-kit.js'
import type { Bag, Loose } from '../types.js'

type Provide = (request: string, from: string | undefined) => object | undefined

/** The hooks that answer in the same thread, which Node.js has from 22.15 on. */
const { registerHooks } = Module as unknown as { readonly registerHooks?: (hooks: object) => void }

/**
 * Answers the imports of ES modules for what is provided, by the address of a module that gives it. Those are imports of
 * packages: ES modules of a project are compiled to CommonJS.
 */
export function answerImports(provide: Provide): void {
  registerHooks?.({
    resolve(specifier: string, context: { conditions?: readonly string[]; parentURL?: string }, next: Loose) {
      const isImport = specifier.startsWith('@strapi/') && !context.conditions?.includes('require')
      const from = context.parentURL?.startsWith('file:') ? fileURLToPath(context.parentURL) : undefined
      const exported = isImport ? provide(specifier, from) : undefined
      if (exported === undefined) return next(specifier, context)
      return { url: addressOf(specifier, exported), format: 'module', shortCircuit: true }
    },
  })
}

const importable = ['@strapi/strapi', '@strapi/utils']

/**
 * The same in Node.js before 22.15, where hooks have a thread of their own: it is begun for projects alone that have a
 * package of ES modules which depends on Strapi.
 */
export function answerImportsOfPackages(appDir: string, provide: (request: string) => object | undefined): void {
  if (registerHooks || !hasModulesForStrapi(appDir)) return
  const addresses = importable.flatMap(name => {
    const exported = provide(name)
    return exported ? [[name, addressOf(name, exported)] as const] : []
  })
  Module.register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: Object.fromEntries(addresses) })
}

const hooks = `
let addresses = {}
export const initialize = given => { addresses = given }
export const resolve = (specifier, context, next) =>
  Object.hasOwn(addresses, specifier)
    ? { url: addresses[specifier], format: 'module', shortCircuit: true }
    : next(specifier, context)
`

function hasModulesForStrapi(appDir: string): boolean {
  const { dependencies } = packageIn(appDir)
  return Object.keys(Object(dependencies)).some(name => {
    const { type, dependencies: own, peerDependencies } = packageIn(packageFolder(name, appDir))
    return type === 'module' && importable.some(one => Object.hasOwn({ ...own, ...peerDependencies }, one))
  })
}

function packageIn(folder: string | undefined): Bag {
  if (folder === undefined) return {}
  try {
    return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  } catch {
    return {}
  }
}

/** Modules of addresses find it, as they can be given nothing. */
const shared = new Map<string, object>()
Object.assign(globalThis, { [Symbol.for('stele.strapi-code.modules')]: shared })

/** A module that gives what stands in this process under a name. A member may need a package that is not there. */
function addressOf(name: string, exported: object): string {
  shared.set(name, exported)
  const members = Object.keys(exported).filter(key => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default')
  const source = [
    `const all = globalThis[Symbol.for('stele.strapi-code.modules')].get(${JSON.stringify(name)})`,
    'const memberOf = key => { try { return all[key] } catch { return undefined } }',
    'export default all',
    ...members.map(key => `const of_${key} = memberOf('${key}'); export { of_${key} as ${key} }`),
  ].join('\n')
  return `data:text/javascript,${encodeURIComponent(source)}`
}
