import type { Caller, ContentType } from '../../../core/index.js'
import { ApplicationError, NotFoundError } from '../packages/utils/errors.js'
import type { Bag, Loose } from '../types.js'
import { wholeParts } from './components.js'
import { publicOf } from './hooks.js'
import type { Model } from './models.js'
import type { OpenLayer } from './opened.js'

/** A localization that a request asks for. */
export interface Localization {
  readonly type: ContentType
  readonly id: number
  /** The attributes that were sent. */
  readonly sent: Bag
  readonly locale: string
  readonly caller: Caller
}

/** Makes a localization as code does it, with all events of that: what is not localized is copied. */
export async function localizeByCode(
  { type, id, sent, locale, caller }: Localization,
  opened: OpenLayer,
): Promise<Bag> {
  const { entityService, models } = opened
  const model = models.get(type.uid)
  const populate = { ...wholeParts(model, models), localizations: true }
  const source = await entityService.findOne(type.uid, id, { populate })
  if (!source) throw new NotFoundError()
  const family: Bag[] = [source, ...source.localizations]
  if (family.some(entry => entry.locale === locale)) throw new ApplicationError('locale is already used')
  const data = {
    ...sharedOf(model, source),
    ...writable(model, sent, caller),
    locale,
    localizations: family.map(one => one.id),
  }
  const made = await entityService.create(type.uid, { data, populate: ['localizations'] })
  return { ...publicOf(model, made), localizations: made.localizations.map((one: Bag) => publicOf(model, one)) }
}

/** The attributes that all localizations of an entry have in common: neither relations nor values that are addresses. */
export function sharedNames({ type }: Model): string[] {
  return Object.entries(type?.attributes ?? {}).flatMap(([name, attribute]) => {
    const { type: kind, pluginOptions } = attribute as { type: string; pluginOptions?: Bag }
    const isOwn = pluginOptions?.i18n?.localized === true || kind === 'relation' || kind === 'uid'
    return isOwn || type?.added.includes(name) ? [] : [name]
  })
}

/** The values that an entry shares, its components as new ones. */
export const sharedOf = (model: Model, entry: Bag): Bag =>
  Object.fromEntries(
    sharedNames(model)
      .filter(name => entry[name] !== undefined)
      .map(name => [name, withoutIds(entry[name])]),
  )

function withoutIds(value: Loose): Loose {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  // A file stays the one that it is.
  if (value.mime !== undefined && value.hash !== undefined) return value.id
  const { id: _, ...rest } = value
  return Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, withoutIds(inner)]))
}

/** The part of what was sent that the caller may write. */
function writable({ columns, links, type }: Model, sent: Bag, { can }: Caller): Bag {
  const isOpen = (name: string) => {
    const link = links.get(name)
    if (!link) return columns.has(name) && type?.fields.get(name)?.writable === true
    return link.writable && (link.open === true || !link.targets || link.targets.some(uid => can('find', uid)))
  }
  return Object.fromEntries(Object.entries(sent).filter(([name]) => isOpen(name)))
}
