import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { findAbove, StaticBody } from '../../core/plugin-kit.js'
import { packed } from './body.js'

/** The page as `npm run build` made it, in memory. */
export interface BuiltPage {
  readonly page: StaticBody
  /** Files by their names, which change with their content. */
  readonly assets: ReadonlyMap<string, StaticBody>
  /** The addresses of the style sheet and the icon, for pages without a script. */
  readonly styles: string
  readonly icon: string
}

/** Undefined where the page has not been built, or is being built. */
export async function readBuilt(isOpen: boolean): Promise<BuiltPage | undefined> {
  const page = findAbove(import.meta.dirname, 'dist/plugins/explorer/built/index.html')
  if (page === undefined) return undefined
  return readPage(path.dirname(page), isOpen).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

async function readPage(folder: string, isOpen: boolean): Promise<BuiltPage> {
  const html = await readFile(path.join(folder, 'index.html'), 'utf8')
  const assets = path.join(folder, 'assets')
  const names = (await readdir(assets)).filter(name => !/\.(br|gz)$/.test(name))
  return {
    page: await packed(
      'text/html; charset=utf-8',
      isOpen ? html.replace('content="permission"', 'content="open"') : html,
    ),
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
