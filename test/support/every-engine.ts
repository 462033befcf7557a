import { type Engine, engines, on } from './engines.js'

// Quick tests that reach this module run on the database servers as well.

const [, mysqlEngine, postgresEngine] = engines as readonly [Engine, Engine, Engine]

export { mysqlEngine as mysql, postgresEngine as postgres }

/** The same suite once per engine. */
export function onEveryEngine(title: string, suite: (engine: Engine) => void): void {
  for (const engine of engines) on(engine, title, suite)
}

/** The same for engines that talk to a database server. */
export function onEveryServer(title: string, suite: (engine: Engine) => void): void {
  for (const engine of engines) if (engine.name !== 'sqlite') on(engine, title, suite)
}

/** Suites that start many apps or processes: on SQLite always, on the others where there is time, with STELE_TEST_LONG=1. */
export function onEveryEngineAtLength(title: string, suite: (engine: Engine) => void): void {
  const isTime = process.env.STELE_TEST_LONG === '1'
  for (const engine of engines) on(engine, title, suite, engine.name === 'sqlite' || isTime)
}
