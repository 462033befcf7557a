import { coreRouter } from '../http/core-router.js'
import { complaint, type DeclaredRoute } from '../http/declared-routes.js'
import { readHandler } from '../http/handlers.js'
import type { Bag } from '../types.js'
import type { CodeOnDisk } from './project.js'
import { type Around, type RouterInFile, routesOnDisk } from './route-files.js'
import type { Source } from './source.js'
import type { Finding } from './walk.js'

/** A route as it is looked through: its own, or one that a router makes. */
interface RouteInFile extends Around {
  readonly source: Source
  readonly line: number
  readonly api: string
  readonly method: string | undefined
  readonly path: string
  readonly handler: string | undefined
}

/** Handlers, policies and middlewares that routes and `config/middlewares` name and that no file defines. */
export function wrongRoutes(code: CodeOnDisk): Finding[] {
  const { routes, routers } = routesOnDisk(code)
  const all: RouteInFile[] = [...routes, ...routers.flatMap(router => standardRoutes(code, router))]
  return [...all.flatMap(route => wrongIn(code, route)), ...wrongGlobals(code)]
}

/** The routes that a router makes, each with what its file says of it. */
export function standardRoutes({ app }: CodeOnDisk, router: RouterInFile): RouteInFile[] {
  const { uid, prefix, only, except, around, source, line } = router
  const type = app.types.get(uid)
  if (!type || type.kind === 'component') return []
  const { kind, singularName, pluralName } = type
  const options = { ...(only && { only }), ...(except && { except }) }
  const { routes } = coreRouter(() => ({ uid, kind, singularName, pluralName }), options)
  const [, api = ''] = /^api::([^.]+)\./.exec(uid) ?? []
  return (routes as Bag[]).map(({ method, path, handler }) => ({
    ...{ source, line, api, method, path: `${prefix ?? ''}${path}`, handler },
    ...(around.get(handler.slice(uid.length + 1)) ?? bareRoute),
  }))
}

const bareRoute: Around = { policies: [], middlewares: [], hasAuth: false }

function wrongIn(code: CodeOnDisk, route: RouteInFile): Finding[] {
  const { source, line, method = 'GET', path, policies, middlewares, api } = route
  const wrong = [
    complaint({ given: { method, path, handler: route.handler ?? (() => undefined) } } as unknown as DeclaredRoute),
    wrongHandler(code, route),
    ...policies.map(name => {
      const uids = name === undefined ? [] : name.includes('::') ? [name] : [`api::${api}.${name}`, `global::${name}`]
      return isThere(code, 'policies', uids) ? undefined : `Could not find policy "${name}"`
    }),
    ...middlewares.map(name => {
      const uids = name === undefined ? [] : [name.includes('::') ? name : `api::${api}.${name}`]
      return isThere(code, 'middlewares', uids) ? undefined : `Middleware ${name} not found.`
    }),
  ]
  const [first] = wrong.filter(one => one !== undefined)
  if (first === undefined) return []
  return [{ file: source.place, line, says: `Error creating endpoint ${method} ${path}: ${first}` }]
}

/** Parts of plugins are theirs to have. */
const isThere = (code: CodeOnDisk, kind: 'policies' | 'middlewares', uids: readonly string[]): boolean =>
  uids.length === 0 || uids.some(uid => uid.startsWith('plugin::') || code.fileOf(kind, uid) !== undefined)

function wrongHandler(code: CodeOnDisk, { handler, api }: RouteInFile): string | undefined {
  if (handler === undefined) return undefined
  const { uid, action } = readHandler(handler.trim(), { apiName: api })
  if (uid.startsWith('plugin::') || uid.startsWith('admin::')) return undefined
  const found = code.partOf('controllers', uid)
  if (!found) return `Cannot read properties of undefined (reading '${action}')`
  const { source, own } = found
  const isEmpty = source.exported === undefined && source.wrong === undefined
  return isEmpty || (own && code.reader.member(own, action)?.kind === 'missing')
    ? `Handler not found "${handler}"`
    : undefined
}

/** Middlewares of the project that `config/middlewares` names. */
function wrongGlobals(code: CodeOnDisk): Finding[] {
  const { middlewares } = code.app
  const names = (Array.isArray(middlewares) ? middlewares : []).flatMap(entry => {
    const { name, resolve } = typeof entry === 'string' ? ({ name: entry } as Bag) : (Object(entry) as Bag)
    return typeof name === 'string' && resolve === undefined && /^(?:global|api)::/.test(name) ? [name] : []
  })
  return names
    .filter(name => !isThere(code, 'middlewares', [name]))
    .map(name => ({ ...placeIn(code, name), says: `Middleware ${name} not found.` }))
}

function placeIn({ sources }: CodeOnDisk, name: string): Pick<Finding, 'file' | 'line'> {
  const source = sources.find(({ place, text }) => /^config\/.*middlewares\.\w+$/.test(place) && text.includes(name))
  const before = source?.text.slice(0, source.text.indexOf(name)).split('\n').length ?? 1
  return { file: source?.place ?? 'config/middlewares', line: before }
}
