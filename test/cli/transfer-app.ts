import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import inject from 'light-my-request'
import { afterAll, inject as provided, vi } from 'vitest'
import { findPlugins, loadConfig } from '../../core/boot/load-config.js'
import { type App, boot } from '../../core/kernel.js'
import { createLog } from '../../core/log.js'
import { wings } from '../../core/wings.js'
import { stele as command } from '../support/command.js'
import type { FreshDatabase } from '../support/engines.js'
import { ownEnv } from '../support/terminal.js'

// A test runs many commands.
vi.setConfig({ testTimeout: 120_000 })

const root = fileURLToPath(new URL('../..', import.meta.url))
export const main = join(root, 'core/tools/cli/stele.js')

/** A folder that is gone after the tests of this file. */
export function place(): string {
  const folder = mkdtempSync(join(provided('folder'), 'transfer-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export type Files = Readonly<Record<string, unknown>>

/** An app of these files: JSON where they are no text. */
export function writeApp(folder: string, files: Files): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

export const copyApp = (from: string, to: string): string => {
  for (const part of ['config', 'content-types']) cpSync(join(from, part), join(to, part), { recursive: true })
  return to
}

const secrets = { JWT_SECRET: 'a secret for tests', API_TOKEN_SALT: 'a salt for tests', NODE_ENV: 'test' }

export interface CommandOutput {
  readonly code: number | null
  readonly out: string
  readonly errors: string
}

/** A command in a process of its own: its output so far, and its end. */
export interface RunningCommand {
  readonly child: ChildProcess
  readonly errors: () => string
  readonly ended: Promise<CommandOutput>
}

export function begin(args: readonly string[], { env }: Pick<FreshDatabase, 'env'>, cwd?: string): RunningCommand {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...ownEnv, ...secrets, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd && { cwd }),
  })
  let out = ''
  let errors = ''
  child.stdout.on('data', part => {
    out += part
  })
  child.stderr.on('data', part => {
    errors += part
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, errors }))
  return { child, errors: () => errors, ended }
}

/** `stele export all.tar --app .`, from beginning to end, in this process. */
export async function stele(
  args: readonly string[],
  { env }: Pick<FreshDatabase, 'env'>,
  cwd?: string,
): Promise<CommandOutput> {
  const { status, stdout, stderr } = await command(args, { env: { ...secrets, ...env }, ...(cwd && { cwd }) })
  return { code: status, out: stdout, errors: stderr }
}

/** The app of a folder in this process; the caller closes it. */
export async function openApp(folder: string, { env }: Pick<FreshDatabase, 'env'>): Promise<App> {
  const config = await loadConfig(folder, { env: { ...secrets, ...env } })
  return boot({ wings, config, log: createLog('silent'), plugins: await findPlugins(config) })
}

/** A request without a socket. */
export async function send({ koa }: App, method: 'GET' | 'POST', url: string, body?: object, token?: string) {
  const response = await inject(koa.callback(), {
    method,
    url,
    ...(body && { payload: body }),
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  })
  return { status: response.statusCode, body: JSON.parse(response.payload) }
}

export type Row = Readonly<Record<string, unknown>>

/** Every row of every table of an app, as the server reads them; settings without ids, as their table is not the app's alone. */
export async function allRows({ store, tables }: App): Promise<Record<string, Row[]>> {
  const all: Record<string, Row[]> = {}
  for (const { name, columns } of tables) {
    // These rows mean something to one installation only.
    if (name === 'stele_upload_leftovers' || name === 'stele_login_codes') continue
    const query = store
      .knex(name)
      .select('id', ...columns.map(({ name: column, as }) => (as === 'bigint' ? asText(store, column) : column)))
    const rows = await store.reader.all(query.orderBy('id').toString(), [])
    all[name] = rows.map(([id, ...values]) => ({
      id: Number(id),
      ...Object.fromEntries(
        columns.map((column, index) => {
          const value = store.decode(column.as === 'order' ? 'float' : column.as, values[index])
          return [column.name, value]
        }),
      ),
    }))
  }
  const settings = store.knex('strapi_core_store_settings').select('key', 'value', 'type').orderBy('key').toString()
  all.settings = (await store.reader.all(settings, [])).map(([key, value, type]) => ({ key, value, type }))
  return all
}

const asText = ({ engine, knex }: App['store'], column: string) =>
  knex.raw(`cast(?? as ${engine === 'mysql' ? 'char' : 'text'})`, [column])

/** The members of an archive by name, read with the tar of the system. */
export function membersOf(archive: string): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'stele-unpacked-'))
  try {
    const listed = spawnSync('tar', ['xvf', archive, '-C', folder], { encoding: 'utf8' })
    if (listed.status !== 0) throw new Error(listed.stderr)
    const names = listed.stdout.split('\n').filter(Boolean)
    return new Map(names.map(name => [name, readFileSync(join(folder, name), 'utf8')]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
