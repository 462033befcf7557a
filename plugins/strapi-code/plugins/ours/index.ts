import { optional } from '../../../../core/index.js'
import { upload } from '../../../upload/index.js'
import { usersPermissions } from '../../../users-permissions/index.js'
import type { Bag, Fn, LoadedPlugin, Loose, Runtime } from '../../types.js'
import { emailFacade } from './email.js'
import { graphqlFacade } from './graphql/index.js'
import { localesFacade } from './i18n.js'
import { uploadFacade } from './upload.js'
import { accountsFacade } from './users-permissions/index.js'
import * as accountValidation from './users-permissions/validation.js'

/** A plugin of this server for code, and what it has beside what all have. */
export interface Ours {
  readonly plugin: LoadedPlugin
  readonly more?: Bag
}

/** The package that a project has to depend on; without it the plugin is disabled. */
const needed: Readonly<Record<string, string | undefined>> = {
  'users-permissions': '@strapi/plugin-users-permissions',
  i18n: '@strapi/plugin-i18n',
  graphql: '@strapi/plugin-graphql',
  upload: undefined,
  email: undefined,
}

const makers: Readonly<Record<string, (runtime: Runtime, config: Bag) => Ours>> = {
  email: emailFacade,
  upload: (runtime, config) => ({ plugin: uploadFacade(runtime, config) }),
  graphql: (runtime, config) => ({ plugin: graphqlFacade(runtime, config) }),
  i18n: (runtime, config) => ({ plugin: localesFacade(runtime, config) }),
  'users-permissions': (runtime, config) => ({ plugin: accountsFacade(runtime, config) }),
}

/** The functions by which plugins check bodies, by plugin and file. */
export const validations: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Fn>>>>>> = {
  'users-permissions': accountValidation,
}

export const isOurs = (name: string): boolean => Object.hasOwn(makers, name)

interface Enabling {
  /** `config/plugins`, read. */
  readonly plugins: Readonly<Record<string, { readonly enabled: boolean }>>
  /** The packages of the project's package.json. */
  readonly dependencies: readonly string[]
}

/** True where an app has a plugin of this server enabled. */
export function isEnabled(name: string, { plugins, dependencies }: Enabling): boolean {
  const { [name]: ofPackage } = needed
  const isThere = ofPackage === undefined || dependencies.length === 0 || dependencies.includes(ofPackage)
  return plugins[name]?.enabled !== false && isThere
}

/** The plugins of this server that code may know, as far as the app has them enabled. */
export function oursOf(runtime: Runtime, settingsOf: (name: string) => Bag): Ours[] {
  const { plugins } = runtime.app.config
  const dependencies = Object.keys(runtime.project.config.get(['info', 'dependencies'], {}))
  return Object.entries(makers)
    .filter(([name]) => isEnabled(name, { plugins, dependencies }))
    .map(([name, make]) => make(runtime, settingsOf(name)))
}

/** Settings that Strapi's plugins store as they start, and code reads: here they are stored once they differ from the usual. */
export async function settingOf({ host }: Pick<Runtime, 'host'>, key: string): Promise<unknown> {
  const [, plugin, name = ''] = /^plugin_(users-permissions|upload)_(advanced|email|grant|settings)$/.exec(key) ?? []
  if (!host || plugin === undefined) return undefined
  const stored = (
    plugin === 'upload' ? host.service(optional(upload))?.host : host.service(optional(usersPermissions))?.host
  )?.shares.stored as Loose
  return (plugin === 'upload') === (name === 'settings') ? stored?.get(name) : undefined
}
