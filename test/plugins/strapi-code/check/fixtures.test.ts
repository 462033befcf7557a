import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { checkCode } from '../../../../plugins/strapi-code/check/index.js'
import { copyOf } from '../support/scripts.js'
import { appOfFixture } from './support.js'

const folder = new URL('../../../fixtures/code/', import.meta.url).pathname
const projects = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())

const saidOf = async (name: string, overlay?: string): Promise<string[]> => {
  const copy = copyOf(name, overlay)
  onTestFinished(() => copy.remove())
  return checkCode(await appOfFixture(copy.folder, copy.variables)).map(({ file, line, says }) =>
    `${file}:${line} ${says}`.replaceAll(copy.folder, '{app}'),
  )
}

const thing = 'src/api/thing/controllers/thing.js'
const calls = [
  `${thing}:8 strapi.nothingLikeIt is not there: neither this server nor the project has it`,
  `${thing}:11 strapi.service('api::nothing.nothing') is not there: no file of src/api exports it`,
  `${thing}:14 strapi.entityService.findEverything is not there: neither this server nor the project has it`,
  `${thing}:17 Model api::nothing.nothing not found`,
  `${thing}:20 the package "package-that-is-not-installed" is not installed; run npm install in {app}`,
]

describe('stele strapi-code check', () => {
  for (const { name } of projects)
    it(`${name}: names ${name === 'broken' ? 'the calls that do not exist' : 'nothing, as all of it runs'}`, async () =>
      assert.deepEqual(await saidOf(name), name === 'broken' ? calls : []))
})

const other = 'src/api/other'
const endpoint = (says: string, name = '01.js:1') => `${other}/routes/${name} Error creating endpoint ${says}`

/** Variants of `broken`: what stops the start is named before, as far as it follows from the text. */
const variants: Readonly<Record<string, readonly string[]>> = {
  'bootstrap-throws': [],
  'config-throws': [],
  'controller-empty': [
    ...['GET /others: find', 'GET /others/:id: findOne', 'POST /others: create', 'PUT /others/:id: update'],
    'DELETE /others/:id: delete',
  ].map(one => {
    const [route, action] = one.split(': ')
    return endpoint(`${route}: Handler not found "api::other.other.${action}"`, 'other.js:5')
  }),
  'controller-missing': [endpoint("GET /nobody: Cannot read properties of undefined (reading 'find')")],
  'cron-invalid': [],
  'extension-returns-nothing': [
    'src/extensions/users-permissions/strapi-server.js:1 it returns no plugin; the function has to end with: return plugin',
  ],
  'file-missing': [`${other}/services/other.js:3 there is no file ../helpers/not-there`],
  'global-middleware-missing': ['config/middlewares.js:1 Middleware global::not-there not found.'],
  'handler-missing': [endpoint('GET /others/count: Handler not found "other.count"')],
  'lifecycles-empty': [],
  'lifecycles-unknown': [
    `${other}/content-types/other/lifecycles.js:1 beforeEverything is no event of lifecycles; ${[
      ...['create', 'createMany', 'update', 'updateMany', 'delete', 'deleteMany', 'count', 'findOne', 'findMany'],
    ]
      .flatMap(action => ['before', 'after'].map(when => when + action.charAt(0).toUpperCase() + action.slice(1)))
      .join(', ')} are`,
  ],
  'method-invalid': [
    endpoint(
      'FETCH /others/x: Invalid route config method must be one of the following values: GET, POST, PUT, PATCH, DELETE, ALL',
    ),
  ],
  'middleware-missing': [endpoint('GET /others/x: Middleware api::other.not-there not found.')],
  'package-missing': [
    `${other}/controllers/other.js:3 the package "package-that-is-not-installed" is not installed; run npm install in {app}`,
    ...[
      'GET /others/:id: findOne',
      'POST /others: create',
      'PUT /others/:id: update',
      'DELETE /others/:id: delete',
    ].map(one => endpoint(one.replace(/: (\w+)$/, ': Handler not found "api::other.other.$1"'), 'other.js:5')),
  ],
  'policy-missing': [endpoint('GET /others/x: Could not find policy "global::not-there"')],
  'register-db': [],
  'register-throws': [],
  'route-empty': [],
  syntax: [`${other}/controllers/other.js:5 Unexpected token, expected ","`],
  'throws-at-load': [],
  'unknown-type': [
    `${other}/controllers/other.js:1 Cannot create proxy with a non-object as target or handler: there is no type "api::nothing.nothing"`,
  ],
}

describe('stele strapi-code check of what does not start', () => {
  for (const name of readdirSync(path.join(folder, 'broken/variants')))
    it(`${name}: ${variants[name]?.length === 0 ? 'it is known only when it runs' : 'it says so'}`, async () => {
      const said = (await saidOf('broken', name)).filter(one => !calls.includes(one))
      assert.deepEqual(said, variants[name])
    })
})
