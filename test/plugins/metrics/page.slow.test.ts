import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type Host } from '../../../core/index.js'
import { events } from '../../../plugins/events/index.js'
import { families } from '../../../plugins/metrics/families.js'
import { metrics } from '../../../plugins/metrics/index.js'
import type { Metrics } from '../../../plugins/metrics/metrics.js'
import { Samples, together } from '../../../plugins/metrics/samples.js'
import { findBinary } from '../../support/binary.js'
import { type Server, startOn } from '../../support/contract.js'
import type { FreshDatabase } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { worksAndFails } from '../../support/works-and-fails.js'
import { scraped, totalOf } from './scraped.js'

const promtool = findBinary(['promtool'], ['/usr/bin'])
if (promtool === undefined)
  console.warn(
    '\nSKIPPED: the page of metrics is not checked by promtool, which is not there (apt-get install prometheus)\n',
  )

const types = { note: { attributes: { text: { type: 'string' } } } }
const duration = 'http_server_request_duration_seconds_count'

const working = definePlugin({
  name: 'working',
  authenticate: ({ headers }) =>
    headers['x-key'] === 'scraper'
      ? { scope: 'scraper', id: 1, can: (action, uid) => action === 'read' && uid === 'plugin::metrics' }
      : undefined,
  register: host => host,
  jobs: worksAndFails,
})

onEveryEngine('the page of metrics', engine => {
  let fresh: FreshDatabase
  let server: Server
  let tell: Host['sent']
  beforeAll(async () => {
    fresh = await engine.fresh()
    server = await startOn(fresh.database, { types, plugins: [metrics, events, working] })
    const running = server.app.plugins.find(({ spec }) => spec.name === 'working')
    tell = (running?.service as Host | undefined)?.sent ?? assert.fail()
  })
  afterAll(async () => {
    await server?.app.close()
    await fresh?.drop()
  })
  const scrape = async () => scraped((await server.app.inject('/metrics')).body)

  it('counts requests by method, route and status, with what they cost', async () => {
    const before = await scrape()
    for (const text of ['a', 'b']) await server.post('/notes', { text })
    await server.get('/notes?sort=id')
    await server.get('/notes/77')
    await server.get('/nowhere/secret-looking')
    await server.app.inject({ method: 'PURGE' as never, url: '/api/notes' })
    const after = await scrape()
    const gained = (name: string, labels: Parameters<typeof totalOf>[2]) =>
      totalOf(after, name, labels) - totalOf(before, name, labels)
    const of = (method: string, route: string, status: number) =>
      gained(duration, {
        http_request_method: method,
        http_route: route,
        http_response_status_code: String(status),
      })
    assert.equal(of('POST', '/api/notes', 200) + of('POST', '/api/notes', 201), 2)
    assert.equal(of('GET', '/api/notes', 200), 1)
    assert.equal(of('GET', '/api/notes/:id', 404), 1)
    assert.equal(gained(duration, { http_request_method: '_OTHER' }), 1)
    assert.ok(after.samples.every(({ labels }) => !JSON.stringify(labels).includes('secret-looking')))
    // The first look at the page is a request as well.
    assert.equal(gained('stele_request_statements_count', {}), 7)
    assert.ok(gained('stele_request_statements_sum', {}) >= 4)
    assert.ok(gained('stele_request_rows_sum', {}) >= 4)
    assert.equal(gained('stele_plan_misses_total', {}) > 0, true)
  })

  it.skipIf(!promtool)('is in order for promtool, but for one name that OpenTelemetry gives', async () => {
    await server.get('/notes')
    const input = (await server.app.inject('/metrics')).body
    const { stdout, stderr } = spawnSync(promtool ?? '', ['check', 'metrics'], { input, encoding: 'utf8' })
    const complaints = `${stdout}${stderr}`.split('\n').filter(Boolean)
    const known = 'db_client_connection_count non-histogram and non-summary metrics should not have "_count" suffix'
    assert.deepEqual(complaints, engine.name === 'sqlite' ? [] : [known])
  })

  it('has the time of statements by what they do', async () => {
    const before = await scrape()
    await server.get('/notes?sort=text&filters[text]=x')
    const after = await scrape()
    const system = engine.name === 'postgres' ? 'postgresql' : engine.name
    const labels = { db_system_name: system, db_operation_name: 'SELECT' }
    const name = 'db_client_operation_duration_seconds_count'
    assert.ok(totalOf(after, name, labels) - totalOf(before, name, labels) >= 2)
  })

  it('has the state of the process and of the database', async () => {
    const page = await scrape()
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'process_start_time_seconds'])
      assert.ok(totalOf(page, name) > 0, name)
    assert.deepEqual([totalOf(page, 'stele_processes'), totalOf(page, 'stele_processes_wanted')], [1, 1])
    assert.equal(page.types.has('db_client_connection_count'), engine.name !== 'sqlite')
    assert.equal(totalOf(page, 'stele_events_age_seconds'), 0)
  })

  it('counts runs of jobs by result', async () => {
    await server.app.runJob('working/works')
    await assert.rejects(server.app.runJob('working/fails'))
    const page = await scrape()
    const runs = (job: string, result: string) => totalOf(page, 'stele_job_runs_total', { job_name: job, result })
    assert.deepEqual([runs('working/works', 'done'), runs('working/fails', 'failed')], [1, 1])
    assert.ok(totalOf(page, 'stele_job_last_success_timestamp_seconds', { job_name: 'working/works' }) > 1.7e9)
  })

  it('has the time of what plugins send to other servers', async () => {
    const labels = { name: 'webhook a', http_request_method: 'POST', server_address: 'example.com' }
    const about = { name: 'webhook a', method: 'POST', ms: 80, attempt: 1 }
    tell({ ...about, origin: 'https://example.com', status: 503 })
    tell({ ...about, origin: 'http://example.com:8080', status: undefined, error: new Error('secret-looking') })
    const page = await scrape()
    const count = 'http_client_request_duration_seconds_count'
    assert.equal(totalOf(page, count, { ...labels, server_port: '443', http_response_status_code: '503' }), 1)
    assert.equal(totalOf(page, count, { ...labels, server_port: '8080', error_type: 'no_response' }), 1)
  })

  it('fires the alerts of requests and statements that fail, once a table is gone', async () => {
    const before = await scrape()
    await server.app.store.transaction(async session => void (await session.run('drop table notes', [])))
    for (let count = 0; count < 20; count += 1) await server.get(`/notes?filters[text]=${count}`)
    const after = await scrape()
    const gained = (name: string, labels?: Parameters<typeof totalOf>[2]) =>
      totalOf(after, name, labels) - totalOf(before, name, labels)
    const failing = alertOf('SteleRequestsFail')
    assert.match(failing.expr, /duration_seconds_count\{http_response_status_code=~"5\.\."\}/)
    const share = gained(duration, { http_response_status_code: /^5..$/ }) / gained(duration)
    assert.ok(share > failing.limit, `${share} of the requests failed`)
    const refused = alertOf('SteleStatementsFail')
    assert.match(refused.expr, /^rate\(stele_statement_errors_total\[5m\]\)/)
    // As if this had been all that happened in a minute.
    assert.ok(gained('stele_statement_errors_total') / 60 > refused.limit)
  })
})

