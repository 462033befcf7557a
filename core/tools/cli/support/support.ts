import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { isSection } from '../../../config/merge.js'
import type { Config } from '../../../config/types.js'
import { BootError } from '../../../errors.js'
import { ownVersion } from '../../../kit/own-folder.js'
import { maskSecrets } from '../../../log.js'
import { loadDefinitions } from '../../../schema/load.js'
import { type AppOptions, configOf } from '../app.js'
import type { Io } from '../io.js'

export interface SupportOptions extends AppOptions {
  readonly log?: string
}

/** Lines of the log in a report, enough to show what preceded a failure. */
const most = 200

/** `stele support`: everything that a bug report needs, as JSON, without secrets. An unreadable part has the reason in its place. */
export async function support({ log, ...options }: SupportOptions, io: Io): Promise<void> {
  const config = await read(() => configOf(options, io))
  const listed = async (run: (within: Io) => Promise<unknown>) => read(() => printedBy(run, io))
  const { listPlugins } = await import('../lists/plugins.js')
  const { doctor } = await import('../doctor/doctor.js')
  const { plan } = await import('../changes/plan.js')
  const bundle = {
    versions: {
      stele: ownVersion(),
      node: process.versions.node,
      system: `${os.platform()} ${os.release()} ${os.arch()}`,
      cpus: os.availableParallelism(),
      memory: os.totalmem(),
    },
    settings: isFailed(config) ? config : settingsOf(config),
    plugins: withoutSettings(await listed(within => listPlugins({ ...options, json: true }, within))),
    schema: isFailed(config) ? config : await read(async () => schemaOf(loadDefinitions(config.appDir))),
    database: historyOf(await listed(within => plan({ ...options, json: true }, within))),
    doctor: await listed(within => doctor({ ...options, json: true }, within)),
    ...(log !== undefined && { log: lastLines(await textOf(path.resolve(io.cwd, log)), most) }),
  }
  io.stdout.write(`${JSON.stringify(bundle, leftOut, 2)}\n`)
}

/** Examples of findings are ids, names and values of the content. */
const leftOut = (name: string, value: unknown): unknown => (name === 'examples' ? undefined : value)

function settingsOf({ appDir: _, server, api, log, database, plugins, permissions, webhooks, ...rest }: Config) {
  const { client, ...place } = database
  return {
    ...(withoutSecrets({ project: rest.project, environment: rest.environment, server, api, log }, true) as object),
    database: { client, ...(withoutSecrets(place, false) as object) },
    ...(withoutSecrets({ plugins, permissions, webhooks }, false) as object),
    notices: rest.notices,
  }
}

/** Settings of plugins are left out here, as they are among the settings. */
const withoutSettings = (rows: object) => (Array.isArray(rows) ? rows.map(({ settings: _, ...row }) => row) : rows)

const schemaOf = (definitions: ReturnType<typeof loadDefinitions>) =>
  Object.fromEntries(definitions.map(({ uid, schema }) => [uid, schema]))

/** Versions that changed the database, without the pending changes, which doctor reports. */
function historyOf(planned: object): object {
  const { changes: _, prevented: __, notes: ___, ...history } = planned as Record<string, unknown>
  return history
}

interface ReadFailure {
  readonly failed: string
}

async function read<T>(work: () => Promise<T>): Promise<T | ReadFailure> {
  try {
    return await work()
  } catch (error) {
    return { failed: (error as Error).message }
  }
}

const isFailed = (value: object): value is ReadFailure => 'failed' in value

/** The output of a listing command. */
async function printedBy(run: (within: Io) => Promise<unknown>, io: Io): Promise<object> {
  let text = ''
  const stdout = new Writable({
    write(part, _, done) {
      text += part
      done()
    },
  })
  await run({ ...io, stdout })
  return JSON.parse(text)
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new BootError(`${file} cannot be read: ${(error as Error).message}`, { cause: error, kind: 'usage' })
  }
}

const isSecret = /authorization|cookie|passw|token|secret|salt|key|credential|auth|user|dsn/i

/**
 * Settings for a bug report: numbers and switches as they are, and texts only if core knows their meaning and their names
 * are not those of secrets. A setting of a plugin may be a secret under any name.
 */
function withoutSecrets(value: unknown, showsTexts: boolean): unknown {
  if (Array.isArray(value)) return value.map(one => withoutSecrets(one, showsTexts))
  if (isSection(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, withoutSecrets(inner, showsTexts && !isSecret.test(name))]),
    )
  if (typeof value === 'string') return showsTexts ? maskSecrets(value) : '[text]'
  return typeof value === 'function' ? '[function]' : value
}

/** The end of a log, line by line, with apparent secrets replaced. */
const lastLines = (text: string, count: number): string[] =>
  text.split('\n').filter(Boolean).slice(-count).map(maskSecrets)
