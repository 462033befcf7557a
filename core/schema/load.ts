import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseJson } from '../config/syntax.js'
import { BootError } from '../errors.js'
import { snakeCase } from './names.js'
import type { Definition } from './types.js'

/** Texts of files in place of those in the folder of an app, by their paths in it; null where there is to be none. */
export type ChangedFiles = ReadonlyMap<string, string | null>

interface AppFolder {
  readonly appDir: string
  readonly changed: ChangedFiles
}

/**
 * Reads every schema file of an app folder. Two shapes are known:
 * `content-types/<name>.json` with `content-types/components/<category>/<name>.json`, and a v4 project's
 * `src/api/<api>/content-types/<name>/schema.json` with `src/components/<category>/<name>.json`. In one go, as a start has
 * nothing else to do: a turn on the thread pool for each step takes ten times as long.
 */
export function loadDefinitions(appDir: string, changed: ChangedFiles = new Map()): Definition[] {
  const app = { appDir, changed }
  return [
    ...readTypes(app),
    ...readApis(app),
    ...readExtensions(app, 'content-types/plugins', ''),
    ...readExtensions(app, 'src/extensions', '/content-types'),
    ...readComponents(app, 'content-types/components'),
    ...readComponents(app, 'src/components'),
  ]
}

function readTypes(app: AppFolder): Definition[] {
  const found: Definition[] = []
  for (const name of names(app, 'content-types')) {
    const relative = `content-types/${name}`
    if (name.endsWith('.json')) found.push(read(app, relative, uidOf(name.slice(0, -5))))
    else if (name !== 'components' && name !== 'plugins' && hasSchema(app, relative))
      found.push(read(app, `${relative}/schema.json`, uidOf(name)))
  }
  return found
}

function readApis(app: AppFolder): Definition[] {
  const found: Definition[] = []
  for (const api of names(app, 'src/api'))
    for (const type of names(app, `src/api/${api}/content-types`)) {
      const folder = `src/api/${api}/content-types/${type}`
      if (hasSchema(app, folder))
        found.push(read(app, `${folder}/schema.json`, singular => `api::${kebabCase(api)}.${singular}`))
    }
  return found
}

function readComponents(app: AppFolder, root: string): Definition[] {
  const found: Definition[] = []
  for (const category of names(app, root))
    for (const file of names(app, `${root}/${category}`))
      if (file.endsWith('.json'))
        found.push(read(app, `${root}/${category}/${file}`, () => componentUid(root, category, file)))
  return found
}

/** The other server reads names of components in lower case, and names of APIs with dashes between words. */
const componentUid = (root: string, category: string, file: string): string => {
  const uid = `${category}.${file.slice(0, -5)}`
  return root.startsWith('src/') ? uid.toLowerCase() : uid
}

const kebabCase = (name: string): string =>
  /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) ? name : snakeCase(name).replaceAll('_', '-')

/** The path of a component's file in the app folder that has the schema file `beside`. */
export function componentFile(uid: string, beside: string): string {
  const root = beside.startsWith('src/') ? 'src' : 'content-types'
  return `${root}/components/${uid.replace('.', '/')}.json`
}

function readExtensions(app: AppFolder, root: string, below: string): Definition[] {
  const found: Definition[] = []
  for (const plugin of names(app, root)) found.push(...readExtension(app, `${root}/${plugin}${below}`, plugin))
  return found
}

/** The additions of an app to the content types of a plugin: `<name>.json`, or `<name>/schema.json`. */
function readExtension(app: AppFolder, folder: string, plugin: string): Definition[] {
  const found: Definition[] = []
  for (const name of names(app, folder)) {
    const isFile = name.endsWith('.json')
    if (!isFile && !hasSchema(app, `${folder}/${name}`)) continue
    const [short, source] = isFile ? [name.slice(0, -5), `${folder}/${name}`] : [name, `${folder}/${name}/schema.json`]
    found.push(read(app, source, () => `plugin::${plugin}.${short}`))
  }
  return found
}

const hasSchema = (app: AppFolder, folder: string): boolean => names(app, folder).includes('schema.json')

const uidOf = (fallback: string) => (singular: string) => `api::${singular || fallback}.${singular || fallback}`

function names({ appDir, changed }: AppFolder, folder: string): string[] {
  const found = new Set(namesIn(path.join(appDir, folder)))
  for (const [file, text] of changed) {
    if (!file.startsWith(`${folder}/`)) continue
    const [name = '', ...below] = file.slice(folder.length + 1).split('/')
    if (text !== null) found.add(name)
    else if (below.length === 0) found.delete(name)
  }
  return [...found].filter(name => !name.startsWith('.')).sort()
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read({ appDir, changed }: AppFolder, source: string, uid: (singular: string) => string): Definition {
  // A mark of the byte order may precede the text.
  const text = (changed.get(source) ?? readFileSync(path.join(appDir, source), 'utf8')).replace(/^\uFEFF/, '')
  let schema: unknown
  try {
    schema = parseJson(text)
  } catch (cause) {
    throw new BootError(`${source} is not valid JSON: ${(cause as Error).message}`, { cause })
  }
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new BootError(`${source} must hold an object, the schema of one type`)
  const { info } = schema as { info?: { singularName?: unknown } }
  return { uid: uid(String(info?.singularName ?? '')), source, schema: schema as Record<string, unknown> }
}
