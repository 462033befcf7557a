import type { Server } from 'node:http'
import {
  type Host,
  type JobSeen,
  type OutgoingSeen,
  optional,
  type RequestSeen,
  type SettingsOf,
  type StatementSeen,
} from '../../core/index.js'
import { events } from '../events/index.js'
import { listen } from './listener.js'
import { type Format, page } from './page.js'
import { type Distribution, type Note, Samples, together } from './samples.js'
import type { settings } from './settings.js'

/** Milliseconds between two reports of a process to the others. */
const interval = 1000

/** The operations of clients that have samples of their own. */
const mostOperations = 100

/** Methods with a name of their own; others could be anything. */
const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']

type Operation = NonNullable<RequestSeen['operation']>

type OwnHost = Host<SettingsOf<typeof settings>>

/** Measures this process, and writes the page of all processes. */
export class Metrics {
  readonly #host: OwnHost
  readonly #samples: Samples
  readonly #statements: Distribution
  readonly #rows: Distribution
  /** Distributions by route, method and status, looked up at every request. */
  readonly #requests = new Map<string, Map<string, Map<number, Distribution>>>()
  readonly #statementKinds = new Map<string, Distribution>()
  /** Distributions of the operations that have their own. */
  readonly #operations = new Map<string, Distribution>()
  readonly #cached = { hit: 0, miss: 0 }
  #timer: NodeJS.Timeout | undefined
  #server: Server | undefined

  private constructor(host: OwnHost, former: Note | undefined) {
    this.#host = host
    this.#samples = new Samples(former)
    this.#statements = this.#samples.histogram('stele_request_statements')
    this.#rows = this.#samples.histogram('stele_request_rows')
    for (const result of ['hit', 'miss']) this.#samples.count('stele_cached_responses_total', { result }, 0)
    this.#samples.count('stele_statement_errors_total', undefined, 0)
  }

  static async start(host: OwnHost): Promise<Metrics> {
    const {
      shares: { board, processes },
      purpose,
      config,
    } = host
    const former = purpose === 'serve' ? (await board.read()).get(board.number) : undefined
    const metrics = new Metrics(host, former as Note | undefined)
    if (purpose !== 'serve') return metrics
    if (processes > 1) metrics.#timer = setInterval(() => board.post(metrics.#note()), interval).unref()
    if (config.port !== undefined) metrics.#server = await listen({ ...config, port: config.port }, metrics, host.log)
    return metrics
  }

  /** The address of the metrics port; undefined without one. */
  get address() {
    return this.#server?.address() ?? undefined
  }

  request({ route = '', method, status, ms, statements, rows, cached, refused, operation }: RequestSeen): void {
    // A rejected request has taken no time, and the queue counts it.
    if (refused) return
    const found = this.#requests.get(route)?.get(method)?.get(status) ?? this.#requestsOf(route, method, status)
    found.add(ms / 1000)
    this.#statements.add(statements)
    this.#rows.add(rows)
    if (operation) this.#operationOf(operation).add(ms / 1000)
    if (cached !== undefined) this.#cached[cached] += 1
  }

