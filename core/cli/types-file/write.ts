import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { appOutline } from '../../boot/app-outline.js'
import { endpointsOf } from '../../boot/endpoints.js'
import { BootError } from '../../errors.js'
import { listedInMeta } from '../../plugin/find.js'
import { typesFile } from '../../typescript/file.js'
import { type AppOptions, findApp, openApp } from '../app.js'
import type { Io } from '../io.js'

export interface TypesFileOptions extends AppOptions {
  /** The file, relative to where the command runs; true prints the types. */
  readonly ts?: string | true
  readonly check?: true
  readonly watch?: true
}

/** Writes the types of an app to a file, prints them, or tells whether the file is up to date. Needs no database. */
export async function writeTypes(options: TypesFileOptions, io: Io): Promise<number> {
  const { ts, check, watch } = options
  if (typeof ts !== 'string' && (check || watch))
    throw new BootError(
      `--${check ? 'check' : 'watch'} needs a file: stele types --ts <file> --${check ? 'check' : 'watch'}`,
      { kind: 'usage' },
    )
  if (check && watch)
    throw new BootError('--check and --watch exclude each other: one writes nothing, the other writes', {
      kind: 'usage',
    })
  const text = await textOf(options, io)
  if (typeof ts !== 'string') {
    io.stdout.write(text)
    return 0
  }
  const isCurrent = (await written(path.resolve(io.cwd, ts))) === text
  if (check) {
    if (!isCurrent) io.stderr.write(`${ts} is out of date: stele types --ts ${ts} writes it\n`)
    return isCurrent ? 0 : 1
  }
  if (!isCurrent) await write(path.resolve(io.cwd, ts), text)
  io.stdout.write(isCurrent ? `${ts} is up to date\n` : `${ts} written\n`)
  if (watch) await (await import('./watch.js')).watchApp({ ...options, ts }, io)
  return 0
}

async function textOf(options: AppOptions, io: Io): Promise<string> {
  const found = await findApp(options, io, 'look', 'error')
  const outlined = await openApp(found, 'outline')
  const { registry, plugins } = outlined
  return typesFile({
    outline: appOutline(outlined, endpointsOf(registry, plugins), found.config),
    listed: await listedInMeta(),
    withheldBy: plugins.flatMap(({ spec }) => spec.withholds?.attribute ?? []),
  })
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}

async function written(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
