/** A family of metrics: all samples under one name. */
export interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly unit?: 'seconds' | 'bytes'
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[]
  /** The combination of several processes' values; their sum if it is not set. */
  readonly together?: 'max' | 'min'
}

/** The bounds that OpenTelemetry advises for durations of requests and of statements. */
const requests = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const statements = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

/** Every metric, in the order of the page. The first three groups have the names of OpenTelemetry's conventions. */
export const families = {
  http_server_request_duration_seconds: {
    type: 'histogram',
    unit: 'seconds',
    buckets: requests,
    help: 'Time from when the server began to serve a request until its response was handed over, by route and status.',
  },
  http_server_active_requests: { type: 'gauge', help: 'Requests that have been admitted and not answered yet.' },

  stele_operation_duration_seconds: {
    type: 'histogram',
    unit: 'seconds',
    buckets: requests,
    help: 'Time of requests whose route serves many operations, by the operation.',
  },

  db_client_operation_duration_seconds: {
    type: 'histogram',
    unit: 'seconds',
    buckets: statements,
    help: 'Time of the statements of the content.',
  },
  db_client_connection_count: { type: 'gauge', help: 'Connections of the pool, by state.' },
  db_client_connection_max: { type: 'gauge', help: 'Maximum pool size.' },
  db_client_connection_pending_requests: { type: 'gauge', help: 'Statements that wait for a connection.' },

  http_client_request_duration_seconds: {
    type: 'histogram',
    unit: 'seconds',
    buckets: requests,
    help: 'Time of requests that plugins have sent to other servers, such as webhooks.',
  },

  nodejs_eventloop_delay_mean_seconds: {
    type: 'gauge',
    unit: 'seconds',
    together: 'max',
    help: 'Mean delay of the event loop since the last look.',
  },
  nodejs_eventloop_delay_p99_seconds: {
    type: 'gauge',
    unit: 'seconds',
    together: 'max',
    help: '99th percentile of the delay of the event loop since the last look.',
  },
  nodejs_eventloop_delay_max_seconds: {
    type: 'gauge',
    unit: 'seconds',
    together: 'max',
    help: 'Longest delay of the event loop since the last look.',
  },
  process_cpu_seconds_total: { type: 'counter', unit: 'seconds', help: 'CPU time, user and system.' },
  process_resident_memory_bytes: { type: 'gauge', unit: 'bytes', help: 'Resident memory of all processes.' },
  process_start_time_seconds: {
    type: 'gauge',
    unit: 'seconds',
    together: 'min',
    help: 'Start of the oldest process, in seconds since 1970.',
  },

  stele_processes: { type: 'gauge', help: 'Processes that serve the app and have reported within five seconds.' },
  stele_processes_wanted: { type: 'gauge', together: 'max', help: 'Processes that are to serve the app.' },
  stele_request_statements: {
    type: 'histogram',
    buckets: [0, 1, 2, 3, 4, 5, 7, 10, 20, 50, 100],
    help: 'SQL statements of a request.',
  },
  stele_request_rows: {
    type: 'histogram',
    buckets: [0, 1, 10, 25, 100, 1000, 10_000, 50_000],
    help: 'Rows that the statements of a request read or changed.',
  },
  stele_cached_responses_total: { type: 'counter', help: 'Responses that can be cached, by whether they were.' },
  stele_queue_length: { type: 'gauge', help: 'Requests that wait to be admitted.' },
  stele_queue_delay_seconds: {
    type: 'gauge',
    unit: 'seconds',
    together: 'max',
    help: 'Time that the next request would wait.',
  },
  stele_refused_total: { type: 'counter', help: 'Requests that were rejected with 503 because of overload.' },
  stele_plan_misses_total: { type: 'counter', help: 'Query plans that were made because the cache had none.' },
  stele_plans: { type: 'gauge', help: 'Query plans in the cache.' },
  stele_statement_errors_total: { type: 'counter', help: 'Statements that the database refused or did not finish.' },
  stele_replicas: {
    type: 'gauge',
    together: 'max',
    help: 'Read replicas, by whether they are near enough to be read.',
  },
  stele_replica_lag_seconds: {
    type: 'gauge',
    unit: 'seconds',
    together: 'max',
    help: 'Time by which a read replica is behind at most.',
  },
  stele_job_runs_total: { type: 'counter', help: 'Runs of jobs, by result.' },
  stele_job_duration_seconds: {
    type: 'histogram',
    unit: 'seconds',
    buckets: [0.1, 1, 10, 60, 600, 3600],
    help: 'Time of the runs of jobs.',
  },
  stele_job_last_success_timestamp_seconds: {
    type: 'gauge',
    unit: 'seconds',
    together: 'max',
    help: 'End of the last run of a job that succeeded, in seconds since 1970.',
  },
  stele_events_age_seconds: {
    type: 'gauge',
    unit: 'seconds',
    together: 'max',
    help: 'Age of the oldest event that webhooks have not been told of; 0 if there is none.',
  },
} as const satisfies Readonly<Record<string, Family>>

export type Name = keyof typeof families

type NamesOf<Type extends Family['type']> = {
  [Key in Name]: (typeof families)[Key]['type'] extends Type ? Key : never
}[Name]

export type Histogram = NamesOf<'histogram'>
export type Counter = NamesOf<'counter'>
export type Gauge = NamesOf<'gauge'>
