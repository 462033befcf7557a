import { placeIn } from './project/failure.js'
import type { OwnRuntime } from './runtime.js'

/** The runtimes that serve in this process, the latest last. */
const serving: OwnRuntime[] = []

/**
 * Logs what code leaves behind and nothing catches, until the returned function is called. A rejected promise, as that of a write
 * that was not waited for, would end the process with all of its requests: it is logged, and the server goes on. An error that
 * is thrown in a timer or by an emitter leaves things half done: it is logged, and ends the process as ever.
 */
export function hearProcess(runtime: OwnRuntime): () => void {
  if (serving.length === 0) {
    process.on('unhandledRejection', onRejection)
    process.on('uncaughtExceptionMonitor', onException)
  }
  serving.push(runtime)
  return () => {
    const at = serving.indexOf(runtime)
    if (at >= 0) serving.splice(at, 1)
    if (serving.length > 0) return
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtExceptionMonitor', onException)
  }
}

const onRejection = (reason: unknown): void =>
  tell(reason, 'a promise was rejected that nothing waits for; the server goes on')

const onException = (error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void => {
  if (origin === 'uncaughtException') tell(error, 'an error was thrown where nothing catches it, and ends the process')
}

function tell(reason: unknown, what: string): void {
  const err = reason instanceof Error ? reason : new Error(`${print(reason)} is no error and has no stack`)
  for (const { app, log } of [...serving].reverse()) {
    const place = placeIn(app.appDir, err)
    if (!place) continue
    log.error({ err }, `${place.file}${place.line === undefined ? '' : `, line ${place.line}`}: ${what}`)
    return
  }
  serving.at(-1)?.log.error({ err }, what)
}

function print(reason: unknown): string {
  try {
    return JSON.stringify(reason) ?? String(reason)
  } catch {
    return 'a value that was thrown'
  }
}
