import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Host, NotFoundError } from '../../../core/index.js'
import { findAbove, StaticBody } from '../../../core/plugin-kit.js'
import { packed } from './packed.js'

/** A page as `npm run build` made it, in memory. */
export interface BuiltPage {
  readonly page: StaticBody
  /** Files by their names, which change with their content. */
  readonly assets: ReadonlyMap<string, StaticBody>
  /** The addresses of the style sheet and the icon, for pages without a script. */
  readonly styles: string
  readonly icon: string
}

interface Asked {
  /** The name of the plugin. */
  readonly name: string
  /** Changes the HTML by settings of the app. */
  readonly edit?: (html: string) => string
}

/**
 * The page of a plugin, for its service: a function that returns it, or responds with 404 where it has not been built. Commands
 * serve no pages, so that none is read for them.
 */
export async function openPage(
  { purpose, log }: Pick<Host, 'purpose' | 'log'>,
  { name, edit = html => html }: Asked,
): Promise<() => BuiltPage> {
  const built = purpose === 'serve' ? await readBuilt(name, edit) : undefined
  if (purpose === 'serve' && !built)
    log.warn(`the page of the ${name} is not built, and is not served: npm run build makes it`)
  return () => {
    if (!built) throw new NotFoundError().because(`the page of the ${name} is not built`)
    return built
  }
}

/** Undefined where the page has not been built, or is being built. */
async function readBuilt(name: string, edit: (html: string) => string): Promise<BuiltPage | undefined> {
  const page = findAbove(import.meta.dirname, `dist/plugins/${name}/built/index.html`)
  if (page === undefined) return undefined
  return readPage(path.dirname(page), edit).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

async function readPage(folder: string, edit: (html: string) => string): Promise<BuiltPage> {
  const html = await readFile(path.join(folder, 'index.html'), 'utf8')
  const assets = path.join(folder, 'assets')
  const names = (await readdir(assets)).filter(name => !/\.(br|gz)$/.test(name))
  return {
    page: await packed('text/html; charset=utf-8', edit(html)),
    assets: new Map(await Promise.all(names.map(async name => [name, await readAsset(assets, name)] as const))),
    styles: /href="([^"]+\.css)"/.exec(html)?.[1] ?? '',
    icon: /href="([^"]+\.svg)"/.exec(html)?.[1] ?? '',
  }
}

async function readAsset(folder: string, name: string): Promise<StaticBody> {
  const [plain, br, gzip] = await Promise.all(['', '.br', '.gz'].map(end => readFile(path.join(folder, name + end))))
  const type = types[path.extname(name)] ?? 'application/octet-stream'
  return new StaticBody(type, plain as Buffer, { br: br as Buffer, gzip: gzip as Buffer })
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
