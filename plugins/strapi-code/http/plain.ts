import type { Project } from '../types.js'
import type { DeclaredRoute } from './declared-routes.js'
import { plainOf } from './made.js'

interface PlainParts {
  readonly project: Project
  /** Words of the code: with some of them it may hear of any request. */
  readonly mentions: ReadonlySet<string>
  readonly hasGlobals: () => boolean
}

/**
 * Tells a standard route of which the code says nothing at all: no controller, service, lifecycle, policy or
 * middleware has a say in it, nor will one at a later time. The server answers it as if there were no code: from its cache,
 * with forms, and with what other plugins add to such a type.
 */
export function isPlain(
  { given, owner }: DeclaredRoute,
  { uid, action }: { readonly uid: string; readonly action: string },
  { project, mentions, hasGlobals }: PlainParts,
): boolean {
  const [, api = '', name = ''] = /^api::([^.]+)\.(.+)$/.exec(uid) ?? []
  const found = project.apis.get(api)
  if (!found || owner.apiName !== api || typeof given.handler !== 'string') return false
  const { policies, middlewares, auth } = given.config ?? {}
  if ([policies, middlewares].flat().some(one => one !== undefined)) return false
  // A route that says nothing of it is given the permission of its handler.
  const { scope, ...more } = Object(auth)
  if (auth !== undefined && (String(scope) !== `${uid}.${action}` || Object.keys(more).length > 0)) return false
  const isMade = (kind: 'controllers' | 'services') => found[kind].get(name)?.[plainOf] === uid
  if (!isMade('controllers') || !isMade('services') || found.contentTypes.get(name)?.lifecycles) return false
  const isHeard = mentions.has('subscribe') || [...project.plugins.values()].some(({ from }) => from === 'installed')
  return !isHeard && !mentions.has('server.use') && !hasGlobals()
}
