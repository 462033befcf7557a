import {
  ApplicationError,
  type ContentType,
  type Entry,
  type Finished,
  NotFoundError,
  type Route,
  type RouteCall,
  type TypeOutline,
} from '../../core/index.js'
import { type Body, bare, unwrapped } from './bodies.js'
import type { I18n } from './index.js'
import { origin } from './localizing.js'

const permission = 'createLocalization'

/** `POST /articles/1/localizations`, `POST /homepage/localizations`: the same entry in one more locale. */
export function localizationRoutes({ uid, kind, singularName, pluralName }: TypeOutline): Route<I18n>[] {
  const isSingle = kind === 'singleType'
  return [
    {
      method: 'POST',
      path: `${isSingle ? `/${singularName}` : `/${pluralName}/:id`}/localizations`,
      action: permission,
      describe: `add a localization to ${isSingle ? `the ${singularName}` : `one of ${pluralName}`}`,
      run: call => localize(call.service.types.get(uid), call),
    },
  ]
}

async function localize(type: ContentType, call: RouteCall<I18n>): Promise<unknown> {
  const { content, service } = call
  const { config, entries } = service
  const sent = config.bareLocalizations ? bare(call.body) : unwrapped(call.body)
  const locale = checkLocale(sent.locale ?? (config.localeFromQuery ? call.query.locale : undefined), service)
  const id =
    type.kind === 'singleType'
      ? ((await entries(type.uid).first({ fields: ['locale'], sort: 'id' }))?.id ?? 0)
      : sourceId(call.params.id)
  const data = { ...asDraft(type, sent), locale, [origin]: id }
  if (!config.bareLocalizations) return content.create(type.uid, data, { permission }).catch(told)
  // Strapi 4 pays no heed to the query here.
  const query = 'populate=localizations'
  return flat(type, await content.create(type.uid, data, { permission, query }).catch(told))
}

function checkLocale(locale: unknown, { locales, config }: I18n): unknown {
  const details = config.strictLocales ? { locales: locales.codes } : {}
  if (locale === undefined || locale === null) throw new ApplicationError('locale is missing', details)
  if (!locales.has(locale)) throw new ApplicationError('locale is invalid', details)
  return locale
}

const sourceId = (id: string | undefined): number => (/^[1-9]\d{0,15}$/.test(id ?? '') ? Number(id) : 0)

/** A translation is not ready when it is begun: it is published when somebody says so. */
const asDraft = (type: ContentType, sent: Body): Body =>
  type.fields.has('publishedAt') && sent.publishedAt === undefined ? { ...sent, publishedAt: null } : sent

/** What cannot be found is the entry that should be localized; one that the caller may not reach is as good as none. */
function told(error: unknown): never {
  throw error instanceof NotFoundError ? new NotFoundError('Entity not found') : error
}

/** The answer without its envelopes. A type with a format of its own keeps that. */
function flat({ options }: ContentType, answer: Finished): unknown {
  if (options.format !== undefined || !('text' in answer.reply)) return answer
  const { data } = JSON.parse(String(answer.reply.text)) as { data: Nested }
  const { localizations, ...attributes } = data.attributes as Entry & { localizations: { data: Nested[] } }
  return {
    id: data.id,
    ...attributes,
    localizations: localizations.data.map(one => ({ id: one.id, ...one.attributes })),
  }
}

interface Nested {
  readonly id: number
  readonly attributes: Entry
}
