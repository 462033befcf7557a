import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { createJiti } from 'jiti'

/**
 * Records databases of earlier commits: each commit is built in a folder of its own, fills a database of each engine with
 * its own sample, writes some more, and is asked for everything it has. `node test/eras/record.mjs [--clones <dir>]
 * [<era>...]`; folders in <dir> that are built are used again.
 */
const eras = {
  '2026-11-21-core': { commit: 'f8145da' },
  '2026-11-21-plugins': { commit: '266383f' },
  '2026-11-21-recorded': { commit: '3165782' },
  '2026-11-23-first': { commit: 'dcaae59' },
  '2026-11-24-events': { commit: '35f74c5', plugins: { events: true, audit: true, patch: true } },
  '2026-11-24-locales': { commit: 'd0475bf', plugins: { events: true, audit: true, bulk: true } },
}

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const fixtures = path.join(root, 'test/fixtures/eras')
const jiti = createJiti(import.meta.url)
const { startMariadb } = await jiti.import('../support/mariadb.ts')
const { startPostgres } = await jiti.import('../support/postgres.ts')
const { freePort } = await jiti.import('../support/free-port.ts')
const { DatabaseSync } = await jiti.import('../support/sqlite.ts')

const secrets = {
  JWT_SECRET: 'the secret of recorded databases, 2026',
  API_TOKEN_SALT: 'the salt of recorded databases, 2026',
  DEMO_PASSWORD: 'the password of Ben, 2026',
}
const account = { username: 'recorded', email: 'recorded@example.org', password: 'an account of that time, 2026' }

async function recordEra(name, { commit, plugins }) {
  const clone = await built(commit)
  const folder = path.join(fixtures, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const files = filesOf(clone, ['content-types', 'config'])
  if (plugins) files['config/env/era/plugins.json'] = `${JSON.stringify(plugins)}\n`
  writeFileSync(path.join(folder, 'app.json.gz'), compressed(JSON.stringify({ commit, secrets, files })))
  for (const engine of ['sqlite', 'mysql', 'postgres']) {
    const database = await emptyDatabase(engine)
    const recorded = await fill(clone, files, database.env)
    writeFileSync(path.join(folder, `${engine}.sql.gz`), compressed(await database.dump()))
    writeFileSync(path.join(folder, `${engine}.json.gz`), compressed(JSON.stringify(recorded)))
    console.log(`${name} ${engine}: ${recorded.responses.length} responses`)
    await database.drop()
  }
}

const compressed = text => gzipSync(text, { level: 9 })

/** The texts of an app, by their paths. */
function filesOf(app, parts) {
  const names = parts.flatMap(part =>
    readdirSync(path.join(app, part), { recursive: true }).map(name => `${part}/${name}`),
  )
  const files = names.filter(name => statSync(path.join(app, name)).isFile()).sort()
  return Object.fromEntries(files.map(name => [name, readFileSync(path.join(app, name), 'utf8')]))
}

async function built(commit) {
  const folder = path.join(clones, commit)
  if (existsSync(path.join(folder, 'dist'))) return folder
  mkdirSync(folder, { recursive: true })
  await run('sh', ['-c', `git archive ${commit} | tar x -C '${folder}'`], { cwd: root })
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  await run('npx', ['tsc'], { cwd: folder })
  return folder
}

async function emptyDatabase(engine) {
  if (engine === 'sqlite') {
    const folder = mkdtempSync(path.join(tmpdir(), 'stele-era-'))
    const filename = path.join(folder, 'data.db')
    return {
      env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: filename },
      dump: () => dumpOfSqlite(filename),
      drop: () => rmSync(folder, { recursive: true }),
    }
  }
  const { host, port, user, password, ...server } = servers[engine]
  const name = `era_${randomUUID().slice(0, 8)}`
  await server.createDatabase(name)
  return {
    env: {
      DATABASE_CLIENT: engine,
      DATABASE_HOST: host,
      DATABASE_PORT: String(port),
      DATABASE_NAME: name,
      DATABASE_USERNAME: user,
      DATABASE_PASSWORD: password,
    },
    dump: () => dumps[engine]({ host, port: String(port), user, password, name }),
    drop: () => server.dropDatabase(name),
  }
}

