// Clients that generators make of the sample app's document: they compile under strict, and what they ask is answered as
// by plain fetch. `node test/openapi/generators/run.mjs`, after `npm run build`; the generators are installed on demand.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { checks, password, startSample } from '../../support/sample-server.mjs'
import { asked, generated } from './plain.mjs'

const own = fileURLToPath(new URL('.', import.meta.url))
const made = join(own, 'generated')

const run = promisify(execFile)
const tool = (name, ...args) =>
  run(process.execPath, [join(own, 'node_modules', name), ...args], {
    cwd: own,
    env: { ...process.env, NO_UPDATE_NOTIFIER: '1' },
    maxBuffer: 2 ** 26,
  }).catch(({ stdout, stderr }) => {
    throw new Error(`${name} ${args.join(' ')}\n${stdout}${stderr}`)
  })

const { check, close } = checks()
await main()
close()

async function main() {
  if (!existsSync(join(own, 'node_modules')))
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: own })
  rmSync(made, { recursive: true, force: true })
  mkdirSync(made)
  const app = await startSample()
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

/** Sends the same calls with both; values that vary are left out. */
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
