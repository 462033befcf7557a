// CPU time of operations of GraphQL next to the requests of REST for the same content, in one process by turns.
// `npm run build && node test/bench/graphql.mjs`; PROFILE=<folder> writes a CPU profile of the server there.
import { fork } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const rounds = Number(process.env.ROUNDS ?? 7)
const requests = Number(process.env.REQUESTS ?? 300)
/** The most rounds of the warm-up. */
const mostWarming = 15
const fixture = fileURLToPath(new URL('../fixtures/strapi4/', import.meta.url))
const token = JSON.parse(readFileSync(path.join(fixture, 'credentials.json'), 'utf8')).apiTokens.full

const flat = 'title slug summary rating views kind published_on'
const fields = names =>
  names
    .split(' ')
    .map((name, index) => `fields[${index}]=${name}`)
    .join('&')
const page = limit => `pagination[start]=0&pagination[limit]=${limit}&pagination[withCount]=false`
const below = (at, name) => `${at}[fields][0]=${name}&${at}[start]=0&${at}[limit]=10`
/** `N` stands for a number that excludes no entry, as a variable of GraphQL and in the texts of REST. */
const operations = {
  'list of 25': {
    query: `articles(filters: { id: { gt: $n } }, pagination: { limit: 25 }) { data { id attributes { ${flat} } } }`,
    rest: [`articles?filters[id][$gt]=N&${fields(flat)}&${page(25)}`],
  },
  'with its total': {
    query: `articles(filters: { id: { gt: $n } }, pagination: { limit: 25 }) { data { id attributes { ${flat} } } meta { pagination { total } } }`,
    rest: [`articles?filters[id][$gt]=N&${fields(flat)}&pagination[start]=0&pagination[limit]=25`],
  },
  'three relations': {
    query: `articles(filters: { id: { gt: $n } }, pagination: { limit: 25 }) { data { id attributes { title
      author { data { id attributes { name } } } category { data { id attributes { name } } } tags { data { id attributes { name } } } } } }`,
    rest: [
      `articles?filters[id][$gt]=N&fields[0]=title&${page(25)}&populate[author][fields][0]=name&populate[category][fields][0]=name&${below('populate[tags]', 'name')}`,
    ],
  },
  'two levels': {
    query:
      'authors(filters: { id: { gt: $n } }, pagination: { limit: 10 }) { data { id attributes { name articles { data { id attributes { title tags { data { id attributes { name } } } } } } } } }',
    rest: [
      `authors?filters[id][$gt]=N&fields[0]=name&${page(10)}&${below('populate[articles]', 'title')}&populate[articles][publicationState]=live&${below('populate[articles][populate][tags]', 'name')}`,
    ],
  },
  'filter by a relation': {
    query:
      'articles(filters: { id: { gt: $n }, author: { name: { startsWith: "A" } } }, pagination: { limit: 25 }) { data { id attributes { title } } }',
    rest: [`articles?filters[id][$gt]=N&filters[author][name][$startsWith]=A&fields[0]=title&${page(25)}`],
  },
  'four roots': {
    query: `articles(filters: { id: { gt: $n } }, pagination: { limit: 10 }) { data { id attributes { title cover { data { id attributes { url } } } seo { metaTitle } } } }
      tags(filters: { id: { gt: $n } }, pagination: { limit: 25 }) { data { id attributes { name } } }
      homepage { data { id attributes { headline } } } global { data { id attributes { site_name } } }`,
    rest: [
      `articles?filters[id][$gt]=N&fields[0]=title&${page(10)}&populate[cover][fields][0]=url&populate[seo][fields][0]=metaTitle`,
      `tags?filters[id][$gt]=N&fields[0]=name&${page(25)}`,
      'homepage?fields[0]=headline',
      'global?fields[0]=site_name',
    ],
  },
}

/** Bars: the share of the rate of REST that GraphQL has to reach. */
const modes = {
  'again, cached': { app: 'cached', bar: 0.8 },
  'again, uncached': { app: 'uncached', bar: 0.8 },
  'other variables': { app: 'uncached', changes: true, bar: 0.5 },
  'other documents': { app: 'uncached', changes: true, isNew: true, bar: 0.5 },
}

if (process.send) await serve()
else await measure()

async function serve() {
  const core = new URL('../../dist/core/', import.meta.url)
  const { findPlugins, loadConfig, unmentionedPlugins } = await import(`${core}boot/load-config.js`)
  const { boot } = await import(`${core}kernel.js`)
  const { wings } = await import(`${core}wings.js`)
  const { createLog } = await import(`${core}log.js`)
  const ports = {}
  for (const [name, responseCache] of Object.entries({ cached: 20, uncached: 0 })) {
    const config = await loadConfig(projectIn(path.join(process.argv[2], name)), {
      projects: wings.foreign.projects,
      env: { NODE_ENV: 'production', UP_RATELIMIT_OFF: '1', QUIET: '1' },
      overrides: { server: { host: '127.0.0.1', port: 0 }, api: { rest: { responseCache } } },
    })
    const plugins = await findPlugins(config, wings.foreign.projects)
    const unmentioned = () => unmentionedPlugins(config)
    const app = await boot({ wings, config, log: createLog('silent'), plugins, unmentioned })
    ports[name] = (await app.listen()).port
  }
  process.on('message', message => {
    if (message === 'stop') process.exit()
    const { user, system } = process.cpuUsage()
    process.send(user + system)
  })
  process.send(ports)
}

