import type { App } from '../kernel.js'

/** What a person at a terminal wants to see first: where it listens and what to try. */
export function greeting({ config, routes }: Pick<App, 'config' | 'routes'>, port: number): string {
  const { host } = config.server
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const base = `http://${shown}:${port}${config.api.prefix}`
  const paths = routes.filter(({ method, path }) => method === 'GET' && !path.includes(':')).map(({ path }) => path)
  const served = paths.length > 0 ? paths.map(path => `    ${base}${path}\n`).join('') : '    no content types yet\n'
  return `\n  ${config.appDir} is served (${config.environment}):\n\n${served}\n  Ctrl+C stops it.\n\n`
}
