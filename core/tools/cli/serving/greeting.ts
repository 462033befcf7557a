import type { App } from '../../../kernel.js'
import { counted } from '../../../kit/counted.js'
import type { ForeignPart } from '../doctor/foreign.js'

/** The first output at a terminal: addresses, and requests to try. */
export function greeting(
  { config, routes }: Pick<App, 'config' | 'routes'>,
  port: number,
  { foreign = [], lines = [] }: { readonly foreign?: readonly ForeignPart[]; readonly lines?: readonly string[] } = {},
): string {
  const { host } = config.server
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const base = `http://${shown}:${port}`
  // A list is enough to try; the pages describe everything else.
  const listed = routes.filter(({ method, path, does }) => method === 'GET' && !path.includes(':') && !does)
  const ofApp = listed.filter(({ uid }) => uid?.startsWith('api::') === true)
  // Pages for a browser: open to everyone, and no files. What lies below a page is its own.
  const open = listed.filter(route => route.at === 'root' && !route.action && !route.path.includes('.'))
  const pages = open.filter(({ path }) => !open.some(page => path.startsWith(`${page.path}/`)))
  const others = listed.length - new Set([...ofApp, ...pages]).size
  // Paths of the app itself come first, as its developer looks for them.
  const paths = [...ofApp, ...pages].map(({ at, path }) => (at === 'root' ? path : config.api.prefix + path))
  const served = ofApp.length > 0 ? '' : '    no content types yet\n'
  const list = paths.map(path => `    ${base}${path}\n`).join('')
  const more =
    others > 0 ? `    and ${counted(others, 'more address', 'more addresses')} of plugins: stele routes\n` : ''
  const left = foreign.map(
    ({ what, where, means }) => `    ${what}: ${means}\n${where.map(of => `      ${of}\n`).join('')}`,
  )
  const notRun = left.length > 0 ? `\n  Not run here:\n\n${left.join('')}` : ''
  return `\n  ${config.appDir} is served (${config.environment}):\n\n${served}${list}${more}${notRun}${toldOf(lines)}\n  Ctrl+C stops it.\n\n`
}

/** Lines of plugins for the person in front of the terminal. */
export const toldOf = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\n${lines.map(line => `  ${line}\n`).join('')}`
