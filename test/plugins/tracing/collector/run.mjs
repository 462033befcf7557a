// Spans in a collector: the sample app with the SDK of the page, whose packages are installed from the registry, sends
// OTLP to a receiver here, as protobuf and as JSON, from one process and from two workers; and what happens if the
// receiver is down, hangs, or answers 503. `node test/plugins/tracing/collector/run.mjs`, after `npm run build`, takes
// two minutes.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { checks } from '../../../support/sample-server.mjs'
import { startReceiver } from './receiver.mjs'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const page = readFileSync(join(root, 'plugins/tracing/README.md'), 'utf8')
const says = { well: 'is well', gone: 'is down', hang: 'says nothing', 503: 'answers 503' }
const kinds = { internal: 1, server: 2, client: 3 }
const secret = 'a-value-that-no-span-may-have'
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

const { check, close } = checks()
const folder = mkdtempSync(join(tmpdir(), 'stele-collector-'))
const app = await installed()
const protobuf = createRequire(join(app, 'package.json'))('protobufjs')
const hook = await startHook()
try {
  for (const [protocol, type, workers] of [
    ['http/protobuf', 'application/x-protobuf', 1],
    ['http/protobuf', 'application/x-protobuf', 2],
    ['http/json', 'application/json', 1],
  ])
    await checkSpans(protocol, type, workers)
  for (const behave of ['well', 'gone', 'hang', '503']) await checkLoad(behave)
} finally {
  hook.close()
  rmSync(folder, { recursive: true, force: true })
}
close()

/** The sample app, with what the page says to install and to write. */
async function installed() {
  const app = join(folder, 'app')
  for (const part of ['config', 'content-types']) cpSync(join(root, part), join(app, part), { recursive: true })
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
  const [, ...words] = /^npm (install .*)$/m.exec(page)[1].split(' ')
  const install = ['install', '--no-audit', '--no-fund', ...words]
  execFileSync('npm', install, { cwd: app, stdio: ['ignore', 'ignore', 'inherit'] })
  symlinkSync(root, join(app, 'node_modules/stele'))
  const [, file] = /```js\n\/\/ tracing\.mjs[^\n]*\n([^`]+)```/.exec(page)
  writeFileSync(join(app, 'tracing.mjs'), file)
  mkdirSync(join(app, 'config/env/development'), { recursive: true })
  const plugins = { tracing: true, events: { enabled: true, config: { privateAddresses: true } } }
  writeFileSync(join(app, 'config/env/development/plugins.json'), JSON.stringify(plugins))
  return app
}

/** Starts the app as the page says; its spans go to `endpoint`. */
async function start(endpoint, { protocol, workers = 1, env = {} } = {}) {
  rmSync(join(app, 'data'), { recursive: true, force: true })
  const webhooks = { build: { url: `${hook.url}/in?key=${secret}`, events: ['entry.create'] } }
  writeFileSync(join(app, 'config/env/development/webhooks.json'), JSON.stringify(webhooks))
  const main = join(root, 'core/tools/cli/stele.js')
  const args = [main, 'start', '--app', app, ...(workers > 1 ? ['--workers', String(workers)] : [])]
  const server = spawn(process.execPath, args, {
    cwd: app,
    env: {
      ...process.env,
      ...{
        NODE_ENV: 'development',
        PORT: '0',
        DATABASE_FILENAME: join(folder, `${Math.random()}.db`),
        LOG_LEVEL: 'info',
      },
      ...{ NODE_OPTIONS: '--import ./tracing.mjs', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
      ...(protocol && { OTEL_EXPORTER_OTLP_PROTOCOL: protocol }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(server, 'exit')
  let address
  for await (const line of createInterface({ input: server.stdout })) {
    address = /listening on (http:\/\/[\d.]+:\d+)/.exec(line)?.[1]
    if (address !== undefined) break
  }
  assert.ok(address, 'the server did not start')
  server.stdout.resume()
  const stop = async () => {
    const began = performance.now()
    server.kill()
    const [code] = await exit
    return { code, ms: performance.now() - began }
  }
  return { address, stop, pid: server.pid }
}

async function checkSpans(protocol, type, workers) {
  const receiver = await startReceiver(protobuf)
  const server = await start(receiver.url, { protocol, workers })
  const trace = 'a1b2c3d4'.repeat(4)
  const parent = '0123456789abcdef'
  const get = (path, headers) => fetch(server.address + path, { headers }).then(response => response.text())
  await get(`/api/articles?populate=category&filters[title][$ne]=${secret}`)
  await get('/api/articles?populate=category', { traceparent: `00-${trace}-${parent}-01` })
  await get('/api/articles?sort=nothing')
  const written = await fetch(`${server.address}/api/tags`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${'b'.repeat(32)}-${parent}-01` },
    body: JSON.stringify({ data: { name: secret } }),
  })
  if (written.status === 200) await hook.called()
  // Longer than the SDK collects by itself is not waited for: the rest has to come when the server stops.
  const { code } = await server.stop()
  const spans = receiver.take()
  await receiver.close()
  const title = `${protocol}, ${workers === 1 ? 'one process' : `${workers} workers`}`
  const requests = spans.filter(({ kind }) => kind === kinds.server)
  const below = ({ id }) => spans.filter(({ parent }) => parent === id)

  await check(`${title}: what was collected is sent before the server exits, as ${type}`, () => {
    assert.equal(code, 0)
    assert.deepEqual([...receiver.types], [type])
    assert.ok(requests.length >= 4, `${requests.length} requests`)
  })
  await check(`${title}: a request is the root of its statements, with its attributes`, () => {
    const request = requests.find(({ name, parent }) => name === 'GET /api/articles' && parent === undefined)
    const { attributes } = request
    assert.equal(attributes['http.route'], '/api/articles')
    assert.equal(attributes['http.response.status_code'], 200)
    assert.equal(attributes['http.request.method'], 'GET')
    const statements = below(request)
    assert.ok(statements.length > 0 && statements.length === attributes['stele.statements'])
    for (const { name, kind, traceId, attributes, ms } of statements) {
      assert.deepEqual([name, kind, traceId], ['select', kinds.client, request.traceId])
      assert.equal(attributes['db.system.name'], 'sqlite')
      assert.match(attributes['db.query.text'], /^(select|with) /)
      assert.ok(ms >= 0 && ms <= request.ms + 1, `${ms} of ${request.ms} ms`)
    }
  })
  await check(`${title}: a traceparent makes a request part of the client's trace`, () => {
    const { traceId } = requests.find(one => one.parent === parent && one.name === 'GET /api/articles')
    assert.equal(traceId, trace)
  })
  await check(`${title}: a refused request is no error of the server`, () => {
    const { status } = requests.find(({ attributes }) => attributes['http.response.status_code'] === 400)
    assert.equal(status, 0)
  })
  await check(`${title}: a write is a tree, and its webhook is linked to it`, () => {
    const write = requests.find(({ name }) => name === 'POST /api/tags')
    assert.equal(write.attributes['http.response.status_code'], 200)
    assert.ok(below(write).some(({ name }) => name === 'insert'))
    const sent = spans.find(({ name }) => name === 'POST webhook build')
    assert.deepEqual([sent.kind, sent.parent, sent.links], [kinds.client, undefined, [[write.traceId, write.id]]])
    assert.equal(sent.attributes['http.response.status_code'], 200)
    assert.equal(sent.attributes['server.address'], '127.0.0.1')
  })
  await check(`${title}: a job is a span`, () => {
    assert.ok(spans.some(({ name, kind }) => name.startsWith('job ') && kind === kinds.internal))
  })
  await check(`${title}: the resource is the service of the page, and no span has a value`, () => {
    for (const { resource, scope } of spans) assert.deepEqual([resource['service.name'], scope], ['content', 'stele'])
    assert.ok(!JSON.stringify(spans).includes(secret))
  })
}

