import { copyFile, mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { engineOf, isFile, usualEngine } from '../../../config/engines.js'
import { BootError } from '../../../errors.js'
import { makeFolder } from '../../../kit/folder.js'
import { ownVersion } from '../../../kit/own-folder.js'
import { asking } from '../asking.js'
import type { Io } from '../io.js'
import { initialFiles, type NewApp, schemasFolder, typesFile, vendor } from './init-files.js'
import { ownDependency } from './own-package.js'

export interface InitOptions {
  readonly database: string
  /** Undefined asks the person in front of a terminal; without one there is none. */
  readonly console?: boolean
}

/** Creates the folder of a new app, which serves as soon as it is started. */
export async function init(folder: string, { database, console }: InitOptions, io: Io): Promise<void> {
  const target = path.resolve(io.cwd, folder)
  const engine = engineOf(database) ?? usualEngine
  await mustBeFree(target, folder)
  const hasConsole = console ?? (await wantsConsole(io))
  try {
    makeFolder(target)
  } catch (error) {
    throw new BootError(`${folder} cannot be made: ${(error as Error).message}`, { kind: 'usage' })
  }
  const { stele, source } = await vendored(target, ownDependency(await realpath(target), ownVersion()))
  const files = initialFiles({ name: nameOf(target), database: engine, stele, source, hasConsole })
  for (const [name, text] of Object.entries(files)) {
    const place = path.join(target, name)
    await mkdir(path.dirname(place), { recursive: true })
    // A file that appeared meanwhile is not overwritten, and the secrets are for their owner alone.
    await writeFile(place, text, { flag: 'wx', mode: name === '.env' ? 0o600 : 0o644 })
  }
  await writeTypesOf(target, io)
  io.stdout.write(nextSteps(folder, { database: engine, stele, hasConsole }))
}

async function wantsConsole(io: Io): Promise<boolean> {
  if (!io.stdin.isTTY) return false
  const said = await asking(io)('Will people write content on a page of this app, its console? [y/N] ')
  return /^y(es)?$/i.test(said.trim())
}

/** Puts a tarball that the app depends on into the app, so that an image can be built of the app alone. */
export async function vendored(target: string, stele: string): Promise<Pick<NewApp, 'stele' | 'source'>> {
  if (!stele.startsWith('file:')) return { stele, source: 'elsewhere' }
  const place = path.resolve(await realpath(target), stele.slice('file:'.length))
  if (!(await stat(place)).isFile()) return { stele, source: 'folder' }
  const copy = `${vendor}/${path.basename(place)}`
  await mkdir(path.join(target, vendor))
  await copyFile(place, path.join(target, copy))
  return { stele: `file:${copy}`, source: 'tarball' }
}

/** Writes the types of the new app. They follow from its files alone, and not from variables of this process. */
async function writeTypesOf(target: string, io: Io): Promise<void> {
  const { writeFiles } = await import('../types-file/write.js')
  const silent = new PassThrough().resume()
  const within: Io = { ...io, cwd: target, env: {}, stdout: silent, enter: () => undefined }
  await writeFiles({ app: target, files: { ts: typesFile }, schemas: schemasFolder }, within)
}

async function mustBeFree(target: string, folder: string): Promise<void> {
  const found = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new BootError(
      error.code === 'ENOTDIR'
        ? `${folder} is a file; name a new folder`
        : `${folder} cannot be used: ${error.message}`,
      { kind: 'usage' },
    )
  })
  // A folder that is under version control already may have nothing else.
  const [first] = found.filter(name => name !== '.git')
  if (first !== undefined)
    throw new BootError(`${folder} is not empty: it has ${first}; name a new folder`, { kind: 'usage' })
}

/** A name that npm accepts: `My App!` is `my-app`. */
function nameOf(target: string): string {
  const words = path
    .basename(target)
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words?.join('-') ?? 'app'
}

type NamedApp = Pick<NewApp, 'database' | 'stele' | 'hasConsole'>

function nextSteps(folder: string, { database, stele, hasConsole }: NamedApp): string {
  const shown = /^[\w./~-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`
  const fill = isFile(database)
    ? 'Start'
    : `First say in ${path.join(folder, '.env')} where the database is, then\nstart`
  const place = stele.slice('file:'.length)
  const source = !stele.startsWith('file:')
    ? ''
    : place.startsWith(`${vendor}/`)
      ? `\nIts package.json takes stele from ${place}, a copy of the tarball that this copy came from.\n`
      : `\nIts package.json takes stele from ${place}, where this copy came from.\n`
  return `A new app is in ${folder}.
${fill} it:

  cd ${shown}
  npm install
  npm run dev

and send it a request from another terminal:

  curl http://localhost:1337/api/articles
${hasConsole ? first : ''}${source}`
}

const first = `
The start prints a link: it makes the first account of the console, http://localhost:1337/console.
`
