// CPU of a request that a project's own controller answers by `super`, next to that of the generated route, and of a read by
// `strapi.db.query` next to one by `host.entries`; nothing is cached. `npm run build && node test/bench/own-code.mjs`;
// PROFILE=<folder> writes CPU profiles of the servers there.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freshNumbers, median, round } from './measure.mjs'
import { startServer } from './processes.mjs'
import { servers } from './servers.mjs'

const rounds = Number(process.env.ROUNDS ?? 7)
/** Rounds that count nowhere: each request of a list has code of its own to compile. */
const warming = 8
const load = { seconds: 60, connections: 8, maxRequests: 1000, numbers: freshNumbers() }
/** Reads of one round within the process. */
const reads = 2000
/** Bars: the cost of code, as a multiple of that without it. */
const bars = { route: 1.3, read: 2 }
const uid = 'api::article.article'
const fixture = path.join(import.meta.dirname, '../fixtures/strapi4')
const token = JSON.parse(fs.readFileSync(path.join(fixture, 'credentials.json'), 'utf8')).apiTokens.full
const settings = { rest: { defaultLimit: 25, maxLimit: 100, withCount: true, responseCache: 0 } }

const ownController = `module.exports = require('@strapi/strapi').factories.createCoreController('${uid}', () => ({
  async find(ctx) { return super.find(ctx) },
  async findOne(ctx) { return super.findOne(ctx) },
}))
`
const relations = 'populate[author]=true&populate[category]=true&populate[tags]=true'
const ids = Array.from({ length: 40 }, (_, index) => index + 1)
const list = more => [`/api/articles?filters[id][$gte]=${more}`]
const subjects = {
  'list of 25, known text': list('0'),
  'list of 25, new text': list('-{n}'),
  'list of 25, three relations, known text': list(`0&${relations}`),
  'list of 25, three relations, new text': list(`-{n}&${relations}`),
  'one by id': ids.map(id => `/api/articles/${id}`),
  'one by id, three relations': ids.map(id => `/api/articles/${id}?${relations}`),
}