const read = (file: string): string =>
  readFileSync(new URL(`../../../plugins/metrics/${file}`, import.meta.url), 'utf8')

/** The expression of an alert, and the limit at its end. */
function alertOf(name: string): { readonly expr: string; readonly limit: number } {
  const [, expr = ''] = new RegExp(`alert: ${name}\\n\\s+expr: (.*)\\n`).exec(read('alerts.yml')) ?? []
  const [, limit = ''] = /> ([\d.]+)$/.exec(expr) ?? []
  return { expr, limit: Number(limit) }
}

describe('the files for Grafana and Prometheus', () => {
  const named = (text: string): string[] => [
    ...new Set(text.match(/\b(?:http|db|nodejs|process|stele)_[a-z\d_]*[a-z\d]\b/g) ?? []),
  ]
  const labels = ['http_response_status_code', 'http_request_method', 'http_route', 'db_operation_name']
  for (const file of ['dashboard.json', 'alerts.yml', 'README.md'])
    it(`name only metrics that are on the page: ${file}`, () => {
      const bases = named(read(file))
        .filter(name => !labels.includes(name) && name !== 'db_system_name')
        .map(name => (name in families ? name : name.replace(/_(bucket|sum|count)$/, '')))
      assert.ok(bases.length > 10)
      assert.deepEqual(
        bases.filter(name => !(name in families)),
        [],
      )
    })

  it('show every metric on the dashboard', () => {
    const text = read('dashboard.json')
    assert.deepEqual(
      Object.keys(families).filter(name => !text.includes(name)),
      [],
    )
  })

  it('are a dashboard whose panels ask for something', () => {
    const { panels } = JSON.parse(read('dashboard.json')) as {
      panels: { id: number; type: string; targets?: { expr: string }[] }[]
    }
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    for (const { type, targets = [] } of panels)
      assert.ok(type === 'row' || (targets.length > 0 && targets.every(({ expr }) => expr.includes('$instance'))))
  })
})

