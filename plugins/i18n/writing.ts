import { ApplicationError, type Call, type Row, ValidationError, type Write, type Written } from '../../core/index.js'
import { wrong } from './codes.js'
import type { I18n } from './index.js'
import { complete, join, originOf, rejoin } from './localizing.js'
import { askedLocales, oneOf, type Params } from './reading.js'
import { echo, share } from './sharing.js'

type ParamsCall = Call<Params>

/** Gives a new entry its locale, and keeps that of others. */
export async function shapeWrite(write: Write, call: ParamsCall, i18n: I18n): Promise<Write> {
  // Strapi 4 copies stored values to the others without checks: a draft may bring them less than required.
  if (echo in write.data && i18n.config.sharing === 'populated') return { ...write, incomplete: true }
  // Code that writes past the rules says itself where an entry belongs.
  if (write.unchecked) return write
  if (write.action === 'update') await keepLocale(write, call, i18n)
  if (write.action !== 'create') return write
  const locale = localeOf(write, call, i18n)
  if (!i18n.locales.has(locale)) throw unknownLocale(i18n)
  const placed = { ...write, set: { ...write.set, locale } }
  if (originOf(write.data) !== undefined) return complete(placed, call, i18n)
  await refuseSecond(call, i18n)
  return placed
}

/** Shares the written values of shared attributes with all localizations. */
export async function finishWrite(row: Row, call: Written<Params>, i18n: I18n): Promise<void> {
  const { write } = call
  if (write.action === 'delete' || echo in row || write.unchecked) return
  if (write.gone) return rejoin(row.id, call, i18n)
  const started = await join(row, call, i18n)
  // A concurrent request may have created one in another locale since the first look; only now does it wait for this one.
  if (!started && write.action === 'create') await refuseSecond(call, i18n, row.id)
  if (started) return share(row, { names: withSource(started.sent, call, i18n), touches: true }, call, i18n)
  if (write.action === 'update') await share(row, { names: changed(call, i18n) }, call, i18n)
}

/** Attributes that a new localization shares with the others: those sent with it or, as in Strapi 4, all of them. */
const withSource = (sent: readonly string[], { type }: Call, { config }: I18n): readonly string[] =>
  config.sharing === 'always' ? sent : Object.keys(type.attributes)

/** Attributes that an update shares: those sent or, as in Strapi 4, those in the response beside the other localizations. */
function changed({ type, write, populated, selected }: Written, { config }: I18n): readonly string[] {
  if (config.sharing === 'always') return Object.keys(write.data)
  if (!populated?.includes('localizations')) return []
  return Object.keys(type.attributes).filter(name => type.links.has(name) || (selected?.includes(name) ?? true))
}

const unknownLocale = ({ locales, config }: I18n): ApplicationError =>
  new ApplicationError("This locale doesn't exist", config.strictLocales ? { locales: locales.codes } : {})

/** The body's locale, the query's, or the default one. */
function localeOf({ data }: Write, { type, params }: ParamsCall, i18n: I18n): unknown {
  const { config, locales } = i18n
  const isFirst = type.kind === 'singleType' && originOf(data) === undefined
  // Strapi 4 creates the first entry of a single type in the default locale, and ignores the body's and the query's.
  const named = isFirst && !config.localeFromQuery ? undefined : data.locale
  if (named !== undefined && named !== null) return named
  return config.localeFromQuery ? oneOf(askedLocales(params, i18n), i18n) : locales.default
}

async function keepLocale({ id, data }: Write, { type, session }: ParamsCall, i18n: I18n): Promise<void> {
  if (data.locale === undefined || !i18n.config.strictLocales) return
  const entry = await i18n.entries(type.uid, session).first({ where: { id }, fields: ['locale'] })
  if (entry && entry.locale !== data.locale)
    throw wrong('locale', `locale cannot be changed: the entry is in ${entry.locale}; another locale is another entry`)
}

/** A single type has one entry for each locale, and all of them belong together. */
async function refuseSecond({ type, session }: ParamsCall, i18n: I18n, own = 0): Promise<void> {
  if (type.kind !== 'singleType') return
  const others = { where: { id: { $ne: own } }, fields: ['locale'] }
  if (!(await i18n.entries(type.uid, session).first(others))) return
  throw new ValidationError(
    i18n.config.strictLocales
      ? `${type.singularName} exists in other locales; POST /${type.singularName}/localizations adds one`
      : 'singleType.alreadyExists',
  )
}
