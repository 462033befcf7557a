import {
  ApplicationError,
  type AskOptions,
  type ContentType,
  type Entry,
  type Finished,
  NotFoundError,
  type Route,
  type RouteCall,
  type TypeOutline,
} from '../../core/index.js'
import { refTo, usesUsualRoutes } from '../../core/plugin-kit.js'
import { type Body, bare, unwrapped } from './bodies.js'
import type { I18n } from './index.js'
import { origin } from './localizing.js'

const permission = 'createLocalization'

/** `POST /articles/1/localizations`, `POST /homepage/localizations`: the same entry in one more locale. */
export function localizationRoutes(
  { uid, kind, singularName, pluralName }: TypeOutline,
  { bareLocalizations }: Pick<I18n['config'], 'bareLocalizations'>,
): Route<I18n>[] {
  const isSingle = kind === 'singleType'
  return [
    {
      method: 'POST',
      path: `${isSingle ? `/${singularName}` : `/${pluralName}/:id`}/localizations`,
      action: permission,
      describe: `add a localization to ${isSingle ? `the ${singularName}` : `one of ${pluralName}`}`,
      ...(bareLocalizations
        ? { accepts: { type: 'object' }, answers: refTo(uid) }
        : { asksAs: { uid, action: 'create' }, accepts: { input: uid, creates: true }, answers: { entry: uid } }),
      run: call => localize(call.service.types.get(uid), call),
    },
  ]
}

async function localize(type: ContentType, call: RouteCall<I18n>): Promise<unknown> {
  const { content, service } = call
  const { config } = service
  const sent = config.bareLocalizations ? bare(call.body) : unwrapped(call.body)
  const locale = sent.locale ?? (config.localeFromQuery ? call.query.locale : undefined)
  const source = await sourceOf({ type, id: call.params.id, data: { ...sent, locale } }, call)
  if (source.made) return source.made
  if (!config.bareLocalizations) return addLocalization(source, call, { permission })
  // Strapi 4 ignores the query here, and reads the others before shared values reach them.
  const asked = { permission, query: 'populate=localizations' }
  const before = await content.findOne(type.uid, source.id, asked).catch(unlessAbsent)
  return flat(type, await addLocalization(source, call, asked), before)
}

type LocalizationCall = Pick<RouteCall<I18n>, 'caller' | 'content' | 'ctx' | 'service'>

/** A localization that a caller asks for, with permission: the entry that it is one of, and data that name its locale. */
export interface RequestedLocalization {
  readonly type: ContentType
  /** The id as it was sent; a single type needs none. */
  readonly id: unknown
  readonly data: Body
}

/** Makes a localization in the name of the caller, and answers it as `content.create` does. */
export async function createLocalization(
  asked: RequestedLocalization,
  call: LocalizationCall,
  options: AskOptions = {},
): Promise<Finished> {
  const source = await sourceOf(asked, call)
  const as = { permission, ...options }
  return source.made ? call.content.findOne(asked.type.uid, source.made.id, as) : addLocalization(source, call, as)
}

interface Source extends Omit<RequestedLocalization, 'id'> {
  readonly id: number
  /** The localization, where code of the app has made it. */
  readonly made?: Entry | undefined
}

/** The entry to be localized, and the localization if code of the app makes it. */
async function sourceOf(
  { type, id: sentId, data: sent }: RequestedLocalization,
  call: LocalizationCall,
): Promise<Source> {
  const { caller, ctx, service } = call
  const locale = checkLocale(sent.locale, service)
  const id =
    type.kind === 'singleType'
      ? Number((await service.entries(type.uid).first({ fields: ['locale'], sort: 'id' }))?.id ?? 0)
      : sourceId(sentId)
  const byCode = usesUsualRoutes(ctx) ? undefined : service.byCode
  const made = await byCode?.({ type, id, sent, locale: String(locale), caller })
  return { type, id, made, data: { ...asDraft(type, sent), locale, [origin]: id } }
}

const addLocalization = ({ type, data }: Source, { content }: LocalizationCall, options: AskOptions) =>
  content.create(type.uid, data, options).catch(told)

function checkLocale(locale: unknown, { locales, config }: I18n): unknown {
  const details = config.strictLocales ? { locales: locales.codes } : {}
  if (locale === undefined || locale === null) throw new ApplicationError('locale is missing', details)
  if (!locales.has(locale)) throw new ApplicationError('locale is invalid', details)
  return locale
}

const sourceId = (id: unknown): number => (/^[1-9]\d{0,15}$/.test(String(id ?? '')) ? Number(id) : 0)

/** A translation is not ready when it is begun: it is published on request. */
const asDraft = (type: ContentType, sent: Body): Body =>
  type.fields.has('publishedAt') && sent.publishedAt === undefined ? { ...sent, publishedAt: null } : sent

/** A missing entry is the one to be localized; one that the caller may not reach counts as missing. */
function told(error: unknown): never {
  throw error instanceof NotFoundError ? new NotFoundError('Entity not found').because(error.reason) : error
}

function unlessAbsent(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error
}

/** The response without its envelopes, the others as they were. A type with a format of its own keeps that. */
function flat({ options }: ContentType, answer: Finished, before: Finished | undefined): unknown {
  const made = options.format === undefined ? entryOf(answer) : undefined
  if (!made) return answer
  const { localizations = [], ...source } = (before && entryOf(before)) ?? {}
  const former = new Map([source as Entry, ...localizations].map(one => [one.id, one]))
  return { ...made, localizations: made.localizations.map(one => former.get(one.id) ?? one) }
}

interface NestedEntry {
  readonly id: number
  readonly attributes: Entry & { readonly localizations?: { readonly data: readonly NestedEntry[] } }
}

type Flat = Entry & { readonly localizations: readonly Entry[] }

function entryOf({ reply }: Finished): Flat | undefined {
  if (!('text' in reply)) return undefined
  const { id, attributes } = (JSON.parse(String(reply.text)) as { data: NestedEntry }).data
  const { localizations, ...own } = attributes
  return { id, ...own, localizations: (localizations?.data ?? []).map(one => ({ id: one.id, ...one.attributes })) }
}
