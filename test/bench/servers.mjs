import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startServer } from './processes.mjs'
import { seedMariadb, seedPostgres } from './seed.mjs'
import { writeProject } from './strapi.mjs'

const here = import.meta.dirname
const project = path.resolve(here, '../..')
const node = (...args) => [process.execPath, ...args]

/**
 * The servers that can be named, and the engines they know. `command` is given the folder with a copy of the app, or with what
 * `write` puts there, in which it is then run.
 */
export const servers = {
  stele: {
    engines: ['sqlite', 'mariadb', 'postgres'],
    command: app => node(path.join(project, 'core/tools/cli/stele.js'), 'start', '--app', app),
  },
  // In the dialect and on the layout of Strapi 4, with the plugins that its projects have.
  strapi4: {
    engines: ['sqlite', 'mariadb', 'postgres'],
    command: app => servers.stele.command(app),
    config: {
      api: { rest: { dialect: 'strapi4', entryMeta: true, public: true } },
      plugins: { 'draft-and-publish': true, upload: true },
    },
  },
  // With the record of events, which every write adds to.
  events: {
    engines: ['sqlite', 'mariadb', 'postgres'],
    command: app => servers.stele.command(app),
    config: { plugins: { events: true } },
  },
  // Strapi 4 itself, as it is installed in the folder that --strapi names.
  strapi: {
    engines: ['sqlite'],
    write: writeProject,
    command: () => node('node_modules/@strapi/strapi/bin/strapi.js', 'start'),
    env: { STRAPI_DISABLE_UPDATE_NOTIFICATION: 'true' },
  },
  koa: { engines: ['sqlite', 'mariadb', 'postgres'], command: () => node(path.join(here, 'yardsticks/koa.mjs')) },
  http: { engines: ['sqlite'], command: () => node(path.join(here, 'yardsticks/http.mjs')) },
}

/** Starts servers, each on data of its own that nobody else writes to, in a folder that ends with the run. */
export function stage({ engine, folder, database, strapi }) {
  const running = []
  let count = 0
  return {
    running,
    async start(name, { articles } = {}) {
      count += 1
      const own = path.join(folder, `${name}-${count}`)
      const app = path.join(own, 'app')
      const { write = copyApp, config = {}, command } = servers[name]
      write(app, strapi)
      for (const [file, settings] of Object.entries(config))
        fs.writeFileSync(path.join(app, `config/${file}.json`), JSON.stringify(settings))
      const env =
        engine === 'sqlite'
          ? sqliteEnv(own, articles)
          : serverEnv(engine, await seeded(engine, database, `bench_${name}_${count}`))
      const start = () =>
        startServer({
          name,
          command: command(app),
          env: { ...env, ...servers[name].env },
          log: path.join(own, 'log'),
          cwd: app,
        })
      const server = await start()
      running.push(server)
      return { ...server, again: start }
    },
    async stop() {
      for (const server of running.splice(0)) await server.stop()
    },
  }
}

const copyApp = app => fs.cpSync(path.join(here, 'app'), app, { recursive: true })

function sqliteEnv(own, articles = 10_000) {
  const file = path.join(own, 'data.db')
  fs.copyFileSync(seedFile(articles), file, fs.constants.COPYFILE_FICLONE)
  return { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: file }
}

/** The seed is kept between runs under a name that changes with whatever it is made of. */
export function seedFile(articles) {
  const sources = [
    'dataset.mjs',
    'tables.mjs',
    'model.mjs',
    'seed.mjs',
    ...fs.readdirSync(path.join(here, 'app/content-types')).map(file => `app/content-types/${file}`),
  ]
  const hash = createHash('sha256')
  for (const file of sources) hash.update(fs.readFileSync(path.join(here, file)))
  const folder = path.join(os.tmpdir(), 'stele-bench')
  fs.mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `${articles}-${hash.digest('hex').slice(0, 12)}.db`)
  // In a process of its own, so that a million rows leave nothing behind in this one.
  execFileSync(process.execPath, [path.join(here, 'seed.mjs'), file, String(articles)], { stdio: 'inherit' })
  return file
}

async function seeded(engine, server, name) {
  const database = await server.createDatabase(name)
  await (engine === 'postgres' ? seedPostgres : seedMariadb)(database)
  return database
}

const serverEnv = (engine, { host, port, user, password, database }) => ({
  DATABASE_CLIENT: engine === 'postgres' ? 'postgres' : 'mysql',
  DATABASE_HOST: host,
  DATABASE_PORT: String(port),
  DATABASE_NAME: database,
  DATABASE_USERNAME: user,
  DATABASE_PASSWORD: password,
})