/** Measures requests and memory with a healthy receiver, and with one that fails. */
async function checkLoad(behave) {
  const receiver = await startReceiver(protobuf)
  receiver.behave = behave
  if (behave === 'gone') await receiver.close()
  // Requests that fill the queue of spans several times: it holds 2048, and each request has three.
  const server = await start(receiver.url, { env: { NODE_OPTIONS: '--import ./tracing.mjs --max-old-space-size=160' } })
  let failed = 0
  const times = []
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 })
  const read = number =>
    new Promise(resolve => {
      const began = performance.now()
      const done = status => {
        if (status !== 200) failed += 1
        times.push(performance.now() - began)
        resolve()
      }
      const url = `${server.address}/api/tags?filters[id][$gt]=-${number}`
      http
        .get(url, { agent }, response => response.resume().on('end', () => done(response.statusCode)))
        .on('error', done)
    })
  const memory = []
  for (let round = 0; round < 12; round += 1) {
    await Promise.all(
      Array.from({ length: 8 }, async (_, one) => {
        for (let count = 0; count < 125; count += 1) await read(round * 1000 + one * 125 + count)
      }),
    )
    memory.push(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024)
  }
  agent.destroy()
  const { code, ms } = await server.stop()
  if (behave !== 'gone') await receiver.close()
  const sorted = times.toSorted((a, b) => a - b)
  const at = share => sorted[Math.floor(sorted.length * share)].toFixed(1)
  console.log(
    `      ${behave}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, memory ${memory.map(one => one.toFixed(0)).join(' ')} MB, stopped in ${(ms / 1000).toFixed(1)} s`,
  )
  await check(`a collector that ${says[behave]}: every request is served, memory has a bound, the server stops`, () => {
    assert.equal(failed, 0)
    assert.equal(code, 0)
    assert.ok(ms < 10_000, `${ms} ms`)
    const [middle, last] = [memory[5], memory[11]]
    assert.ok(last - middle < 60, `from ${middle} to ${last} MB`)
    if (behave === 'well') assert.ok(receiver.spans.length > 10_000, `${receiver.spans.length} spans`)
  })
}

/** Starts the receiver of the app's webhook. */
async function startHook() {
  const calls = new EventEmitter()
  let count = 0
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      response.end()
      count += 1
      calls.emit('call')
    })
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const called = async () => {
    if (count === 0) await once(calls, 'call')
    count = 0
    // The span ends with the response, which this process has just sent.
    await sleep(500)
  }
  return { url: `http://127.0.0.1:${server.address().port}`, called, close: () => server.close() }
}
