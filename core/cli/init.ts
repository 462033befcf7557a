import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Engine } from '../config/types.js'
import { BootError } from '../errors.js'
import { initialFiles } from './init-files.js'

/** Makes the folder of a new app, which answers as soon as it is started. */
export async function init(folder: string, { database }: { readonly database: Engine }, version: string) {
  const target = path.resolve(folder)
  await mustBeFree(target, folder)
  await makeFolder(target).catch((error: Error) => {
    throw new BootError(`${folder} cannot be made: ${error.message}`)
  })
  for (const [name, text] of Object.entries(initialFiles({ name: nameOf(target), database, version }))) {
    const place = path.join(target, name)
    await mkdir(path.dirname(place), { recursive: true })
    // Nothing that came meanwhile is written over, and the secrets are for their owner alone.
    await writeFile(place, text, { flag: 'wx', mode: name === '.env' ? 0o600 : 0o644 })
  }
  process.stdout.write(nextSteps(folder, database))
}

/** One after the other: Node's own way never ends where a file system refuses new names, as /proc does. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  await makeFolder(path.dirname(folder))
  await mkdir(folder)
}

async function mustBeFree(target: string, folder: string): Promise<void> {
  const found = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new BootError(
      error.code === 'ENOTDIR'
        ? `${folder} is a file; name a new folder`
        : `${folder} cannot be used: ${error.message}`,
    )
  })
  // A folder that is under version control already may have nothing else.
  const [first] = found.filter(name => name !== '.git')
  if (first !== undefined) throw new BootError(`${folder} is not empty: it has ${first}; name a new folder`)
}

/** A name that npm accepts: `My App!` is `my-app`. */
function nameOf(target: string): string {
  const words = path
    .basename(target)
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words?.join('-') ?? 'app'
}

function nextSteps(folder: string, database: Engine): string {
  const shown = /^[\w./~-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`
  const fill = database === 'sqlite' ? '' : `\nFirst say in ${path.join(folder, '.env')} where the database is, then`
  return `A new app is in ${folder}.${fill}
start it:

  ${program()} start --app ${shown}

and ask it:

  curl http://localhost:1337/api/articles
`
}

/** This program, as whoever called it can call it again. */
function program(): string {
  const called = process.argv[1] ?? ''
  if (called.endsWith(`.bin${path.sep}stele`)) return 'npx stele'
  if (path.basename(called) === 'stele') return 'stele'
  const near = path.relative('', called)
  return `node ${near.startsWith('..') ? called : near}`
}
