// Serves the sample app on SQLite and prints, as JSON, the files of core of which functions run for single requests.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const core = pathToFileURL(path.join(root, 'dist/core/')).href
const { findPlugins } = await import(`${core}boot/find-plugins.js`)
const { loadConfig } = await import(`${core}boot/load-config.js`)
const { boot } = await import(`${core}kernel.js`)
const { createLog } = await import(`${core}log.js`)

const coverage = new Session()
coverage.connect()
await coverage.post('Profiler.enable')
await coverage.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const known = 'articles?fields[0]=title&sort=title'
const wide = [
  'articles?fields[0]=title&fields[1]=rating&populate[author][fields][0]=name&populate[tags]=true',
  'filters[author][articles][title][$contains]=a&sort=rating:desc',
].join('&')
// It says that it has no slug: making one is another path.
const article = { data: { title: 'A measured path', slug: null, author: 1, tags: [1, 2] } }

const measured = { known: [], first: [], create: [], logged: [] }
// A request may find that something is due to be read again, or a thread to be started. In one of five apps it does not.
for (let times = 0; times < 5; times += 1) {
  const folder = mkdtempSync(path.join(tmpdir(), 'stele-paths-'))
  const app = await bootSample(folder)
  const { port } = await app.listen()
  const send = sender(`http://127.0.0.1:${port}/api/`)
  measured.create.push(await measure(send, 'articles', article))
  measured.first.push(await measure(send, wide))
  await send(known)
  measured.known.push(await measure(send, known))
  app.log.level = 'info'
  await send(known)
  measured.logged.push(await measure(send, known))
  await app.close()
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(JSON.stringify(measured))

async function bootSample(folder) {
  const config = await loadConfig(root, {
    env: { NODE_ENV: 'development', DATABASE_FILENAME: path.join(folder, 'data.db') },
    overrides: {
      server: { host: '127.0.0.1', port: 0 },
      plugins: {
        'users-permissions': { enabled: true, config: { jwtSecret: 'a secret for tests' } },
        'api-tokens': { enabled: true, config: { salt: 'a salt for tests' } },
        upload: { enabled: true, config: { folder } },
        // What is counted for developers is no part of a request in production.
        explorer: { enabled: true, config: { timing: 'never' } },
      },
    },
  })
  // Requests are logged where the level is raised.
  const log = createLog('silent', { destination: { write: () => undefined } })
  return boot({ config, log, plugins: await findPlugins(config) })
}

/** Sends requests on one connection: what opens one is no part of a request. */
function sender(base) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return async (url, body) => {
    const headers = { 'content-type': 'application/json' }
    const sent = request(base + url, { agent, method: body ? 'POST' : 'GET', headers })
    sent.end(body && JSON.stringify(body))
    const [response] = await once(sent, 'response')
    const text = (await response.toArray()).join('')
    if (response.statusCode >= 400) throw new Error(`${url}: ${response.statusCode} ${text}`)
  }
}

/** The files that run for one request. The one before it is told what is reread now and then, and opens the connection. */
async function measure(send, url, body) {
  await send('tags?fields[0]=name')
  await ran()
  await send(url, body)
  return ran()
}

/**
 * The files with a function that ran since the last call; the body of a module, which begins at 0, runs at boot. The
 * packages are not counted, whether they are one file of the build or many.
 */
async function ran() {
  const { result } = await coverage.post('Profiler.takePreciseCoverage')
  const isCalled = ({ ranges: [{ startOffset, count }] }) => startOffset > 0 && count > 0
  return result
    .filter(({ url, functions }) => url.startsWith(core) && url.endsWith('.js') && functions.some(isCalled))
    .map(({ url }) => url.slice(core.length).replace(/\.js$/, '.ts'))
    .sort()
}