const large = { maxBuffer: 1 << 28 }

const dumps = {
  async mysql({ host, port, user, password, name }) {
    const options = [
      '--skip-dump-date',
      '--skip-comments',
      '--skip-add-locks',
      '--skip-lock-tables',
      '--single-transaction',
    ]
    const env = { ...process.env, MYSQL_PWD: password }
    const address = [`--host=${host}`, `--port=${port}`, `--user=${user}`]
    const { stdout } = await run('mariadb-dump', ['--no-defaults', ...address, ...options, name], { ...large, env })
    // MariaDB's own client alone reads this line.
    return stdout.replace(/^\/\*M!999999.*\n/, '')
  },
  async postgres({ host, port, user, password, name }) {
    const options = ['--inserts', '--no-owner', '--no-privileges', '--no-comments']
    const address = [`--host=${host}`, `--port=${port}`, `--username=${user}`]
    const env = { ...process.env, PGPASSWORD: password }
    const { stdout } = await run('pg_dump', [...address, ...options, name], { ...large, env })
    // The client psql alone reads these lines.
    return stdout.replace(/^\\(un)?restrict .*\n/gm, '')
  },
}

/** Every table with its rows, then everything that is attached to them. */
function dumpOfSqlite(filename) {
  const database = new DatabaseSync(filename)
  const quoted = name => `"${name.replaceAll('"', '""')}"`
  const made = database.prepare('select type, name, sql from sqlite_master where sql is not null order by rowid').all()
  const tables = made.filter(({ type }) => type === 'table')
  const rows = tables.flatMap(({ name }) => {
    const columns = database
      .prepare(`select name from pragma_table_info('${name}')`)
      .all()
      .map(column => column.name)
    const values = columns.map(column => `quote(${quoted(column)})`).join(` || ', ' || `)
    const found = database.prepare(`select ${values} as line from ${quoted(name)}`).all()
    return found.map(({ line }) => `insert into ${quoted(name)} values (${line});`)
  })
  const own = ({ name }) => !name.startsWith('sqlite_')
  const text = ({ sql }) => `${sql};`
  const lines = [...tables.filter(own).map(text), ...rows, ...made.filter(one => one.type !== 'table').map(text)]
  database.close()
  return `${lines.join('\n')}\n`
}

