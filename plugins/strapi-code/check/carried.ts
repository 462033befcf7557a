import { answers } from '../http/answers.js'
import { cleaners } from '../http/made.js'
import { noModel, notRun, reasons, sentence, unheard, unheardSentence } from '../not-carried.js'
import { makeUtils } from '../packages/utils/index.js'
import type { Strapi } from '../types.js'
import { type Known, missing, part, type Shape, textOf, type Value } from './values.js'

/** Something of which nothing more is followed. */
const any: Shape = { open: true }

const named = (...names: readonly string[]): Readonly<Record<string, Shape>> =>
  Object.fromEntries(names.map(name => [name, any]))

/** A call that names a type which the app does not have, in words. */
const refusedModel = ([uid]: readonly Value[], known: Known): Value => {
  const text = textOf(uid)
  return text === undefined || known.hasType(text) ? undefined : { kind: 'refused', says: noModel(text) }
}

/** Functions whose first parameter is the uid of a type. */
const ofModel = (...names: readonly string[]): Readonly<Record<string, Shape>> =>
  Object.fromEntries(names.map(name => [name, { open: true, call: refusedModel }]))

const queryNames = [
  ...['findOne', 'findMany', 'findWithCount', 'findPage', 'count', 'create', 'createMany', 'update', 'updateMany'],
  ...['delete', 'deleteMany', 'load', 'loadPages'],
]

/** `strapi.db.query(uid)` */
const query: Shape = {
  open: true,
  call: (given, known) =>
    refusedModel(given, known) ?? part('strapi.db.query(uid)', { members: named(...queryNames, 'uid', 'model') }),
}

const db: Shape = {
  members: {
    query,
    ...named('connection', 'getConnection', 'transaction', 'inTransaction', 'metadata', 'dialect', 'config'),
    lifecycles: { members: named('subscribe', 'enable', 'disable', 'clear', 'run') },
    entityManager: { members: ofModel(...queryNames) },
  },
}

const entityService: Shape = {
  members: {
    ...ofModel('findMany', 'findPage', 'findOne', 'count', 'create', 'update', 'delete', 'deleteMany', 'clone', 'load'),
    ...ofModel('loadPages', 'findWithRelationCounts', 'findWithRelationCountsPage'),
    ...named('wrapParams', 'uploadFiles', 'emitEvent'),
  },
}

const firstText = (find: (text: string, known: Known) => Value) => (given: readonly Value[], known: Known) => {
  const text = textOf(given[0])
  return text === undefined ? undefined : find(text, known)
}

const service = (uid: string, known: Known): Value => known.service(uid)
const controller = (uid: string, known: Known): Value => known.controller(uid)
const plugin = (name: string, known: Known): Value => known.plugin(name)

/** `strapi`, as the code of a project sees it. A test compares it with the object itself. */
export const strapiShape: Shape = {
  members: {
    db,
    query,
    entityService,
    service: { open: true, call: firstText(service) },
    services: { named: service },
    controller: { open: true, call: firstText(controller) },
    controllers: { named: controller },
    plugin: { open: true, call: firstText(plugin) },
    plugins: { named: plugin },
    ...named('policy', 'policies', 'middleware', 'middlewares', 'api', 'apis'),
    ...named('contentType', 'contentTypes', 'components', 'getModel', 'config', 'dirs', 'fetch', 'EE', 'isLoaded'),
    store: { members: named('get', 'set', 'delete') },
    log: {
      members: named(
        ...['fatal', 'error', 'warn', 'info', 'http', 'verbose', 'debug', 'trace', 'silly', 'log', 'child', 'level'],
        'isLevelEnabled',
      ),
    },
    eventHub: {
      members: named(
        ...['on', 'once', 'off', 'emit', 'subscribe', 'unsubscribe', 'destroy', 'addListener', 'removeListener'],
        ...['removeAllListeners', 'removeAllSubscribers'],
      ),
    },
    cron: { members: named('add', 'remove', 'jobs', 'start', 'stop', 'destroy') },
    telemetry: { members: named('register', 'bootstrap', 'send', 'isDisabled', 'destroy') },
    customFields: { members: named('register') },
    auth: { members: named('verify') },
    requestContext: { members: named('get', 'run') },
    server: { members: named('httpServer', 'use', 'listRoutes', 'mount', 'initRouting', 'initMiddlewares') },
  },
}

export const strapiPart: Value = part('strapi', strapiShape)

/** Services of the plugins that this server has too. A test compares them with those that code gets. */
export const services: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'users-permissions': {
    jwt: ['issue', 'verify', 'getToken'],
    user: [
      ...['count', 'add', 'edit', 'fetch', 'fetchAll', 'fetchAuthenticatedUser', 'remove', 'validatePassword'],
      'sendConfirmationEmail',
    ],
    role: ['createRole', 'findOne', 'find', 'updateRole', 'deleteRole'],
    'users-permissions': [
      ...['getActions', 'getRoutes', 'updateUserRole', 'template', 'initialize', 'syncPermissions'],
    ],
    permission: ['findRolePermissions', 'findPublicPermissions', 'toContentAPIPermission'],
    providers: ['connect', 'buildRedirectUri'],
  },
  upload: {
    upload: [
      ...['upload', 'uploadToEntity', 'findOne', 'findMany', 'findPage', 'updateFileInfo', 'replace', 'remove'],
      ...['getSettings', 'setSettings'],
    ],
  },
  graphql: { extension: ['use', 'shadowCRUD'], format: ['returnTypes'] },
  email: { email: ['send', 'sendTemplatedEmail', 'getProviderSettings'] },
  i18n: {
    locales: [
      ...['find', 'findById', 'findByCode', 'count', 'create', 'update', 'delete', 'setDefaultLocale'],
      ...['getDefaultLocale', 'setIsDefault', 'initDefaultLocale'],
    ],
    'content-types': [
      'isLocalizedContentType',
      'getLocalizedAttributes',
      'getNonLocalizedAttributes',
      'getValidLocale',
    ],
  },
}

