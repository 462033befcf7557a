import { CommanderError } from 'commander'
import { BootError, RequestError } from '../../errors.js'
import { exitCodeOf, exitCodes } from './exit-codes.js'
import { type Io, processIo } from './io.js'
import { commandNames, runCommand } from './program.js'

/** Runs the command line of this process. */
export const runProcess = (): Promise<number> => run(process.argv.slice(2), processIo())

/** Runs one command line and resolves to its exit code; `start` resolves once the server listens. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    const [first = ''] = argv
    const names = commandNames()
    if (first === '' || first.startsWith('-') || first === 'help') return await runCommand(argv, names, io)
    if (names.includes(first)) return await runCommand(argv, [first], io)
    return await (await import('./plugin-command.js')).runPluginCommand(argv, names, io)
  } catch (error) {
    // Help and wrong options: they are printed already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage.code
    await tellFailure(error, argv, io)
    return exitCodeOf(error)
  }
}

/** Collectors of logs read one stream: in production a start that fails says so where the log is. */
async function tellFailure(error: unknown, [first]: readonly string[], io: Io): Promise<void> {
  const sentence = errorMessageOf(error)
  const { NODE_ENV, LOG_FORMAT = 'auto' } = io.env
  if (first === 'start' && NODE_ENV === 'production' && LOG_FORMAT !== 'text' && !io.stdout.isTTY) {
    const { createLog } = await import('../../log.js')
    const { logTo } = await import('./log-to.js')
    const worker = io.env.STELE_WORKER === undefined ? undefined : Number(io.env.STELE_WORKER)
    const log = createLog('fatal', { ...logTo(io, 'json'), worker })
    log.fatal(sentence === undefined ? { err: error } : {}, sentence ?? 'the start failed')
  } else if (sentence === undefined) throw error
  else io.stderr.write(`${sentence}\n`)
}

/**
 * A message in place of a stack for errors that the operator can fix: wrong settings, refusals of a database or the
 * system. Any other error is a mistake of the program, and undefined.
 */
function errorMessageOf(error: unknown): string | undefined {
  if (error instanceof BootError || error instanceof RequestError) return error.message
  const { code, message, sqlMessage } = Object(error) as NodeJS.ErrnoException & { readonly sqlMessage?: string }
  if (!outside.test(String(code))) return undefined
  return sqlMessage === undefined ? message : `the database refuses it: ${sqlMessage}`
}

/** Codes of the system, of MySQL, of SQLite and of PostgreSQL; Node's own codes are for wrong calls. */
const outside = /^(?:E[A-Z]+|ER_\w+|ERR_SQLITE_ERROR|[0-9A-Z]{5})$/
