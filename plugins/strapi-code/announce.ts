import type { Host, Route } from '../../core/index.js'
import type { OwnRuntime } from './runtime.js'
import type { Project } from './types.js'

/** Says what of a project runs: what was loaded, and the routes that it has beside the standard ones. */
export function announce({ project, log, http, app }: OwnRuntime, host: Host): void {
  // The first process tells what is the same for all.
  if ((process.env.STELE_WORKER ?? '1') !== '1') return
  const parts = countsOf(project)
  const said = parts.map(([count, one, many]) => `${count} ${count === 1 ? one : many}`).join(', ')
  if (said === '') return
  host.log.info(
    { routes: http.ownRoutes().map(route => nameOf(route, app.config.api.prefix)) },
    `the code of the project runs: ${said}; STELE_STRAPI_CODE=0 serves without it`,
  )
  for (const { says } of project.failures) log.error(`left aside, and its routes answer 501: ${says}`)
  if (host.shares.processes > 1)
    log.warn(
      `the code runs in each of ${host.shares.processes} processes: what it keeps in memory, timers and sockets are those of one process`,
    )
}

type Count = readonly [count: number, one: string, many: string]

function countsOf(project: Project): Count[] {
  const apis = [...project.apis.values()]
  const sum = (of: 'controllers' | 'services' | 'policies' | 'middlewares') =>
    apis.reduce((total, api) => total + api[of].size, 0)
  const counts: Count[] = [
    [sum('controllers'), 'controller', 'controllers'],
    [sum('services'), 'service', 'services'],
    [apis.reduce((total, { routes }) => total + routes.length, 0), 'file of routes', 'files of routes'],
    [sum('policies') + project.policies.size, 'policy', 'policies'],
    [sum('middlewares') + project.middlewares.size, 'middleware', 'middlewares'],
    [lifecyclesIn(project), 'file of lifecycles', 'files of lifecycles'],
    [[...project.extensions.values()].filter(({ server }) => server).length, 'extension', 'extensions'],
    [[...project.plugins.values()].filter(({ from }) => from !== 'ours').length, 'plugin', 'plugins'],
    [project.index.file === undefined ? 0 : 1, 'src/index', 'src/index'],
  ]
  return counts.filter(([count]) => count > 0)
}

const lifecyclesIn = ({ apis }: Project): number =>
  [...apis.values()].reduce(
    (total, { contentTypes }) => total + [...contentTypes.values()].filter(({ lifecycles }) => lifecycles).length,
    0,
  )

type Place = Pick<Route, 'method' | 'path' | 'at'>

const nameOf = ({ method, path, at }: Place, prefix: string): string =>
  `${method} ${at === 'root' ? '' : prefix}${path}`