describe('metrics', () => {
  it('are in the format of OpenMetrics where a scraper asks for it', async () => {
    const app = await createTestApp({ types, plugins: [metrics] })
    onTestFinished(() => app.close())
    await app.inject('/api/notes')
    const accept = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5'
    const { headers, body } = await app.inject({ url: '/metrics', headers: { accept } })
    assert.equal(headers['content-type'], 'application/openmetrics-text; version=1.0.0; charset=utf-8')
    const page = scraped(body, true)
    assert.equal(page.types.get('stele_plan_misses'), 'counter')
    assert.equal(page.units.get('process_cpu_seconds'), 'seconds')
    const plain = await app.inject('/metrics')
    assert.equal(plain.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    assert.equal(scraped(plain.body).types.get('stele_plan_misses_total'), 'counter')
    assert.match(String(plain.headers.vary), /Accept/)
  })

  it('require a permission on the port of the server', async () => {
    const config = { api: { rest: { public: { note: ['find'] } } } }
    const app = await createTestApp({ types, plugins: [metrics, working], config })
    onTestFinished(() => app.close())
    assert.equal((await app.inject('/metrics')).statusCode, 403)
    assert.equal((await app.inject({ url: '/metrics', headers: { 'x-key': 'scraper' } })).statusCode, 200)
  })

  it('need none on a port of their own, where there is nothing else', async () => {
    const app = await createTestApp({ types, plugins: [[metrics, { port: 0, path: '/own' }]] })
    onTestFinished(() => app.close())
    assert.equal((await app.inject('/own')).statusCode, 404)
    const { service } = app.plugins.find(({ spec }) => spec.name === 'metrics') ?? {}
    const { port, address } = (service as Metrics).address as AddressInfo
    assert.equal(address, '127.0.0.1')
    const base = `http://127.0.0.1:${port}`
    const page = await fetch(`${base}/own`)
    assert.equal(page.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    assert.ok(scraped(await page.text()).types.has('stele_processes'))
    assert.equal((await fetch(`${base}/own`, { method: 'HEAD' })).status, 200)
    assert.equal((await fetch(`${base}/api/notes`)).status, 404)
    const posted = await fetch(`${base}/own`, { method: 'POST' })
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
  })

  it('stop the start where their port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise(resolve => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    await assert.rejects(
      createTestApp({ plugins: [[metrics, { port }]] }),
      /plugin metrics could not start: cannot listen on 127\.0\.0\.1:\d+: the port is taken; metrics\.config\.port/,
    )
  })
})

describe('samples of several processes', () => {
  const noteOf = (at: number, requests: number, delay: number) => {
    const samples = new Samples(undefined)
    samples.counted('stele_refused_total', requests)
    samples.set('stele_queue_length', 2)
    samples.set('nodejs_eventloop_delay_max_seconds', delay)
    for (let count = 0; count < requests; count += 1) samples.histogram('stele_request_statements').add(count)
    return { ...samples.note(), at }
  }

  it('add up, and of delays the longest counts', () => {
    const { counters, gauges, histograms } = together([noteOf(1000, 3, 0.5), noteOf(1500, 2, 0.1)])
    assert.equal(counters.stele_refused_total, 5)
    assert.deepEqual([gauges.stele_queue_length, gauges.nodejs_eventloop_delay_max_seconds], [4, 0.5])
    const counts = histograms.stele_request_statements ?? []
    assert.deepEqual([counts[0], counts[1], counts[2], counts.at(-1)], [2, 2, 1, 4])
  })

  it('of one that has ended count, and its state does not', () => {
    const { counters, gauges } = together([noteOf(1000, 3, 0.5), noteOf(9000, 2, 0.1)])
    assert.deepEqual([counters.stele_refused_total, gauges.stele_queue_length], [5, 2])
  })

  it('go on where a predecessor has ended', () => {
    const samples = new Samples(noteOf(1000, 3, 0.5))
    samples.counted('stele_refused_total', 1)
    samples.histogram('stele_request_statements').add(0)
    const { counters, histograms, gauges } = samples.note()
    assert.deepEqual([counters.stele_refused_total, histograms.stele_request_statements?.[0]], [4, 2])
    assert.deepEqual(gauges, {})
  })
})
