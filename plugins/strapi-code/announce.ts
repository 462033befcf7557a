import type { Host, Route } from '../../core/index.js'
import type { Project, Runtime } from './types.js'

/** Says what of a project runs: what was loaded, and the routes that it has beside the standard ones. */
export function announce(
  { project, log }: Pick<Runtime, 'project' | 'log'>,
  routes: readonly Route[],
  host: Host,
): void {
  const parts = countsOf(project)
  const said = parts.map(([count, one, many]) => `${count} ${count === 1 ? one : many}`).join(', ')
  if (said === '') return
  host.log.info(
    { routes: routes.filter(({ run }) => typeof run === 'function').map(nameOf) },
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

const nameOf = ({ method, path, at }: Route): string => `${method} ${at === 'root' ? '' : '/api'}${path}`
