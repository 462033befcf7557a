import { BootError, type Command, type Config } from '../../../core/index.js'
import { type AppOfCheck, checkCode, type Finding } from './index.js'
import type { TypeOfCheck } from './project.js'
import { uninstalledPlugins } from './uninstalled.js'

type Types = Iterable<TypeOfCheck & { readonly uid: string }>

/** An app as the check knows it. */
export function appOfCheck({ appDir, plugins, foreign }: Config, types: Types): AppOfCheck {
  return {
    appDir,
    plugins: plugins as AppOfCheck['plugins'],
    middlewares: foreign.middlewares,
    types: new Map([...types].map(type => [type.uid, type])),
  }
}

/** `stele strapi-code check` */
export const runCheck: Command['run'] = ({ app: { app, types }, json, print, table }) => {
  const looked = appOfCheck(app, types.types.values() as Types)
  const uninstalled = uninstalledPlugins(looked)
  const named = new Set(uninstalled.map(one => one.package))
  const inCode = checkCode(looked).filter(one => one.package === undefined || !named.has(one.package))
  const found = [...uninstalled, ...inCode]
  if (json) table(found.map(({ file, line, says }) => ({ file, line, says })))
  else for (const line of linesOf(found)) print(line)
  if (found.length > 0)
    throw new BootError(`${summary(found)} of the code that nothing here carries`, { kind: 'failed' })
}

const summary = ({ length }: readonly Finding[]): string =>
  `there ${length === 1 ? 'is 1 place' : `are ${length} places`}`

function linesOf(found: readonly Finding[]): string[] {
  if (found.length === 0) return ['all that the code of the project calls is here']
  return found.map(({ file, line, says }) => `${file}, line ${line}: ${says}`)
}
