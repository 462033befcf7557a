import { NotFoundError, type Route, type RouteCall } from '../../../core/index.js'
import type { BaseType } from '../description/base.js'
import type { Console } from '../service.js'

/** Addresses of Strapi's panel stand in mails and bookmarks: they lead to the page that shows the same. */
export const redirectRoutes: readonly Route<Console>[] = ['/admin', '/admin/*rest'].map(path => ({
  method: 'ALL',
  path,
  at: 'root',
  action: null,
  credentials: 'ignored',
  body: 'none',
  describe: 'addresses of the panel of Strapi 4 lead to the console',
  answers: { 302: 'nothing' },
  run: redirect,
}))

function redirect({ ctx, service, query }: RouteCall<Console>): void {
  if (!['GET', 'HEAD'].includes(ctx.method))
    throw new NotFoundError(
      'The admin API of Strapi 4 does not exist here: editors work at /console, and the content API has the same entries',
    )
  ctx.redirect(addressOf(ctx.path, query, service.base.types))
  // The address belongs to other servers, too: one that takes over again has it back at once.
  ctx.set('Cache-Control', 'no-store')
}

type Query = Readonly<Record<string, unknown>>

/** The address in the console for one of Strapi's panel. */
export function addressOf(path: string, query: Query, types: readonly BaseType[]): string {
  const [, , first = '', ...rest] = path.split('/').map(decoded)
  if (first === 'content-manager') return contentAddress(rest, query, types)
  if (first === 'plugins') return pluginAddress(rest, query)
  if (first === 'settings') return `/console/settings${settingsOf(rest)}`
  if (first === 'me') return '/console/settings/profile'
  if (first === 'auth') return signInAddress(rest, query)
  return '/console'
}

function contentAddress([kind, uid, id]: readonly string[], query: Query, types: readonly BaseType[]): string {
  const type = types.find(one => one.uid === uid)
  if (!type || type.path === undefined) return '/console'
  const { plugins, locale: plain } = query
  const locale = textOf(Object(Object(plugins).i18n).locale) ?? textOf(plain)
  const end = locale === undefined || !type.options.localized ? '' : `?locale=${encodeURIComponent(locale)}`
  if (kind === 'single-types' || type.kind === 'singleType') return `/console/s/${type.singular}${end}`
  const entry = id === 'create' ? '/new' : /^\d+$/.test(id ?? '') ? `/${id}` : ''
  return `/console/c/${type.singular}${entry}${end}`
}

function pluginAddress([plugin]: readonly string[], { folder }: Query): string {
  if (plugin !== 'upload') return '/console'
  return /^\d+$/.test(textOf(folder) ?? '') ? `/console/media?folder=${folder}` : '/console/media'
}

const settings: Readonly<Record<string, string>> = {
  users: '/accounts',
  roles: '/roles',
  'api-tokens': '/tokens',
  webhooks: '/webhooks',
  internationalization: '/languages',
  'audit-logs': '/activity',
}

function settingsOf([part = '', below]: readonly string[]): string {
  if (part === 'users-permissions' && below === 'roles') return '/api-roles'
  const section = Object.hasOwn(settings, part) ? (settings[part] as string) : ''
  const hasId = (part === 'users' || part === 'roles') && /^\d+$/.test(below ?? '')
  return hasId ? `${section}/${below}` : section
}

/** A code stands behind `#`, where no server and no log has it from then on. */
function signInAddress([page]: readonly string[], { code, registrationToken }: Query): string {
  const sent = encodeURIComponent(textOf(page === 'register' ? registrationToken : code) ?? '')
  if (page === 'reset-password') return `/console/password${sent && `#${sent}`}`
  return page === 'register' && sent ? `/console/invitation#${sent}` : '/console'
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