/** Starts the server of that time, writes as its clients would, and asks for all there is. */
async function fill(clone, files, databaseEnv) {
  const port = await freePort()
  const own = Object.fromEntries(['PATH', 'HOME'].map(name => [name, process.env[name]]))
  const env = { ...own, ...secrets, ...databaseEnv, NODE_ENV: 'era', HOST: '127.0.0.1', PORT: String(port) }
  // Files that plugins keep beside the database are no part of the fixture.
  const folder = mkdtempSync(path.join(tmpdir(), 'stele-era-app-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  const { bin } = JSON.parse(readFileSync(path.join(clone, 'package.json'), 'utf8'))
  const main = path.join(clone, bin.stele)
  const server = spawn(process.execPath, [main, 'start', '--app', folder], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', part => (log += part))
  const base = `http://127.0.0.1:${port}/api`
  try {
    for (let tries = 0; ; tries += 1) {
      if (
        await fetch(`${base}/articles`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        break
      if (tries > 300 || server.exitCode !== null) throw new Error(`the server did not start:\n${log}`)
      await new Promise(done => setTimeout(done, 100))
    }
    const command = async (...words) =>
      (await run(process.execPath, [main, ...words, '--app', folder], { env }).catch(() => ({ stdout: '' }))).stdout
    const hasAccounts = existsSync(path.join(clone, 'plugins/users-permissions'))
    const [, key] = /([0-9a-f]{256})/.exec(await command('token', 'create', 'recorded', '--type', 'full-access')) ?? []
    if (hasAccounts)
      await command(
        'user',
        'create',
        account.username,
        account.email,
        '--role',
        'author',
        '--password',
        account.password,
      )
    if (hasAccounts && !key) throw new Error('no token was made')
    const authorization = key && { authorization: `Bearer ${key}` }
    const written = await write(base, authorization)
    const responses = await readAll(base, authorization)
    const uploads = existsSync(path.join(folder, 'public')) ? filesOf(folder, ['public']) : {}
    return { ...(hasAccounts && { account, key }), written, responses, uploads }
  } finally {
    server.kill('SIGTERM')
    if (server.exitCode === null) await new Promise(done => server.once('exit', done))
    rmSync(folder, { recursive: true })
  }
}

async function write(base, authorization) {
  const send = async (method, url, data, headers) => {
    const response = await fetch(base + url, {
      method,
      headers: { 'content-type': 'application/json', ...authorization, ...headers },
      ...(data && { body: JSON.stringify({ data }) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const article = {
    title: 'Written before',
    summary: 'an entry with "quotes", a \\ and 🌱',
    views: '9007199254740995',
    fee: 12.5,
    releasedOn: '2024-02-29',
    facts: { deep: [1, { is: null }], text: 'ä' },
    author: 2,
    tags: [3, 1, 2],
    coauthors: [2, 1],
    related: [5, 2],
    seo: { title: 'Before', canonical: { label: 'Here', url: 'https://example.org/here' } },
    sources: [
      { label: 'One', url: 'https://example.org/1' },
      { label: 'Two', url: 'https://example.org/2' },
    ],
    blocks: [
      { __component: 'blocks.text', body: 'first' },
      { __component: 'blocks.quote', text: 'second', author: 3 },
      { __component: 'blocks.link-list', heading: 'third', links: [{ label: 'Three', url: 'https://example.org/3' }] },
    ],
  }
  const made = await send('POST', '/articles', article)
  await send('PUT', '/articles/2', { tags: { connect: [{ id: 5, position: { start: true } }], disconnect: [1] } })
  await send('PUT', '/articles/6', { related: [7, 3, 5], summary: 'changed' })
  await send('DELETE', '/articles/8')
  const once = { 'Idempotency-Key': 'a-key-of-that-time' }
  await send('POST', '/tags', { name: 'Once' }, once)
  return { article: made.data.id }
}

async function readAll(base, authorization) {
  const all = 'sort=id&pagination[pageSize]=100'
  const nested = [
    'populate[blocks][populate]=*&populate[seo][populate]=*&populate[sources]=true&populate[comments][populate]=*',
    'populate[related][fields][0]=title&populate[coauthors][populate][coauthored][fields][0]=title&populate[tags][fields][0]=name',
  ].join('&')
  const urls = [
    ...['articles', 'authors', 'categories', 'comments', 'tags'].map(type => `/${type}?populate=*&${all}`),
    ...['de', 'fr', 'all'].map(locale => `/articles?populate=*&locale=${locale}&${all}`),
    `/articles?populate=*&publicationState=preview&${all}`,
    `/articles?${nested}&fields[0]=title&${all}`,
    '/articles?filters[author][handle][$eq]=ben&filters[tags][name][$notNull]=true&sort=rating:desc,id&fields[0]=title',
    '/homepage?populate=*',
    '/users/me',
    '/users?populate=*&sort=id',
    '/users-permissions/roles',
    '/upload/files?sort=id',
    '/i18n/locales',
  ]
  const responses = []
  for (const as of authorization ? ['visitor', 'token'] : ['visitor'])
    for (const url of urls) {
      const response = await fetch(base + url, { headers: as === 'token' ? authorization : {} })
      const text = await response.text()
      // A token is asked for what visitors may not see, or see otherwise.
      const isKnown = responses.some(one => one.url === url && JSON.stringify(one.body) === text)
      if (response.ok && !isKnown) responses.push({ as, url, body: JSON.parse(text) })
    }
  return responses
}

const args = process.argv.slice(2)
const at = args.indexOf('--clones')
const clones = at < 0 ? mkdtempSync(path.join(tmpdir(), 'stele-eras-')) : path.resolve(args.splice(at, 2)[1])
const servers = { mysql: await startMariadb(), postgres: await startPostgres() }
try {
  for (const name of args.length > 0 ? args : Object.keys(eras)) await recordEra(name, eras[name])
} finally {
  await Promise.all(Object.values(servers).map(server => server.stop()))
}
