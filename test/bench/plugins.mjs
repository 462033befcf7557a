import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { loadSqlite } from '../../dist/core/engines/sqlite/driver.js'
import { counts } from './dataset.mjs'
import { alternate, median } from './measure.mjs'
import { appWith, secrets, withPlugins } from './plugged.mjs'
import { memoryInAll, runLoad, startServer } from './processes.mjs'
import { scenarios } from './scenarios.mjs'
import { seedFile, servers } from './servers.mjs'

const { DatabaseSync } = await loadSqlite()

/** The five plugins against the same server without any: a public list, one entry with credentials, files. */
export async function measurePlugins(folder, options) {
  const on = appWith(path.join(folder, 'on'), {
    plugins: withPlugins,
    permissions: {
      roles: { public: { 'api::article.article': ['find', 'findOne'], 'plugin::upload.content-api': ['upload'] } },
    },
  })
  const credentials = await prepare(on)
  const off = appWith(path.join(folder, 'off'), { plugins: {} })
  fs.copyFileSync(on.file, off.file)
  const running = [await start('on', on), await start('off', off)]
  const results = []
  try {
    for (const subject of subjects(credentials)) results.push(await compare(subject, running, options))
  } finally {
    for (const server of running) await server.stop()
  }
  // Memory that an earlier load has used would be taken for that of the uploads.
  const server = await start('on', on)
  try {
    return { results, files: await upload(server, options) }
  } finally {
    await server.stop()
  }
}

const environment = ({ file }) => ({ ...secrets, DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: file })
const start = (name, place) =>
  startServer({
    name,
    command: servers.stele.command(place.app),
    env: environment(place),
    log: path.join(place.own, 'log'),
  })

/** Every second article in French as well, every tenth a draft; a token and an account. */
async function prepare(place) {
  fs.copyFileSync(seedFile(counts.article), place.file)
  const stele = (...args) =>
    execFileSync(process.execPath, [...servers.stele.command(place.app).slice(1, 2), ...args, '--app', place.app], {
      env: { ...process.env, ...environment(place), NODE_ENV: 'production', LOG_LEVEL: 'error' },
      encoding: 'utf8',
    })
  stele('locale', 'add', 'fr')
  const token = JSON.parse(stele('token', 'create', 'bench', '--type', 'full-access', '--json'))
  localize(place.file)
  const server = await start('on', place)
  const answer = await fetch(`${server.url}/api/auth/local/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bench', email: 'bench@example.com', password: 'a long password' }),
  })
  const { jwt } = await answer.json()
  await server.stop()
  stele('role', 'grant', 'authenticated', 'api::article.article.find', 'api::article.article.findOne')
  return { token: token.accessKey ?? token[0]?.accessKey, jwt }
}

function localize(file) {
  const db = new DatabaseSync(file)
  const columns = db
    .prepare('select name from pragma_table_info(?)')
    .all('articles')
    .map(({ name }) => name)
    .filter(name => !['id', 'locale'].includes(name))
  const list = columns.map(name => `"${name}"`).join(', ')
  const first = counts.article
  db.exec(`begin;
    insert into articles (id, ${list}, locale) select ${first} + id, ${list}, 'fr' from articles where id % 2 = 1;
    insert into articles_localizations_links (article_id, inv_article_id, article_order)
      select id, ${first} + id, 1 from articles where id % 2 = 1 and locale = 'en';
    insert into articles_localizations_links (article_id, inv_article_id, article_order)
      select id, id - ${first}, 1 from articles where locale = 'fr';
    update articles set published_at = null where id % 10 = 7;
    commit`)
  db.close()
}

/** Requests to both servers; the target is the share of the bare server's speed that has to remain. */
function subjects({ token, jwt }) {
  const [list] = scenarios()
  const withKey = key => ids().map(request => ({ ...request, headers: { authorization: `Bearer ${key}` } }))
  return [
    { title: 'public list of 25, asked again', on: list.hit, off: list.hit, target: 0.85 },
    { title: 'public list of 25, always new', on: list.miss, off: list.miss, target: 0.85 },
    { title: 'one by id, API token', on: withKey(token), off: ids(), target: 0.75 },
    { title: 'one by id, JWT', on: withKey(jwt), off: ids(), target: 0.75 },
  ]
}

/** Articles that are published, in English. */
const ids = () =>
  Array.from({ length: 1000 }, (_, k) => ({ method: 'GET', path: `/api/articles/${10 * (1 + ((k * 7) % 999)) + 1}` }))

async function compare({ title, on, off, target }, [server, bare], options) {
  const [own, base] = await alternate(
    [
      { server, requests: on },
      { server: bare, requests: off },
    ],
    options,
  )
  const failed = [...own, ...base].find(({ errors }) => errors > 0)
  if (failed) throw new Error(`${title}: a request failed with\n${failed.firstError}`)
  const ratio = median(own.map((round, k) => round.perSecond / base[k].perSecond))
  const cpu = median(own.map((round, k) => base[k].cpu / round.cpu))
  const [perSecond, barePerSecond] = [own, base].map(rounds => median(rounds.map(round => round.perSecond)))
  return { title, target, ratio, cpu, perSecond, barePerSecond }
}

const files = 200

/** Pictures of a megabyte, eight at a time, while a list is read; next to the same list alone. */
async function upload(server, { numbers, quick }) {
  const picture = await makePicture()
  const load = seconds =>
    runLoad({
      port: server.port,
      requests: scenarios()[0].hit,
      seconds,
      connections: 4,
      maxRequests: 1_000_000,
      firstNumber: numbers.take(1),
    })
  await load(1)
  const idle = await load(quick ? 2 : 5)
  let busy
  let left = quick ? 40 : files
  let done = false
  let peak = 0
  const sampling = setInterval(() => {
    peak = Math.max(peak, memoryInAll(server.pid))
  }, 200)
  const began = performance.now()
  const reading = (async () => {
    const rounds = []
    while (!done) rounds.push(await load(2))
    busy = median(rounds.map(({ p99 }) => p99))
  })()
  const send = async () => {
    while (left-- > 0) {
      const form = new FormData()
      form.append('files', new Blob([picture], { type: 'image/jpeg' }), `picture-${left}.jpg`)
      const reply = await fetch(`${server.url}/api/upload`, { method: 'POST', body: form })
      if (reply.status !== 200) throw new Error(`an upload answered ${reply.status}: ${await reply.text()}`)
      await reply.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: 8 }, send))
  const seconds = (performance.now() - began) / 1000
  done = true
  await reading
  clearInterval(sampling)
  return { count: quick ? 40 : files, seconds, peak, idleP99: idle.p99, busyP99: busy }
}

/** Noise does not shrink: as many bytes as a photograph of that size. */
async function makePicture() {
  const { default: sharp } = await import('sharp')
  const [width, height] = [1400, 1000]
  const pixels = Buffer.alloc(width * height * 3)
  for (let index = 0; index < pixels.length; index += 1) pixels[index] = (Math.imul(index, 2654435761) >>> 24) & 255
  for (let quality = 90; ; quality -= 5) {
    const made = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality })
      .toBuffer()
    if (made.length <= 1_100_000 || quality <= 30) return made
  }
}