/** A plugin of this server. What an extension of the project makes of it is not known. */
export function pluginPart(name: string, isExtended: boolean): Value {
  const path = `strapi.plugin('${name}')`
  const find = (service: string): Value => serviceOfPlugin(name, service, isExtended)
  return part(path, {
    open: true,
    members: { service: { open: true, call: firstText(find) }, services: { named: find } },
  })
}

export function serviceOfPlugin(name: string, service: string, isExtended: boolean): Value {
  const path = `strapi.plugin('${name}').service('${service}')`
  const why = reasons[path]
  if (why !== undefined) return { kind: 'absent', path, why }
  const known = services[name]?.[service]
  if (!known) return isExtended ? undefined : missing(path)
  return part(path, { members: named(...known), ...(isExtended && { open: true }) })
}

/** A plugin of Strapi that is not here; undefined of any other. */
export function absentPluginPart(name: string, isDependency: boolean): Value {
  const path = `strapi.plugin('${name}')`
  const why = reasons[path] ?? (isDependency ? notRun(name) : undefined)
  if (why === undefined) return undefined
  const heard = unheard[name]
  if (!heard) return { kind: 'absent', path, why }
  const find = (service: string): Value =>
    Object.hasOwn(heard, service)
      ? { kind: 'unheard', says: unheardSentence(name, service) }
      : { kind: 'refused', says: sentence(`${path}.service`, why) }
  const heardServices = Object.fromEntries(Object.keys(heard).map(service => [service, unheardAt(name, service)]))
  return part(path, {
    members: { service: { open: true, call: firstText(find) }, services: { members: heardServices }, config: any },
  })
}

/** A service that takes every call. */
const unheardAt = (plugin: string, service: string): Shape => ({
  named: () => ({ kind: 'unheard', says: unheardSentence(plugin, service) }),
})

export type Core = 'controller' | 'service'

/** The members of core controllers and services. */
export const coreNames: Readonly<Record<Core, Readonly<Record<'single' | 'collection', readonly string[]>>>> = {
  controller: {
    single: ['find', 'update', 'delete', ...cleaners],
    collection: ['find', 'findOne', 'create', 'update', 'delete', ...cleaners],
  },
  service: {
    single: ['getFetchParams', 'find', 'createOrUpdate', 'delete'],
    collection: ['getFetchParams', 'find', 'findOne', 'create', 'update', 'delete'],
  },
}

export const coreShape = (core: Core, kind: 'single' | 'collection'): Shape => ({
  members: named(...coreNames[core][kind]),
})

/** Koa's own members of `ctx`, and those that every request has. */
const koaNames = [
  ...['req', 'res', 'app', 'request', 'response', 'state', 'originalUrl', 'respond', 'cookies', 'params'],
  ...['inspect', 'toJSON', 'assert', 'throw', 'onerror'],
  ...['attachment', 'redirect', 'back', 'remove', 'vary', 'has', 'set', 'append', 'flushHeaders', 'status', 'message'],
  ...['body', 'length', 'type', 'lastModified', 'etag', 'headerSent', 'writable'],
  ...['acceptsLanguages', 'acceptsEncodings', 'acceptsCharsets', 'accepts', 'get', 'is', 'querystring', 'idempotent'],
  ...['socket', 'search', 'method', 'query', 'path', 'url', 'accept', 'origin', 'href', 'subdomains', 'protocol'],
  ...['host', 'hostname', 'URL', 'header', 'headers', 'secure', 'stale', 'fresh', 'ips', 'ip'],
]

/** `ctx` of a request. */
export const ctxNames: readonly string[] = [...Object.keys(answers), ...koaNames]
export const ctxPart: Value = part('ctx', { members: named(...ctxNames) })

/** The arguments of lifecycles. */
export const eventNames: readonly string[] = ['action', 'model', 'params', 'state', 'result']
export const eventPart: Value = part('event', { members: named(...eventNames) })

/** The members of `require('@strapi/utils')`: those of the module that code gets. */
export const utilNames: readonly string[] = Object.keys(makeUtils({} as Strapi))
export const utilsPart: Value = part("require('@strapi/utils')", { members: named(...utilNames) })

/** `require('@strapi/strapi')` */
export const packagePart: Value = part("require('@strapi/strapi')", {
  members: {
    factories: { members: named('createCoreController', 'createCoreService', 'createCoreRouter') },
    strapi: { call: () => strapiPart },
    compile: any,
  },
})
