import type { Route } from '../../core/index.js'
import { unwrapped } from './bodies.js'
import { wrong } from './codes.js'
import type { I18n } from './index.js'

const uid = 'plugin::i18n.locales'

const text = { type: 'string' }
const wish = { type: 'object', properties: { code: text, name: text, isDefault: { type: 'boolean' } } }
const time = { type: ['string', 'null'], format: 'date-time' }
const locale = {
  type: 'object',
  properties: { id: { type: 'integer' }, ...wish.properties, createdAt: time, updatedAt: time },
  required: ['id', 'code', 'isDefault'],
}

/** The locales of the app, as Strapi 4 lists them. */
export const listRoute: Route<I18n> = {
  method: 'GET',
  path: '/i18n/locales',
  uid,
  action: 'listLocales',
  describe: 'list the locales',
  answers: { type: 'array', items: locale },
  run: ({ service }) => service.locales.list,
}

/** Routes that manage locales: where the API has none, editors have them all the same. */
export const managing = (isOpen: unknown): readonly Route<I18n>[] =>
  isOpen === true ? managingRoutes : managingRoutes.map(route => ({ ...route, usualOnly: true }))

/** Locales are added, renamed and removed. */
const managingRoutes: readonly Route<I18n>[] = [
  {
    method: 'POST',
    path: '/i18n/locales',
    uid,
    action: 'createLocale',
    describe: 'add a locale',
    accepts: { ...wish, required: ['code'] },
    answers: locale,
    run: async ({ body, service: { locales } }) => {
      const { code, name, isDefault } = unwrapped(body)
      const added = await locales.add(code, name)
      return isDefault === true ? locales.setDefault(added.code) : added
    },
  },
  {
    method: 'PUT',
    path: '/i18n/locales/:id',
    uid,
    action: 'updateLocale',
    describe: 'rename a locale, or make it the default one',
    accepts: wish,
    answers: locale,
    run: async ({ params, body, service: { locales } }) => {
      const { code, name, isDefault } = unwrapped(body)
      const locale = locales.get(params.id)
      if (code !== undefined && code !== locale.code) throw wrong('code', 'code cannot be changed; add another locale')
      if (isDefault === false && locale.isDefault)
        throw wrong('isDefault', 'isDefault: there is always a default locale; make another one the default')
      const renamed = name === undefined ? locale : await locales.rename(locale, name)
      return isDefault === true ? locales.setDefault(locale.code) : renamed
    },
  },
  {
    method: 'GET',
    path: '/i18n/locales/:id/entries',
    uid,
    action: 'deleteLocale',
    describe: 'count the entries in a locale by type, before it is removed',
    answers: {
      type: 'object',
      properties: {
        types: {
          type: 'array',
          items: {
            type: 'object',
            properties: { uid: text, name: text, count: { type: 'integer' } },
            required: ['uid', 'name', 'count'],
          },
        },
      },
      required: ['types'],
    },
    run: async ({ params, service: { locales } }) => ({ types: await locales.entriesIn(locales.get(params.id)) }),
  },
  {
    method: 'DELETE',
    path: '/i18n/locales/:id',
    uid,
    action: 'deleteLocale',
    describe: 'remove a locale; entries=delete or entries=keep says what becomes of its entries',
    asks: { entries: { type: 'string', enum: ['delete', 'keep'] } },
    answers: locale,
    run: async ({ params, query, service: { locales } }) => {
      const locale = locales.get(params.id)
      await locales.remove(locale, query.entries)
      return locale
    },
  },
]
