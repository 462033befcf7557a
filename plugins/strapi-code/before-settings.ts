import { makeUtils } from './packages/utils/index.js'
import { addRoot } from './project/modules.js'
import type { Bag, Loose, Strapi } from './types.js'

/**
 * Files of `config/` are read before any plugin is there, and may ask for `@strapi/utils`: it is given to them from here,
 * whether it is installed or not, until the code of the app is loaded.
 */
export function beforeSettings(appDir: string): void {
  const now: Bag = { dirs: { app: { root: appDir } } }
  const later = new Proxy(now, {
    get: (of, name: string) => of[name] ?? (globalThis as Loose).strapi?.[name],
  }) as Strapi
  let utils: Bag | undefined
  const provide = (request: string) => {
    if (request !== '@strapi/utils') return undefined
    utils ??= makeUtils(later)
    return utils
  }
  addRoot({ appDir, compiledTo: undefined, provide, isForSettings: true })
}
