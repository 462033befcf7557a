import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageFolder } from '../../../core/plugin-kit.js'
import { needless } from '../not-carried.js'
import { replacedPackages } from '../plugins/found.js'
import type { AppOfCheck } from './project.js'
import type { Finding } from './walk.js'

/** Packages of plugins that the project depends on and that are not installed: nothing loads what is not there. */
export function uninstalledPlugins({ appDir, plugins }: Pick<AppOfCheck, 'appDir' | 'plugins'>): Finding[] {
  const file = 'package.json'
  const text = textOf(path.join(appDir, file))
  return dependenciesIn(text).flatMap((dependency): Finding[] => {
    const [, name] = /(?:^|\/)strapi-plugin-(.+)$/.exec(dependency) ?? []
    if (name === undefined || plugins[name]?.enabled === false || Object.hasOwn(needless, name)) return []
    if (replacedPackages.includes(dependency) || packageFolder(dependency, appDir) !== undefined) return []
    const line = text.slice(0, text.indexOf(`"${dependency}"`)).split('\n').length
    return [{ file, line, says: saysOf(dependency, appDir), package: dependency }]
  })
}

const saysOf = (dependency: string, appDir: string): string =>
  `the plugin ${dependency} is not installed, and what it adds is not there, such as its routes: run npm install in ${appDir}, or remove it`

function dependenciesIn(text: string): string[] {
  try {
    return Object.keys(Object(JSON.parse(text).dependencies))
  } catch {
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
