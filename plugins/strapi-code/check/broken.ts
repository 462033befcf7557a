import type { Route } from '../../../core/index.js'
import { CodeError } from '../http/errors.js'
import { keyOf } from '../http/paths.js'
import type { Project } from '../types.js'
import { refusedByExtensions } from './extensions.js'
import { CodeOnDisk } from './project.js'
import { type AppOfRefusals, appOfRefusals, Refused } from './refuse.js'
import type { Refusing } from './refusing.js'
import { routesOnDisk } from './route-files.js'

/** The response to a request that needs what could not be loaded; the reason is in the log. */
export const needsBroken = (cause?: unknown): CodeError =>
  new CodeError(
    {
      ...{ status: 501, name: 'NotImplementedError', details: {} },
      message: 'This route needs code that could not be loaded',
    },
    cause,
  )

const refuse = (): never => {
  throw needsBroken()
}

type Failed = Pick<Project, 'failures'>

/** The files that failed, as they were asked for: what is wrong may be in one that they load. */
const filesOf = ({ failures }: Failed): string[] => failures.flatMap(({ file, asked }) => asked ?? file)

/** The file of a type that could not be loaded, and without which its actions are other ones. */
export function failedOf(project: Failed, uid: string): string | undefined {
  const [, api, name] = /^api::([^.]+)\.(.+)$/.exec(uid) ?? []
  if (project.failures.length === 0 || api === undefined) return undefined
  const places = [
    ...['controllers', 'services'].map(part => `src/api/${api}/${part}/${name}.`),
    `src/api/${api}/content-types/${name}/lifecycles.`,
  ]
  return filesOf(project).find(file => places.some(place => file.startsWith(place)))
}

export function assertLoaded(project: Failed, uid: string): void {
  const failed = failedOf(project, uid)
  if (failed !== undefined) throw new Error(`${failed} could not be loaded`)
}

/** The routes of an app's code with those that stand in files that could not be loaded: the latter answer 501. */
export function withBroken<T extends object>(project: Failed, app: AppOfRefusals, routes: readonly T[]): (T | Route)[] {
  const files = new Set(filesOf(project))
  const isConcerned = (file: string) => /^src\/(?:api\/[^/]+\/routes|extensions|plugins)\//.test(file)
  if (![...files].some(isConcerned)) return [...routes]
  const code = new CodeOnDisk(appOfRefusals(app))
  const broken = brokenIn(code, files)
  const places = new Set(broken.map(({ route }) => keyOf(route)))
  const isRoute = (one: object): one is Route => 'run' in one
  // The server has one route for the same requests: it is the broken one.
  const kept = routes.map(one => (isRoute(one) && places.has(keyOf(one)) ? { ...one, run: refuse } : one))
  const there = new Set(routes.flatMap(one => (isRoute(one) ? [keyOf(one)] : [])))
  const added = broken.filter(({ route }) => !there.has(keyOf(route)))
  return [...added.map(({ route }) => ({ ...route, actsAs: { uid: '', action: '' }, run: refuse })), ...kept]
}

function brokenIn(code: CodeOnDisk, files: ReadonlySet<string>): Refusing[] {
  const refused = new Refused(code, routesOnDisk(code))
  const isBroken = ({ file }: Refusing) => files.has(file)
  const all = [...refused.written(), ...refused.ofRouters(), ...refused.ofPlugins(), ...refusedByExtensions(code)]
  const once = new Map(all.filter(isBroken).map(one => [keyOf(one.route), one]))
  return [...once.values()]
}
