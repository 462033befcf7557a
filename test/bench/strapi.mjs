import fs from 'node:fs'
import path from 'node:path'
import { types } from './model.mjs'

const install = 'npm install @strapi/strapi@4 better-sqlite3@8'

/** The absolute path of a folder with an installed Strapi 4. Anything else fails with a sentence before a server is started. */
export function installedStrapi(folder) {
  const strapi = packageIn(folder, '@strapi/strapi')
  if (!strapi) throw new Error(`--strapi: "${folder}" has no node_modules/@strapi/strapi; run there: ${install}`)
  const { version, engines } = strapi
  if (!version.startsWith('4.'))
    throw new Error(
      `--strapi: "${folder}" has Strapi ${version}; the benchmark measures Strapi 4; run there: ${install}`,
    )
  if (!packageIn(folder, 'better-sqlite3'))
    throw new Error(`--strapi: "${folder}" has no better-sqlite3, which Strapi needs for SQLite; run there: ${install}`)
  const [, newest] = /<=\s*(\d+)/.exec(engines?.node) ?? []
  const { node } = process.versions
  if (Number.parseInt(node, 10) > Number(newest ?? Infinity))
    throw new Error(`--strapi: Strapi ${version} needs Node.js ${engines.node}, and this is ${node}`)
  return path.resolve(folder)
}

function packageIn(folder, name) {
  const file = path.join(folder, 'node_modules', name, 'package.json')
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined
}

/**
 * Writes a project of Strapi 4 with the content types of the app, as its own generator would, without the admin panel. It
 * runs the Strapi that is installed in another folder, which stays as it is.
 */
export function writeProject(project, installed) {
  const write = (name, text) => {
    const file = path.join(project, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }
  for (const [name, value] of Object.entries(config)) write(`config/${name}.js`, `module.exports = ${value}\n`)
  const dependencies = { '@strapi/strapi': packageIn(installed, '@strapi/strapi').version }
  // Telemetry is disabled.
  const strapi = { uuid: false, telemetryDisabled: true }
  write('package.json', JSON.stringify({ name: 'bench', private: true, dependencies, strapi }))
  write('src/index.js', 'module.exports = {}\n')
  write('public/uploads/.gitkeep', '')
  for (const { name } of types) {
    const schema = path.join(import.meta.dirname, `app/content-types/${name}.json`)
    write(`src/api/${name}/content-types/${name}/schema.json`, fs.readFileSync(schema, 'utf8'))
    for (const [folder, factory] of Object.entries(factories))
      write(`src/api/${name}/${folder}/${name}.js`, factory(name))
  }
  fs.symlinkSync(path.join(installed, 'node_modules'), path.join(project, 'node_modules'))
}

/**
 * A strategy that allows every request without looking for permissions, as `rest.public` of the app does. `auth: false`
 * is not enough: on such routes Strapi 4 leaves out relations.
 */
const open = `{ auth: { strategies: [{ name: 'open', authenticate: () => ({ authenticated: true }), verify() {} }] } }`
const openRoutes = ['find', 'findOne', 'create', 'update'].map(action => `${action}: ${open}`).join(', ')
const factoryOf = (factory, options) => name =>
  `const { factories } = require('@strapi/strapi')\nmodule.exports = factories.${factory}('api::${name}.${name}'${options})\n`
const factories = {
  routes: factoryOf('createCoreRouter', `, { config: { ${openRoutes} } }`),
  controllers: factoryOf('createCoreController', ''),
  services: factoryOf('createCoreService', ''),
}

/** The settings that the generator writes; keys and salts sign nothing that is kept. `logger` leaves out lines of requests. */
const config = {
  server: `{ host: process.env.HOST, port: Number(process.env.PORT), app: { keys: ['a', 'b'] } }`,
  admin: `{ serveAdminPanel: false, auth: { secret: 'bench' }, apiToken: { salt: 'bench' }, transfer: { token: { salt: 'bench' } } }`,
  database: `{ connection: { client: 'sqlite', connection: { filename: process.env.DATABASE_FILENAME }, useNullAsDefault: true } }`,
  api: `{ rest: { defaultLimit: 25, maxLimit: 100, withCount: true } }`,
  logger: `{ level: 'warn' }`,
  middlewares: JSON.stringify(
    ['logger', 'errors', 'security', 'cors', 'poweredBy', 'query', 'body', 'session', 'favicon', 'public'].map(
      name => `strapi::${name}`,
    ),
  ),
}