const callers = { visitor: {}, token: { authorization: `Bearer ${token}` } }

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stele-own-code-'))
try {
  await measureRoutes()
  await measureReads()
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

/** A copy of the sample project, without a cache. */
function projectIn(name, controller) {
  const own = path.join(folder, name)
  fs.cpSync(path.join(fixture, 'project'), own, { recursive: true })
  fs.cpSync(path.join(fixture, 'project/dot-env'), path.join(own, '.env'))
  fs.mkdirSync(path.join(own, '.tmp'))
  fs.cpSync(path.join(fixture, 'data.db'), path.join(own, '.tmp/data.db'))
  fs.writeFileSync(path.join(own, 'config/api.js'), `module.exports = ${JSON.stringify(settings)}\n`)
  if (controller) fs.writeFileSync(path.join(own, 'src/api/article/controllers/article.js'), controller)
  return own
}

async function measureRoutes() {
  const running = []
  try {
    for (const [name, controller] of [['generated'], ['own', ownController]])
      running.push(await start(name, controller))
    for (const [title, paths] of Object.entries(subjects).filter(([title]) => (process.env.ONLY ?? title) === title))
      for (const [caller, headers] of Object.entries(callers)) {
        const requests = paths.map(one => ({ method: 'GET', path: one, headers }))
        await assertSame(running, requests)
        const times = await byTurns(['bare', 'own'], kind => cpuOf(running[kind === 'bare' ? 0 : 1], requests))
        tell(`${title}, ${caller}`, bars.route, times)
      }
  } finally {
    for (const server of running) await server.stop()
  }
}

/** Microseconds of CPU for a request. */
async function cpuOf(server, requests) {
  const { cpu, errors, firstError } = await round(server, requests, load)
  if (errors > 0) throw new Error(`a request failed with\n${firstError}`)
  return cpu * 1000
}

/** The times of both kinds, round by round. */
async function byTurns(kinds, measure) {
  const times = Object.fromEntries(kinds.map(kind => [kind, []]))
  for (let turn = -warming; turn < rounds; turn += 1)
    for (const kind of turn % 2 === 0 ? kinds : kinds.toReversed()) {
      const time = await measure(kind)
      if (turn >= 0) times[kind].push(time)
    }
  return times
}

function start(name, controller) {
  const app = projectIn(name, controller)
  const [node, ...args] = servers.stele.command(app)
  const profiled = process.env.PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${path.join(process.env.PROFILE, name)}`] : []
  return startServer({
    name,
    command: [node, ...profiled, ...args],
    env: { QUIET: '1', UP_RATELIMIT_OFF: '1' },
    log: path.join(folder, `${name}.log`),
    cwd: app,
    probe: '/_health/ready',
  })
}

/** Both servers answer the first request with the same. */
async function assertSame(running, [{ path: one, headers }]) {
  const texts = []
  for (const { url } of running) {
    const response = await fetch(url + one.replace('{n}', '0'), { headers })
    texts.push(`${response.status} ${await response.text()}`)
  }
  if (texts[0] !== texts[1] || !texts[0].startsWith('200'))
    throw new Error(`${one} is answered by\n${texts.join('\n')}`)
}

/** In this process, by turns. */
async function measureReads() {
  const { host, app } = await opened(projectIn('reads'))
  const query = globalThis.strapi.db.query(uid)
  const entries = host.entries(uid)
  const populate = { author: true, category: true, tags: true }
  const asked = {
    'one read by id': [{}, {}],
    'one read by id, three relations': [{ populate }, { populate }],
  }
  for (const [title, [code, plain]] of Object.entries(asked)) {
    const kinds = {
      own: id => query.findOne({ where: { id }, ...code }),
      bare: id => entries.first({ where: { id }, everything: true, ...plain }),
    }
    for (const read of Object.values(kinds))
      if ((await read(1))?.id !== 1) throw new Error(`${title}: there is no entry 1`)
    const times = await byTurns(['bare', 'own'], async kind => {
      const { user, system } = process.cpuUsage()
      for (let at = 0; at < reads; at += 1) await kinds[kind](ids[at % ids.length])
      const spent = process.cpuUsage({ user, system })
      return (spent.user + spent.system) / reads
    })
    tell(title, bars.read, times)
  }
  await app.close()
}

/** The app of a folder in this process, and the host that its plugins have. */
async function opened(own) {
  const core = new URL('../../dist/core/', import.meta.url)
  const { findPlugins, loadConfig, unmentionedPlugins } = await import(`${core}boot/load-config.js`)
  const { boot } = await import(`${core}kernel.js`)
  const { wings } = await import(`${core}wings.js`)
  const { createLog } = await import(`${core}log.js`)
  const { projects } = wings.foreign
  const env = { NODE_ENV: 'production', QUIET: '1' }
  const config = await loadConfig(own, { projects, env, overrides: { server: { host: '127.0.0.1', port: 0 } } })
  let host
  const keeper = {
    name: 'keeper',
    register(given) {
      host = given
    },
  }
  const found = await findPlugins(config, projects)
  const plugins = [...found, { plugin: keeper, enabled: true, config: {}, why: 'it is measured' }]
  const unmentioned = () => unmentionedPlugins(config)
  const app = await boot({ wings, config, log: createLog('silent'), plugins, unmentioned })
  return { host, app }
}

/** Ratios are taken within a round: other load of the machine changes from round to round. */
function tell(title, bar, { own, bare }) {
  const ratio = median(own.map((time, round) => time / bare[round]))
  const mark = ratio > bar ? ' !' : ''
  const [code, plain] = [own, bare].map(times => Math.round(median(times)))
  console.log(`${title}: ${ratio.toFixed(2)}${mark} (at most ${bar}; ${code} / ${plain} µs of CPU)`)
}
