import type { ModuleMeta } from '../../model/extensions.js'
import { type Texts, type TextValues, textIn } from '../../model/text.js'
import { meta } from '../shell/session.js'
import { language, t } from '../text.js'

/** Milliseconds after which a module that has not loaded has failed. */
const limit = 8000

/** A module with the texts of its plugin. */
export interface LoadedModule {
  /** Its export of that name. */
  readonly run: (...given: unknown[]) => unknown
  readonly t: (key: string, values?: TextValues) => string
}

const loading = new Map<string, Promise<LoadedModule>>()

/** Loads what a module exports; it fails where the module does, or takes too long. One that has failed is tried again. */
export function loaded(extension: ModuleMeta, name: 'mount' | 'run'): Promise<LoadedModule> {
  const { module } = extension
  // Its texts are those of one language.
  const key = `${language()} ${name} ${module}`
  const found = loading.get(key) ?? inTime(load(extension, name))
  loading.set(key, found)
  found.catch(() => loading.delete(key))
  return found
}

async function load({ module, plugin }: ModuleMeta, name: string): Promise<LoadedModule> {
  // Modules may import it.
  await import('./kit.js')
  const [exported, texts] = await Promise.all([import(/* @vite-ignore */ module), textsOf(plugin)])
  const run: unknown = exported[name]
  if (typeof run !== 'function') throw new Error(t('extension.noExport', { name }))
  return { run: run as LoadedModule['run'], t: (key, values) => textIn(texts, language(), key, values) }
}

/** The texts of a plugin in the language of the page, or else in English. */
async function textsOf(plugin: string): Promise<Texts> {
  const known = meta.peek()?.extensions.texts[plugin] ?? {}
  const address = known[language()] ?? known.en
  return address === undefined ? {} : (await fetch(address)).json()
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(t('extension.late', { count: limit / 1000 }))), limit)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
