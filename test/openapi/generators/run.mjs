// Clients that generators make of the sample app's document: they compile under strict, and what they ask is answered as
// by plain fetch. `node test/openapi/generators/run.mjs`, after `npm run build`; the generators are installed on demand.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { asked, generated } from './plain.mjs'

const own = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const made = join(own, 'generated')
const password = 'a password for generated clients'

const run = promisify(execFile)
const tool = (name, ...args) =>
  run(process.execPath, [join(own, 'node_modules', name), ...args], {
    cwd: own,
    env: { ...process.env, NO_UPDATE_NOTIFIER: '1' },
    maxBuffer: 2 ** 26,
  }).catch(({ stdout, stderr }) => {
    throw new Error(`${name} ${args.join(' ')}\n${stdout}${stderr}`)
  })

let passed = 0
let failed = 0
async function check(title, work) {
  const begun = performance.now()
  try {
    await work()
    passed += 1
    console.log(`ok    ${title} (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
  } catch (error) {
    failed += 1
    console.log(`FAILED: ${title}\n${error.stack ?? error}`)
  }
}

await main()
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function main() {
  if (!existsSync(join(own, 'node_modules')))
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: own })
  rmSync(made, { recursive: true, force: true })
  mkdirSync(made)
  const app = await start()
  try {
    const document = await (await fetch(`${app.address}/openapi.json`)).json()
    writeFileSync(join(made, 'openapi.json'), JSON.stringify(document, undefined, 2))
    await generate(app.address)
    await check('everything that was generated, and what uses it, compiles under strict', () =>
      tool('typescript/bin/tsc', '-p', 'tsconfig.json'),
    )
    for (const name of generated) await check(`${name} is answered as plain fetch is`, () => compare(name, app.address))
  } finally {
    await app.stop()
  }
}

/** The sample app on a free port, with a database of its own. */
async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'stele-clients-'))
  for (const part of ['config', 'content-types', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  const main = join(root, 'dist/core/cli/main.js')
  const server = spawn(process.execPath, [main, 'start', '--app', folder], {
    env: { ...process.env, NODE_ENV: 'development', PORT: '0', DEMO_PASSWORD: password, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(server, 'exit')
  const lines = createInterface({ input: server.stdout })
  let address
  for await (const line of lines) {
    address = /listening on (http:\/\/[\d.]+:\d+)/.exec(line)?.[1]
    if (address !== undefined) break
  }
  assert.ok(address, 'the server did not start')
  server.stdout.resume()
  const stop = async () => {
    server.kill()
    await exit
    rmSync(folder, { recursive: true, force: true })
  }
  return { address, stop }
}

async function generate(address) {
  const input = join(made, 'openapi.json')
  await check('openapi-typescript generates', () =>
    tool('openapi-typescript/bin/cli.js', input, '-o', join(made, 'openapi-typescript.ts')),
  )
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk']
  await check('hey-api generates', () =>
    tool('@hey-api/openapi-ts/bin/index.cjs', '-i', input, '-o', join(made, 'hey-api'), '-p', ...plugins, '--silent'),
  )
  const orval = { input, output: { target: join(made, 'orval.ts'), client: 'fetch', baseUrl: address } }
  const config = join(made, 'orval.config.cjs')
  writeFileSync(config, `module.exports = { stele: ${JSON.stringify(orval)} }\n`)
  await check('orval generates', () => tool('orval/dist/bin/orval.js', '--config', config))
}

/** Both ask the same; what differs from time to time is left out. */
async function compare(name, address) {
  const bundle = join(made, `${name}.mjs`)
  const source = join(own, 'clients', `${name}.ts`)
  const { build } = await import(pathToFileURL(join(own, 'node_modules/esbuild/lib/main.js')).href)
  const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm', logLevel: 'error' }
  await build({ entryPoints: [source], outfile: bundle, ...options })
  const { calls } = await import(pathToFileURL(bundle).href)
  const token = await signIn(address)
  const client = calls(address, token)
  for (const [what, ask] of Object.entries(asked(address, token))) {
    const expected = await ask()
    await tidy(what, expected, address)
    const found = await client[what]()
    await tidy(what, found, address)
    assert.ok(expected.body, `${what} was answered with a body`)
    assert.deepEqual(settled(found), settled(expected), `${name}: ${what}`)
  }
}

async function signIn(address) {
  const response = await fetch(`${address}/api/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: 'ben', password }),
  })
  return (await response.json()).jwt
}

/** The next one may make a tag of this name again. */
async function tidy(what, { body }, address) {
  if (what !== 'created') return
  const { ok } = await fetch(`${address}/api/tags/${body.data.id}`, { method: 'DELETE' })
  assert.ok(ok, 'what was created can be deleted')
}

/** Ids, times and the names of stored files are of one request. */
function settled({ status, body }) {
  const once = ['id', 'createdAt', 'updatedAt', 'publishedAt', 'hash', 'url']
  const walk = (value, key) => {
    if (Array.isArray(value)) return value.map(item => walk(item, key))
    if (typeof value !== 'object' || value === null) return once.includes(key) && value !== null ? 'once' : value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, name)]))
  }
  return { status, body: walk(body) }
}
