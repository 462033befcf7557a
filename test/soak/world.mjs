import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createJiti } from 'jiti'
import { counts, row } from '../bench/dataset.mjs'
import { appWith, secrets, withPlugins } from '../bench/plugged.mjs'
import { sleep, startServer } from '../bench/processes.mjs'
import { servers } from '../bench/servers.mjs'
import { newArticle } from './mix.mjs'

const everything = ['find', 'findOne', 'create', 'update', 'delete']
const permissions = {
  roles: {
    public: { 'api::article.article': ['find', 'findOne'] },
    authenticated: { 'api::article.article': everything },
  },
}
/** Targets of the articles' relations; visitors read them with the articles. */
for (const type of ['team', 'author', 'category', 'tag'])
  for (const role of Object.values(permissions.roles)) role[`api::${type}.${type}`] = ['find', 'findOne']

/** A server with the five plugins, its data made by its own API, and what clients need to know of it. */
export async function openWorld({ engine, articles, server = {}, args = [] }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stele-soak-'))
  const { app, file } = appWith(folder, { plugins: withPlugins, permissions, server })
  const database = engine === 'sqlite' ? undefined : await startDatabase(engine)
  const env = { ...secrets, ...(database ? addressOf(database) : { DATABASE_FILENAME: file }) }
  const command = servers.stele.command(app)
  const start = () =>
    startServer({
      name: 'stele',
      command: [...command, ...args],
      env,
      log: path.join(folder, 'log'),
      probe: '/_health/ready',
    })
  const stele = (...words) =>
    execFileSync(command[0], [command[1], ...words, '--app', app], {
      env: { ...process.env, ...env, NODE_ENV: 'production', LOG_LEVEL: 'error' },
      encoding: 'utf8',
    })
  stele('locale', 'add', 'fr')
  const { accessKey: token } = JSON.parse(stele('token', 'create', 'soak', '--type', 'full-access', '--json'))
  const running = await start()
  const close = async () => {
    await running.stop()
    await database?.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
  try {
    const jwt = await fill(running.url, token, articles)
    const log = () => fs.readFileSync(path.join(folder, 'log'), 'utf8')
    return { server: running, mix: { articles, token, jwt }, log, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startDatabase(engine) {
  const { startMariadb, startPostgres } = await createJiti(import.meta.url).import('../support/servers.ts')
  const database = await (engine === 'mariadb' ? startMariadb() : startPostgres())
  await database.createDatabase('soak')
  return database
}

const addressOf = ({ client, host, port, user, password }) => ({
  DATABASE_CLIENT: client,
  DATABASE_HOST: host,
  DATABASE_PORT: String(port),
  DATABASE_NAME: 'soak',
  DATABASE_USERNAME: user,
  DATABASE_PASSWORD: password,
})

/** Gives the credentials of an account. */
async function fill(url, token, articles) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const post = async (path, body, own = headers) => {
    const answer = await fetch(url + path, { method: 'POST', headers: own, body: JSON.stringify(body) })
    // A machine that stands still for a moment makes a server refuse, and clients come again.
    if (answer.status === 503) return sleep(100).then(() => post(path, body, own))
    if (answer.status !== 200) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const create = (type, data) => post(`/api/${type}`, { data })
  const plurals = { team: 'teams', author: 'authors', category: 'categories', tag: 'tags' }
  for (const [type, plural] of Object.entries(plurals))
    await several(counts[type], i => {
      const { id, createdAt, updatedAt, ...data } = row(type, i)
      return create(plural, data)
    })
  await several(articles, async i => {
    const { data } = await create('articles', newArticle(i, 'seed'))
    if (i % 4 > 0) return
    const { title, slug, body, publishedAt } = data.attributes
    await post(`/api/articles/${data.id}/localizations`, { locale: 'fr', title, slug: `${slug}-fr`, body, publishedAt })
  })
  const account = { username: 'soak', email: 'soak@example.com', password: 'a long password' }
  return (await post('/api/auth/local/register', account, { 'content-type': 'application/json' })).jwt
}

/** Runs work for 1 to `count`, sixteen at a time. */
async function several(count, work) {
  let next = 1
  const worker = async () => {
    while (next <= count) await work(next++)
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}
