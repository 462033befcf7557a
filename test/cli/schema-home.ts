import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { TestAppOptions } from '../../core/index.js'
import { stele } from '../support/command.js'
import { type Server, startOn } from '../support/contract.js'
import { anyEngine, type Engine } from '../support/engines.js'
import { run } from '../support/run.js'
import { folderOf, ownEnv, program } from '../support/terminal.js'

type Json = Readonly<Record<string, unknown>>
export type Types = Readonly<Record<string, Json>>
export type Schemas = Pick<TestAppOptions, 'plugins'> & { readonly types: Types; readonly components?: Types }

export interface CommandOutput {
  readonly code: number | null
  readonly out: string
  readonly errors: string
}

export type Home = Awaited<ReturnType<typeof home>>

/** A database and the folder of an app on it, whose schema files change from time to time. */
export async function home(engine: Engine = anyEngine) {
  const fresh = await engine.fresh()
  onTestFinished(() => fresh.drop())
  const folder = folderOf()
  const env: Record<string, string> = { ...fresh.env, NODE_ENV: 'test' }
  const write = (name: string, content: unknown) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content))
  }
  const say = async (...args: string[]): Promise<CommandOutput> => {
    const { status, stdout, stderr } = await stele([...args, '--app', folder], { env })
    return { code: status, out: stdout, errors: stderr }
  }
  const begin = (...args: string[]) =>
    spawn(process.execPath, [program, ...args, '--app', folder], {
      env: { ...ownEnv, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return {
    folder,
    env,
    database: fresh.database,
    write,
    say,
    /** The same, while other things go on. */
    async later(...args: string[]): Promise<CommandOutput> {
      const child = begin(...args)
      const [out, errors] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
      return { code: child.exitCode ?? ((await once(child, 'close'))[0] as number | null), out, errors }
    },
    /** As a person sees it, who answers the first question. */
    onTerminal: (answer: string, ...args: string[]) =>
      new Promise<Omit<CommandOutput, 'errors'>>(resolve => {
        const command = [process.execPath, program, ...args, '--app', folder].map(word => `'${word}'`).join(' ')
        const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
          env: { ...ownEnv, TERM: 'xterm', ...env },
          stdio: ['pipe', 'pipe', 'inherit'],
        })
        const said = { out: '', isAnswered: false }
        child.stdout.on('data', part => {
          said.out += part
          if (said.isAnswered || !said.out.includes('[y/N]')) return
          said.isAnswered = true
          child.stdin.write(answer)
        })
        child.on('close', code => resolve({ code, out: said.out }))
      }),
    json: async (...args: string[]) => JSON.parse((await say(...args, '--json')).out),
    sql: (text: string) => run(fresh.database, text),
    /** The schema files of these types, and nothing else. */
    files({ types, components = {}, plugins = [] }: Schemas): void {
      rmSync(join(folder, 'content-types'), { recursive: true, force: true })
      for (const [name, schema] of Object.entries(types)) write(`content-types/${name}.json`, fileOf(name, schema))
      for (const [uid, schema] of Object.entries(components))
        write(`content-types/components/${uid.replace('.', '/')}.json`, { collectionName: tableOf(uid), ...schema })
      const names = plugins.map(plugin => [(Array.isArray(plugin) ? plugin[0] : plugin).name, true])
      write('config/plugins.json', Object.fromEntries(names))
    },
    /** Runs `work` with a server of these types on the database. */
    async during<T>({ types, components, plugins }: Schemas, work: (world: Server) => Promise<T>): Promise<T> {
      const options = { types, ...(components && { components }), ...(plugins && { plugins }) }
      const world = await startOn(fresh.database, options)
      try {
        return await work(world)
      } finally {
        await world.app.close()
      }
    },
  }
}

const tableOf = (uid: string): string => `components_${uid.replace('.', '_').replaceAll('-', '_')}s`

/** As `createTestApp` completes a type. */
function fileOf(name: string, schema: Json): Json {
  return {
    kind: 'collectionType',
    collectionName: `${name}s`.replaceAll('-', '_'),
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes: {},
    ...schema,
  }
}
