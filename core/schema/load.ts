import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseJson } from '../config/syntax.js'
import { BootError } from '../errors.js'
import { snakeCase } from './names.js'
import type { Definition } from './types.js'

/**
 * Reads every schema file of an app folder. Two shapes are known:
 * `content-types/<name>.json` with `content-types/components/<category>/<name>.json`, and a v4 project's
 * `src/api/<api>/content-types/<name>/schema.json` with `src/components/<category>/<name>.json`. In one go, as a start has
 * nothing else to do: a turn on the thread pool for each step takes ten times as long.
 */
export function loadDefinitions(appDir: string): Definition[] {
  return [
    ...readTypes(appDir),
    ...readApis(appDir),
    ...readExtensions(appDir, 'content-types/plugins', ''),
    ...readExtensions(appDir, 'src/extensions', '/content-types'),
    ...readComponents(appDir, 'content-types/components'),
    ...readComponents(appDir, 'src/components'),
  ]
}

function readTypes(appDir: string): Definition[] {
  const found: Definition[] = []
  for (const name of names(appDir, 'content-types')) {
    const relative = `content-types/${name}`
    if (name.endsWith('.json')) found.push(read(appDir, relative, uidOf(name.slice(0, -5))))
    else if (name !== 'components' && name !== 'plugins' && hasSchema(appDir, relative))
      found.push(read(appDir, `${relative}/schema.json`, uidOf(name)))
  }
  return found
}

function readApis(appDir: string): Definition[] {
  const found: Definition[] = []
  for (const api of names(appDir, 'src/api'))
    for (const type of names(appDir, `src/api/${api}/content-types`)) {
      const folder = `src/api/${api}/content-types/${type}`
      if (hasSchema(appDir, folder))
        found.push(read(appDir, `${folder}/schema.json`, singular => `api::${kebabCase(api)}.${singular}`))
    }
  return found
}

function readComponents(appDir: string, root: string): Definition[] {
  const found: Definition[] = []
  for (const category of names(appDir, root))
    for (const file of names(appDir, `${root}/${category}`))
      if (file.endsWith('.json'))
        found.push(read(appDir, `${root}/${category}/${file}`, () => componentUid(root, category, file)))
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

function readExtensions(appDir: string, root: string, below: string): Definition[] {
  const found: Definition[] = []
  for (const plugin of names(appDir, root)) found.push(...readExtension(appDir, `${root}/${plugin}${below}`, plugin))
  return found
}

/** The additions of an app to the content types of a plugin: `<name>.json`, or `<name>/schema.json`. */
function readExtension(appDir: string, folder: string, plugin: string): Definition[] {
  const found: Definition[] = []
  for (const name of names(appDir, folder)) {
    const isFile = name.endsWith('.json')
    if (!isFile && !hasSchema(appDir, `${folder}/${name}`)) continue
    const [short, source] = isFile ? [name.slice(0, -5), `${folder}/${name}`] : [name, `${folder}/${name}/schema.json`]
    found.push(read(appDir, source, () => `plugin::${plugin}.${short}`))
  }
  return found
}

const hasSchema = (appDir: string, folder: string): boolean => names(appDir, folder).includes('schema.json')

const uidOf = (fallback: string) => (singular: string) => `api::${singular || fallback}.${singular || fallback}`

function names(appDir: string, folder: string): string[] {
  try {
    return readdirSync(path.join(appDir, folder))
      .filter(name => !name.startsWith('.'))
      .sort()
  } catch {
    return []
  }
}

function read(appDir: string, source: string, uid: (singular: string) => string): Definition {
  // A mark of the byte order may precede the text.
  const text = readFileSync(path.join(appDir, source), 'utf8').replace(/^\uFEFF/, '')
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
