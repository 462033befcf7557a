import {
  type Ask,
  type ContentType,
  type Filters,
  InvalidParameter,
  type QueryNode,
  type RouteCall,
  where,
} from '../../core/index.js'
import { isLocalized } from './content-types.js'
import type { I18n } from './index.js'
import { locale, type RequestedFallback, type RequestedLocales } from './parameters.js'

export type Params = {
  readonly locale: RequestedLocales | undefined
  readonly fallback: RequestedFallback | undefined
}

/**
 * Restricts lists and single types to the requested locale. An entry named by its id is that entry in whatever locale, and
 * populated entries and those behind filters may be in any.
 */
export function narrow(node: QueryNode, ask: Ask<Params>, i18n: I18n): QueryNode {
  const { type, action, params, byValue } = ask
  const asked = askedLocales(params, i18n)
  const query = withLanguage(node, asked, i18n)
  if (query.use !== 'root') return query
  // A value is unique within a locale: another entry may have it in another one.
  if (byValue && params.fallback) throw new InvalidParameter(['fallback'], 'cannot be used with by/<field>/<value>')
  const isSingle = type.kind === 'singleType' || byValue === true
  const isRead = action === 'find' || (isSingle && action === 'findOne')
  if (asked === 'any' || (!isRead && !isSingle)) return query
  if (!isRead) oneOf(asked, i18n)
  if (asked === 'all') return isSingle && isRead ? { ...query, several: true } : query
  const chain = isRead && !byValue ? chainOf(asked, params.fallback, i18n) : []
  const isOne = chain.length === 0 && asked.length === 1
  const entries = isOne && i18n.locales.entriesOf(asked[0])
  return where(query, entries || inFirstOf([asked, ...chain.map(code => [code])]), ask)
}

/** Texts are sorted as the one locale sorts them that is asked for. */
function withLanguage(query: QueryNode, asked: RequestedLocales, { locales }: I18n): QueryNode {
  const [code = '', another] = typeof asked === 'object' ? asked : []
  return another === undefined && locales.has(code) ? { ...query, language: code } : query
}

/** The locales of a request: the named ones, or the default. */
export function askedLocales({ locale }: Pick<Params, 'locale'>, { locales, config }: I18n): RequestedLocales {
  if (locale === undefined) return [locales.default]
  if (typeof locale === 'object' && config.strictLocales) refuseUnknown(locale, 'locale', locales)
  return locale
}

/** The locale of the entry of a single type that the query of a route means; undefined where the type has no locales. */
export function localeIn(query: RouteCall['query'], type: ContentType, i18n: I18n): string | undefined {
  if (!isLocalized(type)) return undefined
  const named = query.locale === undefined ? undefined : locale.read(query.locale, { path: ['locale'], type })
  return oneOf(askedLocales({ locale: named }, i18n), i18n)
}

/** The locale in which something is written: the first one, if it is no error that there are more. */
export function oneOf(asked: RequestedLocales, { locales, config }: I18n): string {
  const isOne = asked === 'any' || (typeof asked === 'object' && asked.length === 1)
  if (!isOne && config.strictLocales)
    throw new InvalidParameter(['locale'], 'takes one locale where something is written')
  return (typeof asked === 'object' ? asked[0] : undefined) ?? locales.default
}

function refuseUnknown(codes: readonly string[], parameter: string, locales: I18n['locales']): void {
  const unknown = codes.find(code => !locales.has(code))
  if (unknown === undefined) return
  const name = JSON.stringify(unknown.slice(0, 50))
  throw new InvalidParameter([parameter], `${name} is not a locale; there are ${locales.codes.join(', ')}`)
}

/** The locales to try after the requested one. */
function chainOf(asked: readonly string[], fallback: RequestedFallback | undefined, i18n: I18n): readonly string[] {
  const { locales, config } = i18n
  if (fallback === false) return []
  if (typeof fallback === 'object' && config.strictLocales) refuseUnknown(fallback, 'fallback', locales)
  const configured = configuredChain(asked, config.fallback as Chains)
  const chain =
    typeof fallback === 'object' ? fallback : fallback && configured.length === 0 ? [locales.default] : configured
  return [...new Set(chain)].filter(code => locales.has(code) && !asked.includes(code))
}

/** The setting: one chain for all locales, or one for each, `*` standing for those that are not named. */
export type Chains = readonly string[] | Readonly<Record<string, readonly string[]>>

function configuredChain([code = '']: readonly string[], chains: Chains): readonly string[] {
  if (Array.isArray(chains)) return chains
  const named = chains as Readonly<Record<string, readonly string[]>>
  return named[code] ?? named['*'] ?? []
}

/** An entry in the first of these locales in which the reader may see it. */
function inFirstOf(steps: readonly (readonly string[])[]): Filters {
  const before: string[] = []
  const ways = steps.map(codes => {
    const better = before.length > 0 && { localizations: { $none: oneOfLocales([...before]) } }
    before.push(...codes)
    return { ...oneOfLocales(codes), ...better }
  })
  return ways.length === 1 ? (ways[0] as Filters) : { $or: ways }
}

const oneOfLocales = (codes: readonly string[]): Filters => ({
  locale: codes.length === 1 ? { $eq: codes[0] } : { $in: codes },
})
