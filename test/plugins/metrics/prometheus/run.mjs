// The page of metrics, the dashboard and the alert rules in a real Prometheus (Debian's package `prometheus`): every
// query of every panel is asked of what it has scraped of the sample app under load, and drawn; each rule is true to its
// word when the server is killed. `node test/plugins/metrics/prometheus/run.mjs [file.html]`, after `npm run build`,
// takes two minutes.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checks, startSample } from '../../../support/sample-server.mjs'
import { drawn } from './drawn.mjs'

const plugin = fileURLToPath(new URL('../../../../plugins/metrics/', import.meta.url))
const dashboard = JSON.parse(readFileSync(join(plugin, 'dashboard.json'), 'utf8'))
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
/** Metrics without samples here: there are no replicas, no pool on SQLite, no webhooks, and no job has run yet. */
const unused = /replica|db_client_connection|events_age|http_client|stele_job_/
const seconds = 60
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))
const [page] = process.argv.slice(2)

const { check, close } = checks()
const folder = mkdtempSync(join(tmpdir(), 'stele-prometheus-'))
const app = await startSample({ metrics: { enabled: true, config: { port: 9464 } }, events: true })
const prometheus = await startPrometheus()
try {
  await check('promtool finds the rules and the configuration in order', () => {
    execFileSync('promtool', ['check', 'config', join(folder, 'prometheus.yml')])
    execFileSync('promtool', ['check', 'rules', join(plugin, 'alerts.yml')])
  })
  await load()
  await check('the page is scraped without a complaint', async () => {
    const { activeTargets } = await ask('/api/v1/targets')
    const [{ health, lastError }] = activeTargets
    assert.deepEqual([health, lastError], ['up', ''])
  })
  const charts = []
  for (const { title, targets, fieldConfig } of panels) {
    const found = []
    await check(`${title}: its queries are answered, with values`, async () => {
      for (const { expr, legendFormat } of targets) found.push(...(await series(expr, legendFormat)))
      if (!unused.includes(title))
        assert.ok(
          found.some(({ values }) => values.length > 5),
          'there is nothing to see',
        )
    })
    charts.push({ title, unit: fieldConfig?.defaults?.unit, series: found })
  }
  await check('no rule fires while all is well', async () => {
    const { alerts } = await ask('/api/v1/alerts')
    assert.deepEqual(
      alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname),
      [],
    )
  })
  if (page) writeFileSync(page, drawn(charts))
  await app.stop()
  await check('the rule of a server that is gone fires', () => until('SteleDown'))
} finally {
  prometheus.kill()
  await once(prometheus, 'exit')
  rmSync(folder, { recursive: true, force: true })
}
close()

/** A Prometheus on a port of its own, that looks every second and waits for no rule. */
async function startPrometheus() {
  const rules = readFileSync(join(plugin, 'alerts.yml'), 'utf8').replace(/for: \d+m/g, 'for: 2s')
  writeFileSync(join(folder, 'alerts.yml'), rules)
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    scrape_configs: [{ job_name: 'stele', static_configs: [{ targets: ['127.0.0.1:9464'] }] }],
  }
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  mkdirSync(join(folder, 'data'))
  const args = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    '--web.listen-address=127.0.0.1:9491',
  ]
  const child = spawn('prometheus', args, { stdio: 'ignore' })
  const began = performance.now()
  while (
    !(await fetch('http://127.0.0.1:9491/-/ready').then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    assert.ok(child.exitCode === null && performance.now() - began < 60_000, 'Prometheus did not start')
    await sleep(100)
  }
  return child
}

async function ask(path) {
  const { status, data, error } = await (await fetch(`http://127.0.0.1:9491${path}`)).json()
  assert.equal(status, 'success', error)
  return data
}

/** The points that Grafana would draw of a query: the last minute, a point a second. */
async function series(expr, legend) {
  const end = Math.floor(Date.now() / 1000)
  const query = expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '15s')
  const parameters = new URLSearchParams({ query, start: String(end - seconds), end: String(end), step: '1' })
  const { result } = await ask(`/api/v1/query_range?${parameters}`)
  return result.map(({ metric, values }) => ({
    name: legend ? legend.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, label) => metric[label] ?? '') : JSON.stringify(metric),
    values: values.map(([time, value]) => [time, Number(value)]).filter(([, value]) => Number.isFinite(value)),
  }))
}

/** Reads that are cached and new ones, writes, and requests that fail, for a minute. */
async function load() {
  const paths = [
    '/api/articles',
    '/api/articles?populate=*',
    '/api/tags',
    '/api/articles/1',
    '/api/nothing',
    '/api/articles?sort=titel',
  ]
  const until = performance.now() + (seconds + 5) * 1000
  for (let round = 0; performance.now() < until; round += 1) {
    const fresh = `/api/articles?filters[minutes][$gte]=-${round}`
    await Promise.all([...paths, fresh].map(path => fetch(app.address + path).then(response => response.text())))
    if (round % 10 === 0) {
      const body = JSON.stringify({ data: { name: `tag ${round}` } })
      await fetch(`${app.address}/api/tags`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    }
    await sleep(20)
  }
}

async function until(name) {
  const began = performance.now()
  for (;;) {
    const { alerts } = await ask('/api/v1/alerts')
    if (alerts.some(({ labels, state }) => labels.alertname === name && state === 'firing')) return
    assert.ok(performance.now() - began < 60_000, `${name} does not fire`)
    await sleep(500)
  }
}
