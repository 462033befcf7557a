import { ApplicationError, type Call, type Row, ValidationError, type Write, type Written } from '../../core/index.js'
import { wrong } from './codes.js'
import type { I18n } from './index.js'
import { complete, join, originOf } from './localizing.js'
import { askedLocales, oneOf, type Params } from './reading.js'
import { echo, share } from './sharing.js'

type ParamsCall = Call<Params>

/** Gives a new entry its locale, and keeps that of others. */
export async function shapeWrite(write: Write, call: ParamsCall, i18n: I18n): Promise<Write> {
  if (write.action === 'update') await keepLocale(write, call, i18n)
  if (write.action !== 'create') return write
  const locale = localeOf(write, call, i18n)
  if (!i18n.locales.has(locale)) throw unknownLocale(i18n)
  const placed = { ...write, set: { ...write.set, locale } }
  if (originOf(write.data) !== undefined) return complete(placed, call, i18n)
  if (call.type.kind === 'singleType') await refuseSecond(call, i18n)
  return placed
}

/** What is written of shared attributes holds for all localizations. */
export async function finishWrite(row: Row, call: Written<Params>, i18n: I18n): Promise<void> {
  const { write } = call
  if (write.action === 'delete' || echo in row) return
  const started = await join(row, call, i18n)
  const isAsked = i18n.config.sharing === 'always' || call.populated?.includes('localizations') === true
  if (started) await share(row, started.sent, call, i18n)
  else if (write.action === 'update' && isAsked) await share(row, Object.keys(write.data), call, i18n)
}

const unknownLocale = ({ locales, config }: I18n): ApplicationError =>
  new ApplicationError("This locale doesn't exist", config.strictLocales ? { locales: locales.codes } : {})

/** The body's locale, the query's, or the default one. The entry of a single type is the one of the query. */
function localeOf({ data }: Write, { type, params }: ParamsCall, i18n: I18n): unknown {
  const { config, locales } = i18n
  const isSingle = type.kind === 'singleType'
  const named = isSingle && !config.localeFromQuery && originOf(data) === undefined ? undefined : data.locale
  if (named !== undefined && named !== null) return named
  if (!isSingle && !config.localeFromQuery) return locales.default
  return oneOf(askedLocales(params, i18n), i18n)
}

async function keepLocale({ id, data }: Write, { type, session }: ParamsCall, i18n: I18n): Promise<void> {
  if (data.locale === undefined || !i18n.config.strictLocales) return
  const entry = await i18n.entries(type.uid, session).first({ where: { id }, fields: ['locale'] })
  if (entry && entry.locale !== data.locale)
    throw wrong('locale', `locale cannot be changed: the entry is in ${entry.locale}; another locale is another entry`)
}

/** A single type has one entry for each locale, and all of them belong together. */
async function refuseSecond({ type, session }: ParamsCall, i18n: I18n): Promise<void> {
  if (!(await i18n.entries(type.uid, session).first({ fields: ['locale'] }))) return
  throw new ValidationError(
    i18n.config.strictLocales
      ? `${type.singularName} exists in other locales; POST /${type.singularName}/localizations adds one`
      : 'singleType.alreadyExists',
  )
}
