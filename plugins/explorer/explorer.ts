import { type Caller, type Host, optional, type SettingsOf } from '../../core/index.js'
import type { StaticBody } from '../../core/plugin-kit.js'
import { graphql } from '../graphql/index.js'
import { i18n } from '../i18n/index.js'
import { type BuiltPage, openPage } from '../pages/serving/built.js'
import { namesOf } from '../pages/serving/names.js'
import { packed } from '../pages/serving/packed.js'
import type { CallerInfo, Metadata } from './builder/metadata.js'
import { metadataOf } from './metadata.js'
import { isOpenTo, type schema } from './settings.js'
import { timingFor } from './timing.js'

export type ExplorerHost = Host<SettingsOf<typeof schema>>

/** The service behind the plugin's pages. */
export interface Explorer {
  /** The app's description needs no permission. */
  readonly isOpen: boolean
  /** Tells the cost of responses; undefined if no caller may see it. */
  readonly timing: ReturnType<typeof timingFor>
  /** The page as it was built; it is no page while that has not been done. */
  built(): BuiltPage
  /** The app's description. The routes are known when the first request comes, and not before. */
  metadata(): Metadata
  /** The same, as it is sent. */
  description(): Promise<StaticBody>
  /** The caller's permissions. */
  caller(caller: Caller): CallerInfo
}

export async function startExplorer(host: ExplorerHost): Promise<Explorer> {
  const { app, config } = host
  const isOpen = isOpenTo(config.access, app.environment)
  const built = await openPage(host, {
    name: 'explorer',
    edit: html => (isOpen ? html.replace('content="permission"', 'content="open"') : html),
  })
  let known: Metadata | undefined
  let description: Promise<StaticBody> | undefined
  const metadata = () => {
    known ??= metadataOf(host.outline, namesOf(app.appDir), host.service(optional(graphql))?.describe())
    return known
  }
  return {
    isOpen,
    timing: timingFor(config.timing, app.environment),
    built,
    metadata,
    description: () => {
      description ??= packed('application/json; charset=utf-8', JSON.stringify(metadata()))
      return description
    },
    caller: caller => ({ can: actionsOf(metadata(), caller), choices: choicesOf(host) }),
  }
}

/** The caller's permissions on the types and the other endpoints of the app. */
function actionsOf({ types, routes }: Metadata, caller: Caller): CallerInfo['can'] {
  const asked = new Map<string, Set<string>>(types.map(({ uid, actions }) => [uid, new Set(['find', ...actions])]))
  for (const { permission } of routes) {
    if (permission === undefined) continue
    const cut = permission.lastIndexOf('.')
    const [uid, action] = [permission.slice(0, cut), permission.slice(cut + 1)]
    asked.set(uid, (asked.get(uid) ?? new Set()).add(action))
  }
  const allowed = [...asked].map(
    ([uid, actions]) => [uid, [...actions].filter(action => caller.can(action, uid))] as const,
  )
  return Object.fromEntries(allowed.filter(([, actions]) => actions.length > 0))
}

/** Values of parameters that change while the server runs. */
function choicesOf(host: ExplorerHost): CallerInfo['choices'] {
  const locales = host.service(optional(i18n))?.locales
  return locales ? { locale: [...locales.list.map(({ code }) => code), 'all'] } : {}
}
