import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { appOutline } from '../../../boot/app-outline.js'
import { wordsOf } from '../../../boot/app-types.js'
import { endpointsOf } from '../../../boot/endpoints.js'
import type { BootOptions, Outline } from '../../../boot/start.js'
import { BootError } from '../../../errors.js'
import type { RawPlugin } from '../../../plugin/arrange.js'
import { filesIn } from '../../../plugin/declared.js'
import { schemaWords } from '../../../plugin/find.js'
import { type AttributeKind, valueTypes } from '../../../schema/field-types.js'
import { linkTypes } from '../../../schema/link-types.js'
import { findApp, openApp } from '../app.js'
import type { CommandOption } from '../command.js'
import type { Io } from '../io.js'
import { editorSchema, editorSchemas } from './editor-schema.js'
import type { FileOptions } from './watch.js'

/** Writes files that follow from an app, prints them, or tells whether they are up to date. Needs no database. */
export async function writeFiles(options: FileOptions, io: Io): Promise<number> {
  const { schemas, check, watch } = options
  mustFit(options)
  const found = await findApp(options, io, 'look', 'error')
  const outlined = await openApp(found, 'outline')
  const files: GeneratedFile[] = []
  for (const [option, name] of Object.entries(options.files)) {
    const text = await textOf(option, outlined, found)
    if (name === true) io.stdout.write(text)
    else files.push({ name, option: `--${option} ${name}`, text })
  }
  if (schemas !== undefined) files.push(...(await schemasIn(schemas, outlined)))
  let areCurrent = true
  for (const file of files) areCurrent = (await (check ? isCurrent : update)(file, io)) && areCurrent
  if (watch) await (await import('./watch.js')).watchApp(options, io)
  return check && !areCurrent ? 1 : 0
}

function mustFit({ files, schemas, check, watch }: FileOptions): void {
  const needsFile = check ? 'check' : watch ? 'watch' : undefined
  if (!Object.values(files).some(name => name !== true) && schemas === undefined && needsFile)
    throw new BootError(`--${needsFile} needs a file: stele types --ts <file> --${needsFile}`, { kind: 'usage' })
  if (check && watch)
    throw new BootError('--check and --watch exclude each other: one writes nothing, the other writes', {
      kind: 'usage',
    })
}

/** A file that follows from the app, and the option that writes it. */
interface GeneratedFile {
  readonly name: string
  readonly option: string
  readonly text: string
}

async function isCurrent({ name, option, text }: GeneratedFile, io: Io): Promise<boolean> {
  if ((await written(path.resolve(io.cwd, name))) === text) return true
  io.stderr.write(`${name} is out of date: stele types ${option} writes it\n`)
  return false
}

async function update({ name, text }: GeneratedFile, io: Io): Promise<boolean> {
  const file = path.resolve(io.cwd, name)
  const isOld = (await written(file)) !== text
  if (isOld) await write(file, text)
  io.stdout.write(isOld ? `${name} written\n` : `${name} is up to date\n`)
  return true
}

/** The text of a file, from an enabled plugin, or from one that comes with the server and that the app does not mention. */
async function textOf(option: string, outlined: Outline, { config }: BootOptions): Promise<string> {
  const { registry, plugins, off } = outlined
  const declared = (specs: readonly RawPlugin[]) =>
    specs.flatMap(spec => filesIn(spec).map(one => ({ ...one, plugin: spec.name }))).find(({ file }) => file === option)
  const found = declared(plugins.map(one => one.spec)) ?? declared(await off())
  if (!found) throw new BootError(`no plugin writes --${option}`, { kind: 'usage' })
  if (config.plugins[found.plugin]?.enabled === false)
    throw new BootError(
      `--${option} is written by the plugin ${found.plugin}, which config/plugins turns off: remove that, and try again`,
    )
  return found.text(appOutline(outlined, endpointsOf(registry, plugins), config))
}

/** The options by which the plugins of an app write files of their own. */
export async function fileOptions(app: string, io: Io): Promise<CommandOption[]> {
  const { plugins } = await openApp(await findApp({ app }, io, 'look', 'error'), 'outline')
  const files = plugins.flatMap(({ spec }) => filesIn(spec))
  return files.map(({ file, describe }) => ({ flags: `--${file} [file]`, says: describe }))
}

/** The JSON schemas of the app's schema files, in the words of its plugins and of those that it may enable. */
async function schemasIn(folder: string, { plugins }: Outline): Promise<GeneratedFile[]> {
  const specs = plugins.map(({ spec }) => spec)
  const kinds = new Map<string, AttributeKind>(
    [...valueTypes, ...linkTypes, ...specs.flatMap(({ fieldTypes = [] }) => fieldTypes)].map(kind => [kind.name, kind]),
  )
  const words = { kinds, ...wordsOf([...(await schemaWords()), ...specs]) }
  return (['type', 'component'] as const).map(form => ({
    name: path.join(folder, editorSchemas[form]),
    option: `--schemas ${folder}`,
    text: `${JSON.stringify(editorSchema(form, words), null, 2)}\n`,
  }))
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