/** A copy of the sample project, which depends on the plugin. */
function projectIn(folder) {
  cpSync(path.join(fixture, 'project'), folder, { recursive: true })
  cpSync(path.join(fixture, 'project/dot-env'), path.join(folder, '.env'))
  mkdirSync(path.join(folder, '.tmp'))
  cpSync(path.join(fixture, 'data.db'), path.join(folder, '.tmp/data.db'))
  const manifest = path.join(folder, 'package.json')
  const { dependencies, ...rest } = JSON.parse(readFileSync(manifest, 'utf8'))
  const more = { '@strapi/plugin-graphql': '4.26.2' }
  writeFileSync(manifest, JSON.stringify({ ...rest, dependencies: { ...dependencies, ...more } }))
  return folder
}

async function measure() {
  const folder = mkdtempSync(path.join(tmpdir(), 'stele-graphql-'))
  const execArgv = process.env.PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE}`] : []
  const server = fork(fileURLToPath(import.meta.url), [folder], { execArgv })
  const said = () => new Promise(resolve => server.once('message', resolve))
  const spent = () => {
    const told = said()
    server.send('spent')
    return told
  }
  const ports = await said()
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 })
  const send = (port, { method = 'GET', path, body }) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
      const request = http.request({ agent, host: '127.0.0.1', port, method, path, headers }, response => {
        const parts = []
        response.on('data', part => parts.push(part))
        response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(parts).toString() }))
      })
      request.on('error', reject)
      request.end(body)
    })
  let last = 0
  const number = ({ changes }) => {
    last += 1
    return changes ? -last : 0
  }
  const graphql = (query, mode) => {
    const n = number(mode)
    const document = `query Q($n: ID) { ${query} }${mode.isNew ? `# ${n}` : ''}`
    const body = JSON.stringify({ query: document, variables: { n: String(n) } })
    return [{ method: 'POST', path: '/graphql', body }]
  }
  const rest = (paths, mode) => {
    const n = number(mode)
    return paths.map(one => ({ path: `/api/${one.replace('=N', `=${n}`)}` }))
  }
  const cpuOf = async (port, make) => {
    const before = await spent()
    let left = requests
    const client = async () => {
      while (left > 0) {
        left -= 1
        for (const request of make()) {
          const { status, text } = await send(port, request)
          if (status !== 200 || text.startsWith('{"errors"')) throw new Error(`${request.path}: ${status} ${text}`)
        }
      }
    }
    await Promise.all(Array.from({ length: 4 }, client))
    return ((await spent()) - before) / requests
  }
  /** Rounds that count nowhere, until neither side becomes faster: each request of a list has code of its own to compile. */
  const warmUp = async pairOf => {
    let best = { graphql: Number.POSITIVE_INFINITY, rest: Number.POSITIVE_INFINITY }
    for (let round = 0; round < mostWarming; round += 1) {
      const pair = await pairOf()
      const isStable = round >= 3 && pair.graphql > 0.95 * best.graphql && pair.rest > 0.95 * best.rest
      if (isStable) return
      best = { graphql: Math.min(best.graphql, pair.graphql), rest: Math.min(best.rest, pair.rest) }
    }
  }
  const middle = list => list.toSorted((a, b) => a - b)[list.length >> 1]
  const chosen = process.env.ONLY
    ? Object.entries(operations).filter(([name]) => name === process.env.ONLY)
    : Object.entries(operations)
  const chosenModes = Object.entries(modes).filter(([name]) => !process.env.MODE || name === process.env.MODE)
  console.log(
    `| rate as a share of REST's (µs of CPU: GraphQL / REST) | ${chosenModes.map(([name, { bar }]) => `${name} (at least ${bar})`).join(' | ')} |`,
  )
  console.log(`|---|${chosenModes.map(() => '---').join('|')}|`)
  for (const [name, { query, rest: paths }] of chosen) {
    const cells = []
    for (const [, mode] of chosenModes) {
      const port = ports[mode.app]
      const ask = { graphql: () => graphql(query, mode), rest: () => rest(paths, mode) }
      const pairOf = async sides => {
        const pair = {}
        for (const side of sides) pair[side] = await cpuOf(port, ask[side])
        return pair
      }
      await warmUp(() => pairOf(['graphql', 'rest']))
      const pairs = []
      for (let round = 0; round < rounds; round += 1)
        pairs.push(await pairOf(round % 2 === 0 ? ['graphql', 'rest'] : ['rest', 'graphql']))
      const ratio = middle(pairs.map(({ graphql, rest }) => rest / graphql))
      const of = side => Math.round(middle(pairs.map(pair => pair[side])))
      cells.push(`${ratio.toFixed(2)}${ratio < mode.bar ? ' !' : ''} (${of('graphql')} / ${of('rest')})`)
    }
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
  server.send('stop')
  await new Promise(resolve => server.once('exit', resolve))
  rmSync(folder, { recursive: true, force: true })
  agent.destroy()
}
