import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import path from 'node:path'
import { describe, it } from 'vitest'
import {
  coreNames,
  ctxNames,
  eventNames,
  services,
  strapiShape,
} from '../../../../plugins/strapi-code/check/carried.js'
import type { Shape } from '../../../../plugins/strapi-code/check/values.js'
import { reasons, sentence } from '../../../../plugins/strapi-code/not-carried.js'
import type { Bag, Loose } from '../../../../plugins/strapi-code/types.js'
import { schemaOf, start } from '../support/written.js'

const uid = 'api::item.item'

/** A project that says what it gets. */
async function opened(): Promise<Bag> {
  const seen: Bag = {}
  ;(globalThis as Loose).seenByCode = seen
  const router = (name: string) =>
    `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::${name}.${name}')`
  const factory = (name: string, of: string) =>
    `module.exports = require('@strapi/strapi').factories.createCore${of}('api::${name}.${name}', () => ({
      ${of === 'Controller' && name === 'item' ? 'async find(ctx) { seenByCode.ctx = ctx; return super.find(ctx) },' : ''}
    }))`
  const parts = (name: string, kind: string) => ({
    [`src/api/${name}/content-types/${name}/schema.json`]: JSON.stringify({
      ...JSON.parse(schemaOf(name)),
      kind,
    }),
    [`src/api/${name}/routes/${name}.js`]: router(name),
    [`src/api/${name}/controllers/${name}.js`]: factory(name, 'Controller'),
    [`src/api/${name}/services/${name}.js`]: factory(name, 'Service'),
  })
  const project = await start({
    'package.json': JSON.stringify({
      name: 'written',
      dependencies: {
        '@strapi/strapi': '4.26.2',
        '@strapi/plugin-users-permissions': '4.26.2',
        '@strapi/plugin-graphql': '4.26.2',
        '@strapi/plugin-i18n': '4.26.2',
      },
    }),
    ...parts('item', 'collectionType'),
    ...parts('front', 'singleType'),
    'src/index.js': `module.exports = { async bootstrap({ strapi }) {
      Object.assign(seenByCode, { strapi, folder: __dirname })
      const role = await strapi.query('plugin::users-permissions.role').findOne({ where: { type: 'public' } })
      await strapi.query('plugin::users-permissions.permission').create({ data: { action: '${uid}.find', role: role.id } })
      strapi.db.lifecycles.subscribe({ models: ['${uid}'], afterCreate(event) { seenByCode.event = event } })
      await strapi.entityService.create('${uid}', { data: { title: 'a' } })
    } }`,
  })
  const { status, text } = await project.send({ auth: 'none', method: 'GET', path: '/api/items' })
  assert.equal(status, 200, text)
  return seen
}

const own = (value: Loose): string[] => {
  const names = new Set(Object.keys(value))
  const prototype = Object.getPrototypeOf(value)
  // Functions that a class has; what every object has is none of them.
  if (prototype !== Object.prototype && prototype !== Function.prototype && prototype !== null)
    for (const name of Object.getOwnPropertyNames(prototype)) if (name !== 'constructor') names.add(name)
  return [...names].filter(name => !name.startsWith('_'))
}

/** The functions that rooms of the plugin call on each other, which no code of a project knows. */
const inner = ['quietly', 'listQuietly', 'removeQuietly', 'ownedParts', 'stamp', 'hears']

/** Names that stand in one of two places alone. */
function compare(at: string, live: Loose, { members = {}, open }: Shape): string[] {
  if (open || Object.keys(members).length === 0) return []
  const names = Object.keys(members)
  const missing = names.filter(name => !(name in live)).map(name => `${at}.${name} is in the table alone`)
  const known = (name: string) => names.includes(name) || reasons[`${at}.${name}`] !== undefined
  const more = own(live)
    .filter(name => !known(name) && !inner.includes(name))
    .map(name => `${at}.${name} is not in the table`)
  const below = names.flatMap(name =>
    name in live && live[name] !== undefined ? compare(`${at}.${name}`, live[name], members[name] as Shape) : [],
  )
  return [...missing, ...more, ...below]
}

describe('the table of what is carried', () => {
  it('is what code gets', async () => {
    const { strapi, ctx, event, folder } = await opened()
    const names = (list: readonly string[]): Shape => ({ members: Object.fromEntries(list.map(name => [name, {}])) })
    const query = strapiShape.members?.query?.call?.([{ kind: 'text', text: uid }], { hasType: () => true } as Loose)
    assert.ok(query?.kind === 'part')
    const differences = [
      ...compare('strapi', strapi, strapiShape),
      ...compare('strapi.db.query(uid)', strapi.db.query(uid), query.shape),
      ...compare('event', event, names(eventNames)),
      ...ctxNames.filter(name => !(name in ctx)).map(name => `ctx.${name} is in the table alone`),
      ...Object.entries(services).flatMap(([plugin, all]) =>
        Object.entries(all).flatMap(([service, list]) => {
          const at = `strapi.plugin('${plugin}').service('${service}')`
          const live = strapi.plugin(plugin).service(service)
          return live ? compare(at, live, names(list)) : [`${at} is in the table alone`]
        }),
      ),
      ...Object.keys(services).flatMap(plugin =>
        Object.keys(strapi.plugin(plugin).services)
          .filter(name => !services[plugin]?.[name] && !reasons[`strapi.plugin('${plugin}').service('${name}')`])
          .map(name => `strapi.plugin('${plugin}').service('${name}') is not in the table`),
      ),
      ...(['controller', 'service'] as const).flatMap(core =>
        [uid, 'api::front.front'].flatMap(type => {
          const live = strapi[core](type)
          const { [type === uid ? 'collection' : 'single']: list } = coreNames[core]
          const all = new Set<string>()
          for (let at = live; at && at !== Object.prototype; at = Object.getPrototypeOf(at))
            for (const name of Object.keys(at)) all.add(name)
          return compare(`${core} ${type}`, Object.fromEntries([...all].map(name => [name, live[name]])), names(list))
        }),
      ),
    ]
    assert.deepEqual(differences, [])
    assert.ok(folder)
  })

  it('has the sentences that code meets', async () => {
    const { strapi, folder } = await opened()
    const require = createRequire(path.join(folder, 'any.js'))
    const said = Object.keys(reasons).map(at => {
      const value = new Function('strapi', 'require', 'uid', `return ${at}`)(strapi, require, uid)
      try {
        value()
        return `${at} can be called`
      } catch (error) {
        return (error as Error).message
      }
    })
    assert.deepEqual(
      said,
      Object.entries(reasons).map(([at, why]) => sentence(at, why)),
    )
  })
})
