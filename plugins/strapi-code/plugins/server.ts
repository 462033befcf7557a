import path from 'node:path'
import { env } from '../packages/utils/env.js'
import { failureOf } from '../project/failure.js'
import { fileNamed } from '../project/folders.js'
import type { Language } from '../project/language.js'
import { load } from '../project/modules.js'
import { mergeOver } from '../project/paths.js'
import type { Bag, Failure, LoadedPlugin, Loose, PluginServer } from '../types.js'
import type { FoundPlugin } from './found.js'

/** The means by which plugins are loaded. */
export interface PluginLoading {
  readonly appDir: string
  readonly language: Language
  readonly settingsOf: (name: string) => Bag
  readonly fail: (failure: Failure) => void
}

const nothing = (): void => undefined

/** The parts of a plugin that says nothing of them. */
const usual = (): PluginServer => ({
  bootstrap: nothing,
  destroy: nothing,
  register: nothing,
  config: { default: {}, validator: nothing },
  routes: [],
  controllers: {},
  services: {},
  policies: {},
  middlewares: {},
  contentTypes: {},
})

/** Loads the `strapi-server` of a plugin; undefined where it fails, which is told, and of a plugin for the panel alone. */
export function loadPlugin(
  { name, folder, from }: FoundPlugin,
  { appDir, language, settingsOf, fail }: PluginLoading,
): LoadedPlugin | undefined {
  const file = serverFile(folder, language)
  if (file === undefined) return undefined
  try {
    const exported = load(file)
    const given: Loose = typeof exported === 'function' ? exported({ env }) : exported
    const server: PluginServer = { ...usual(), ...membersOf(given) }
    server.config = { ...usual().config, ...Object(server.config) }
    server.contentTypes = typesOf(server.contentTypes)
    const place = path.relative(appDir, file)
    return { name, server, config: configOf(name, server.config, settingsOf(name)), from, file: place }
  } catch (error) {
    if (error instanceof WrongSettings) fail({ file: 'config/plugins', says: error.message })
    else fail(failureOf(appDir, file, error))
    return undefined
  }
}

/** JavaScript is loaded by Strapi, whatever the project is written in; a plugin that is not built has its source. */
export function serverFile(folder: string, language: Language): string | undefined {
  const script: Language = { ...language, extensions: ['.js'], isTypeScript: false }
  return fileNamed(folder, 'strapi-server', script) ?? fileNamed(folder, 'strapi-server', language)
}

/** A module that was an ES module has its members under `default`, or beside it. */
function membersOf(given: Loose): Bag {
  const { default: whole, ...members } = Object(given) as Bag
  return { ...members, ...(typeof whole === 'object' && whole !== null && whole) }
}

/** `{ schema, lifecycles }` of each type, in objects of their own that extensions may change. */
const typesOf = (types: Bag = {}): Bag =>
  Object.fromEntries(
    Object.entries(types)
      .filter(([, type]) => type?.schema)
      .map(([name, type]) => [
        name,
        { ...type, schema: { ...type.schema, attributes: { ...type.schema.attributes } } },
      ]),
  )

/** Settings that a plugin refuses. */
class WrongSettings extends Error {}

/** The settings of the project over those that the plugin begins with, as it finds them good. */
function configOf(name: string, { default: begin, validator }: Bag, said: Bag): Bag {
  const whole = mergeOver(typeof begin === 'function' ? begin({ env }) : (begin ?? {}), said)
  try {
    if (typeof validator === 'function') validator(whole)
  } catch (error) {
    throw new WrongSettings(`Error regarding ${name} config: ${(error as Error).message}`, { cause: error })
  }
  return whole
}
