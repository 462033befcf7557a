import { type Definition, optional, type Route } from '../../../../core/index.js'
import { i18n } from '../../../i18n/index.js'
import type { Bag, Fn, LoadedPlugin, Loose, Runtime } from '../../types.js'
import { type FacadeRoute, facadeOf } from './facade.js'
import { mustStandAlone } from './in-transaction.js'

const localeUid = 'plugin::i18n.locale'

const listsLocales = 'locales.listLocales'

/** The list of routes that extensions change. */
export function localeRoutes(): FacadeRoute[] {
  const all = (i18n as Loose).routes({ manageLocales: false }) as readonly Route<Loose>[]
  const ours = all.filter(({ method, path }) => method === 'GET' && path === '/i18n/locales')
  return [{ method: 'GET', path: '/locales', handler: listsLocales, ours }]
}

/** Locales of this server, as code knows them from Strapi's plugin. */
export function localesFacade(runtime: Runtime, config: Bag): LoadedPlugin {
  const { contentTypes } = i18n as Loose
  const services: Record<string, Fn> = {
    locales: ({ strapi }) => localesService(strapi, runtime),
    'content-types': ({ strapi }) => typesService(strapi, runtime),
  }
  /** The service of the code, where it has one of its own. */
  const replaced = (): Loose => {
    const own = runtime.project.plugins.get('i18n')?.server.services?.locales
    return own === services.locales ? undefined : runtime.strapi.service('plugin::i18n.locales')
  }
  return facadeOf(runtime, {
    name: 'i18n',
    plugin: i18n,
    config,
    types: (contentTypes as readonly Definition[]).filter(({ uid }) => uid === localeUid),
    routes: localeRoutes(),
    services,
    around: (handler, original) => async ctx => {
      const service = handler === listsLocales ? replaced() : undefined
      if (service) ctx.body = await service.setIsDefault(await service.find())
      else await original(ctx)
    },
  })
}

function oursOf({ host }: Runtime): Loose {
  const found = host?.service(optional(i18n))
  if (!found) throw new Error('locales can be asked for from bootstrap on')
  return found.locales
}

function localesService(strapi: Loose, runtime: Runtime): Bag {
  const ours = () => oursOf(runtime)
  const changing = (name: string) => {
    mustStandAlone(runtime, `${name} of the locales`)
    return ours()
  }
  const query = () => strapi.query(localeUid)
  const marked = (locale: Loose) => locale && { ...locale, isDefault: locale.code === ours().default }
  return {
    find: (where: Bag = {}) => query().findMany({ where, orderBy: 'id' }),
    findById: (id: Loose) => query().findOne({ where: { id } }),
    findByCode: (code: Loose) => query().findOne({ where: { code } }),
    count: (where: Bag = {}) => query().count({ where }),
    create: async ({ code, name }: Bag) => changing('create').add(code, name),
    update: async ({ id }: Bag, { name }: Bag) => changing('update').rename(ours().get(String(id)), name),
    delete: async ({ id }: Bag) => {
      const locale = ours().get(String(id))
      await changing('delete').remove(locale, 'delete')
      return locale
    },
    setDefaultLocale: async ({ code }: Bag) => changing('setDefaultLocale').setDefault(code),
    getDefaultLocale: async () => ours().default,
    setIsDefault: async (locales: Loose) => (Array.isArray(locales) ? locales.map(marked) : marked(locales)),
    // The server has made the first locale before any code runs.
    initDefaultLocale: async () => undefined,
  }
}

function typesService(strapi: Loose, runtime: Runtime): Bag {
  const isLocalized = (model: Loose): boolean => model?.pluginOptions?.i18n?.localized === true
  const attributesOf = (model: Loose, localized: boolean): string[] =>
    Object.entries(Object(model?.attributes) as Bag)
      .filter(([, attribute]) => isLocalized(attribute) === localized)
      .map(([name]) => name)
  return {
    isLocalizedContentType: isLocalized,
    getLocalizedAttributes: (model: Loose) => attributesOf(model, true),
    getNonLocalizedAttributes: (model: Loose) =>
      attributesOf(model, false).filter(name => !['id', 'locale', 'localizations'].includes(name)),
    async getValidLocale(locale?: string) {
      if (!locale) return oursOf(runtime).default
      const found = await strapi.query(localeUid).findOne({ where: { code: locale } })
      if (!found) throw new Error('Locale not found')
      return locale
    },
  }
}
