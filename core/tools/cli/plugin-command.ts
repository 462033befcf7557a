import { text } from 'node:stream/consumers'
import { Option, type Command as Program } from 'commander'
import { appOutline } from '../../boot/app-outline.js'
import { endpointsOf } from '../../boot/endpoints.js'
import type { BootOptions, Outline } from '../../boot/start.js'
import { BootError } from '../../errors.js'
import { nearest } from '../../kit/nearest.js'
import type { RawPlugin } from '../../plugin/arrange.js'
import { commandsIn } from '../../plugin/declared.js'
import type { Command, CommandOption, GivenCall } from '../../plugin/parts.js'
import { commandsOf } from '../../plugin/running.js'
import { findApp, openApp } from './app.js'
import { asking } from './asking.js'
import type { Io } from './io.js'
import { type ListOptions, printList, textTable } from './lists/table.js'
import { folderOf, optionOf, programOn } from './program.js'

/** Runs a command that a plugin of the app adds: `stele <command> ...`, where the command may be two words. */
export async function runPluginCommand(argv: readonly string[], own: readonly string[], io: Io): Promise<number> {
  const found = await findApp({ app: folderOf(argv) }, io, 'command', 'warn')
  const commands = await declaredIn(isAsDeclared(found, argv) ? { ...found, asDeclared: true } : found)
  const program = programOf(
    commands.map(({ command }) => command),
    io,
    async (name, call) => {
      const declared = commands.find(({ command }) => command.name === name) as DeclaredCommand
      if (declared.command.opens !== undefined) return refusing(() => runOnOutline(declared, call, found))
      const app = await openApp(found, 'app')
      try {
        const command = commandsOf(app).find(one => one.name === name)
        await refusing(async () => command?.run(call))
      } finally {
        await app.close()
      }
    },
  )
  const [first = ''] = argv
  if (!program.commands.some(command => command.name() === first)) {
    const known = commands.map(({ command: { name } }) => name)
    const meant = nearest(first, [...own, ...known.map(name => name.split(' ')[0] as string)])
    throw new BootError(
      `neither stele nor a plugin of this app has the command "${first}"; ${meant ? `did you mean "${meant}"? ` : ''}plugins bring: ${known.join(', ') || 'none'}`,
      { kind: 'usage' },
    )
  }
  await program.parseAsync([...argv], { from: 'user' })
  return 0
}

/** Reports an error of a command as one of its input: the settings are valid by now. */
async function refusing(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof BootError) || error.kind !== 'configuration') throw error
    throw new BootError(error.message, { cause: error, kind: 'data' })
  }
}

/** Lists the commands of an app's plugins. */
export async function listPluginCommands(options: ListOptions, io: Io): Promise<void> {
  const commands = await declaredIn(await findApp(options, io, 'look', 'error'))
  printList(
    commands.map(({ command: { name, describe } }) => ({ command: name, describe })),
    options,
    io,
    row => row,
  )
}

/** The commands of plugins and their usage are known without opening the app. */
async function declaredIn(found: BootOptions): Promise<DeclaredCommand[]> {
  const outline = await openApp(found, 'outline')
  return outline.plugins.flatMap(({ spec, config }) => commandsIn(spec).map(command => ({ command, config, outline })))
}

/** True if the words name a command that runs on the declarations of plugins. */
const isAsDeclared = ({ plugins }: BootOptions, argv: readonly string[]): boolean =>
  plugins.some(
    ({ plugin, enabled }) =>
      enabled &&
      commandsIn(plugin as RawPlugin).some(
        ({ name, opens }) => opens === 'declared' && name.split(' ').every((word, at) => argv[at] === word),
      ),
  )

/** A command of a plugin, with the settings of the plugin and the app that it is declared in. */
interface DeclaredCommand {
  readonly command: Command
  readonly config: Readonly<Record<string, unknown>>
  readonly outline: Outline
}

async function runOnOutline(
  { command, config, outline }: DeclaredCommand,
  call: GivenCall,
  found: BootOptions,
): Promise<void> {
  const { registry, plugins } = outline
  const app = appOutline(outline, endpointsOf(registry, plugins), found.config)
  await command.run({ ...call, app, config }, undefined)
}

type CommandRunner = (name: string, call: GivenCall) => Promise<void>

function programOf(commands: readonly Command[], io: Io, run: CommandRunner): Program {
  const program = programOn(io)
  for (const command of commands) {
    const words = command.name.split(' ')
    const name = words.pop() as string
    add(words.reduce(groupOf, program).command(name), command, io, run)
  }
  return program
}

function groupOf(parent: Program, name: string): Program {
  return parent.commands.find(known => known.name() === name) ?? parent.command(name)
}

function add(command: Program, declared: Command, io: Io, run: CommandRunner): void {
  const { describe, arguments: takes = [], options = [] } = declared
  command.description(describe)
  for (const { name: argument, describe: text, required, many } of takes) {
    const inner = `${argument}${many ? '...' : ''}`
    command.argument(required ? `<${inner}>` : `[${inner}]`, text)
  }
  for (const { describe, isSecret, ...option } of options)
    command.addOption(
      optionOf({ ...option, says: isSecret ? `${describe}; - reads it from standard input` : describe }),
    )
  command.option('--app <dir>', 'the folder of the app', '.').option('--json', 'answer in JSON')
  command.action(async () => {
    const { app: _, json = false, ...given } = command.opts<Record<string, string | boolean | undefined>>()
    await run(
      declared.name,
      callOf(
        command.processedArgs.flat().filter(arg => arg !== undefined),
        await withSecrets(given, options, io),
        json === true,
        io,
      ),
    )
  })
}

/** Reads secret options whose value is `-` from standard input, up to its last line break. */
async function withSecrets(given: GivenCall['options'], options: readonly CommandOption[], io: Io) {
  const asked = options.filter(option => option.isSecret === true && given[keyOf(option)] === '-')
  if (asked.length === 0) return given
  const [first, second] = asked.map(({ flags }) => flags.split(' ')[0])
  if (second !== undefined)
    throw new BootError(`only one of ${first} and ${second} can be read from standard input`, { kind: 'usage' })
  const secret = (await text(io.stdin)).replace(/\r?\n$/, '')
  if (secret === '' || /[\r\n]/.test(secret))
    throw new BootError(
      `${first} - reads one line from standard input, and there ${secret === '' ? 'is none' : 'are several'}`,
      { kind: 'usage' },
    )
  return { ...given, ...Object.fromEntries(asked.map(option => [keyOf(option), secret])) }
}

const keyOf = ({ flags }: CommandOption): string => new Option(flags).attributeName()

function callOf(args: readonly string[], options: GivenCall['options'], json: boolean, io: Io): GivenCall {
  const { stdin, stdout } = io
  const interactive = stdin.isTTY === true && stdout.isTTY === true
  return {
    args,
    options,
    json,
    interactive,
    ...(interactive && { ask: asking(io) }),
    print: line => stdout.write(`${line}\n`),
    table: rows => stdout.write(json ? `${JSON.stringify(rows)}\n` : textTable(rows)),
  }
}