  #requestsOf(route: string, method: string, status: number): Distribution {
    const byMethod = this.#requests.get(route) ?? new Map<string, Map<number, Distribution>>()
    const known = methods.includes(method) ? method : '_OTHER'
    const byStatus = byMethod.get(known) ?? new Map<number, Distribution>()
    const found = this.#samples.histogram('http_server_request_duration_seconds', {
      http_request_method: known,
      ...(route !== '' && { http_route: route }),
      http_response_status_code: status,
    })
    this.#requests.set(route, byMethod.set(known, byStatus.set(status, found)))
    return found
  }

  #operationOf({ kind, name }: Operation): Distribution {
    const key = `${kind} ${name}`
    const known = this.#operations.get(key)
    if (known) return known
    const labels = (named: string) => ({ operation_kind: kind, operation_name: named })
    const found = this.#samples.histogramOf('stele_operation_duration_seconds', labels(name), {
      most: mostOperations,
      other: labels('other'),
    })
    if (this.#operations.size < mostOperations) this.#operations.set(key, found)
    return found
  }

  statement({ kind, ms, error }: StatementSeen): void {
    const found = this.#statementKinds.get(kind) ?? this.#statementsOf(kind)
    found.add(ms / 1000)
    if (error !== undefined) this.#samples.count('stele_statement_errors_total')
  }

  #statementsOf(kind: string): Distribution {
    const found = this.#samples.histogram('db_client_operation_duration_seconds', {
      db_system_name: this.#host.store.facts.systemName,
      db_operation_name: kind.toUpperCase(),
    })
    this.#statementKinds.set(kind, found)
    return found
  }

  job({ plugin, job: name, ms, error }: JobSeen): void {
    const job = `${plugin}/${name}`
    this.#samples.count('stele_job_runs_total', { job_name: job, result: error === undefined ? 'done' : 'failed' })
    this.#samples.histogram('stele_job_duration_seconds', { job_name: job }).add(ms / 1000)
    if (error === undefined)
      this.#samples.set('stele_job_last_success_timestamp_seconds', Date.now() / 1000, { job_name: job })
  }

  outgoing({ method, origin, ms, status, name }: OutgoingSeen): void {
    const { hostname, port, protocol } = new URL(origin)
    const labels = {
      name,
      http_request_method: method,
      server_address: hostname,
      server_port: Number(port || (protocol === 'https:' ? 443 : 80)),
      ...(status === undefined ? { error_type: 'no_response' } : { http_response_status_code: status }),
    }
    this.#samples.histogram('http_client_request_duration_seconds', labels).add(ms / 1000)
  }

  /** The page of all processes. */
  async page(format: Format): Promise<string> {
    const age = await this.#eventsAge()
    if (age !== undefined) this.#samples.set('stele_events_age_seconds', age)
    const { board } = this.#host.shares
    const own = this.#note()
    // A sample shown on a page is posted first, so that it survives if this process is killed before the next page.
    board.post(own)
    const notes = new Map((await board.read()) as ReadonlyMap<number, Note>)
    return page(together([...notes.set(board.number, own).values()]), format)
  }

  /** Seconds; undefined without the plugin, or while the database cannot say. */
  async #eventsAge(): Promise<number | undefined> {
    const service = this.#host.service(optional(events))
    try {
      return service && (await service.age())
    } catch (error) {
      this.#host.log.debug({ err: error }, 'the age of events could not be read')
      return undefined
    }
  }

  #note(): Note {
    this.#readGauges()
    this.#readProcess()
    return this.#samples.note()
  }

  #readGauges(): void {
    const samples = this.#samples
    const { queue, refused, inFlight, pool, replicas, plans, eventLoopDelay } = this.#host.gauges()
    samples.set('http_server_active_requests', inFlight)
    samples.set('stele_queue_length', queue.length)
    samples.set('stele_queue_delay_seconds', queue.delay / 1000)
    samples.counted('stele_refused_total', refused)
    samples.counted('stele_plan_misses_total', plans.made)
    samples.set('stele_plans', plans.cached)
    samples.set('nodejs_eventloop_delay_mean_seconds', eventLoopDelay.mean / 1000)
    samples.set('nodejs_eventloop_delay_p99_seconds', eventLoopDelay.p99 / 1000)
    samples.set('nodejs_eventloop_delay_max_seconds', eventLoopDelay.most / 1000)
    for (const result of ['hit', 'miss'] as const) {
      samples.count('stele_cached_responses_total', { result }, this.#cached[result])
      this.#cached[result] = 0
    }
    if (pool) {
      samples.set('db_client_connection_count', pool.used, { state: 'used' })
      samples.set('db_client_connection_count', pool.idle, { state: 'idle' })
      samples.set('db_client_connection_max', pool.most)
      samples.set('db_client_connection_pending_requests', pool.waiting)
    }
    if (replicas) {
      samples.set('stele_replicas', replicas.used, { state: 'used' })
      samples.set('stele_replicas', replicas.all - replicas.used, { state: 'unused' })
      for (const { name, seconds } of replicas.lags)
        samples.set('stele_replica_lag_seconds', seconds, { replica: name })
    }
  }

  #readProcess(): void {
    const samples = this.#samples
    const { user, system } = process.cpuUsage()
    samples.counted('process_cpu_seconds_total', (user + system) / 1e6)
    samples.set('process_resident_memory_bytes', process.memoryUsage.rss())
    samples.set('process_start_time_seconds', Math.round(performance.timeOrigin) / 1000)
    samples.set('stele_processes', 1)
    samples.set('stele_processes_wanted', this.#host.shares.processes)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#server?.close()
    this.#server?.closeAllConnections()
  }
}
