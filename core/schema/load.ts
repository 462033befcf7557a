import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseJson } from '../config/syntax.js'
import { BootError } from '../errors.js'
import type { Definition } from './types.js'

/**
 * Reads every schema file of an app folder. Two shapes are known:
 * `content-types/<name>.json` with `content-types/components/<category>/<name>.json`, and a v4 project's
 * `src/api/<api>/content-types/<name>/schema.json` with `src/components/<category>/<name>.json`.
 */
export async function loadDefinitions(appDir: string): Promise<Definition[]> {
  return [
    ...(await readTypes(appDir)),
    ...(await readApis(appDir)),
    ...(await readExtensions(appDir, 'content-types/plugins', '')),
    ...(await readExtensions(appDir, 'src/extensions', '/content-types')),
    ...(await readComponents(appDir, 'content-types/components')),
    ...(await readComponents(appDir, 'src/components')),
  ]
}

async function readTypes(appDir: string): Promise<Definition[]> {
  const found: Definition[] = []
  for (const name of await names(appDir, 'content-types')) {
    const relative = `content-types/${name}`
    if (name.endsWith('.json')) found.push(await read(appDir, relative, uidOf(name.slice(0, -5))))
    else if (name !== 'components' && name !== 'plugins' && (await hasSchema(appDir, relative)))
      found.push(await read(appDir, `${relative}/schema.json`, uidOf(name)))
  }
  return found
}

async function readApis(appDir: string): Promise<Definition[]> {
  const found: Definition[] = []
  for (const api of await names(appDir, 'src/api'))
    for (const type of await names(appDir, `src/api/${api}/content-types`)) {
      const folder = `src/api/${api}/content-types/${type}`
      if (await hasSchema(appDir, folder))
        found.push(await read(appDir, `${folder}/schema.json`, singular => `api::${api}.${singular}`))
    }
  return found
}

async function readComponents(appDir: string, root: string): Promise<Definition[]> {
  const found: Definition[] = []
  for (const category of await names(appDir, root))
    for (const file of await names(appDir, `${root}/${category}`))
      if (file.endsWith('.json'))
        found.push(await read(appDir, `${root}/${category}/${file}`, () => `${category}.${file.slice(0, -5)}`))
  return found
}

/** Where the file of a component would be in the app folder that has the schema file `beside`. */
export function componentFile(uid: string, beside: string): string {
  const root = beside.startsWith('src/') ? 'src' : 'content-types'
  return `${root}/components/${uid.replace('.', '/')}.json`
}

async function readExtensions(appDir: string, root: string, below: string): Promise<Definition[]> {
  const found: Definition[] = []
  for (const plugin of await names(appDir, root))
    found.push(...(await readExtension(appDir, `${root}/${plugin}${below}`, plugin)))
  return found
}

/** What an app adds to the content types of a plugin: `<name>.json`, or `<name>/schema.json`. */
async function readExtension(appDir: string, folder: string, plugin: string): Promise<Definition[]> {
  const found: Definition[] = []
  for (const name of await names(appDir, folder)) {
    const isFile = name.endsWith('.json')
    if (!isFile && !(await hasSchema(appDir, `${folder}/${name}`))) continue
    const [short, source] = isFile ? [name.slice(0, -5), `${folder}/${name}`] : [name, `${folder}/${name}/schema.json`]
    found.push(await read(appDir, source, () => `plugin::${plugin}.${short}`))
  }
  return found
}

const hasSchema = async (appDir: string, folder: string): Promise<boolean> =>
  (await names(appDir, folder)).includes('schema.json')

const uidOf = (fallback: string) => (singular: string) => `api::${singular || fallback}.${singular || fallback}`

async function names(appDir: string, folder: string): Promise<string[]> {
  try {
    return (await readdir(path.join(appDir, folder))).filter(name => !name.startsWith('.')).sort()
  } catch {
    return []
  }
}

async function read(appDir: string, source: string, uid: (singular: string) => string): Promise<Definition> {
  const text = await readFile(path.join(appDir, source), 'utf8')
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
