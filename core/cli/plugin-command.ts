import { Option, Command as Program } from 'commander'
import { BootError } from '../errors.js'
import { type BootOptions, boot, outline } from '../kernel.js'
import type { Command, CommandCall } from '../plugin-parts.js'
import { type AppOptions, findApp } from './app.js'
import { printList, textTable } from './table.js'

/** Runs a command that a plugin of the app brings: `stele <command> ...`, where the command may be two words. */
export async function runPluginCommand(argv: readonly string[]): Promise<void> {
  const found = await findApp({ app: folderOf(argv) }, 'command', 'warn')
  const commands = await commandsOf(found)
  const program = programOf(commands, async (name, call) => {
    const app = await boot(found)
    try {
      await app.commands.find(command => command.name === name)?.run(call)
    } finally {
      await app.close()
    }
  })
  const [first = ''] = argv
  if (!program.commands.some(command => command.name() === first)) {
    const known = commands.map(({ name }) => name).join(', ') || 'none'
    throw new BootError(`neither stele nor a plugin of this app has the command "${first}"; plugins bring: ${known}`)
  }
  await program.parseAsync([...argv], { from: 'user' })
}

/** Lists what the plugins of an app add to the command line. */
export async function listPluginCommands(options: AppOptions & { readonly json?: true }): Promise<void> {
  const commands = await commandsOf(await findApp(options, 'look', 'error'))
  printList(
    commands.map(({ name, describe }) => ({ command: name, describe })),
    options.json,
    row => row,
  )
}

/** What there is, and how it is used, is known without opening anything. */
async function commandsOf(found: BootOptions): Promise<Command[]> {
  const { plugins } = await outline(found)
  return plugins.flatMap(({ spec }) => [...(spec.commands ?? [])])
}

type Run = (name: string, call: CommandCall) => Promise<void>

/** The folder has to be known before the commands are: it decides which there are. */
function folderOf(argv: readonly string[]): string {
  const at = argv.findIndex(word => word === '--app' || word.startsWith('--app='))
  const word = argv[at]
  if (word === undefined) return '.'
  return word === '--app' ? (argv[at + 1] ?? '.') : word.slice('--app='.length)
}

function programOf(commands: readonly Command[], run: Run): Program {
  const program = new Program('stele').showHelpAfterError()
  for (const command of commands) {
    const words = command.name.split(' ')
    const name = words.pop() as string
    add(words.reduce(groupOf, program), name, command, run)
  }
  return program
}

function groupOf(parent: Program, name: string): Program {
  return parent.commands.find(known => known.name() === name) ?? parent.command(name)
}

function add(parent: Program, name: string, declared: Command, run: Run): void {
  const { describe, arguments: takes = [], options = [] } = declared
  const command = parent.command(name).description(describe)
  for (const { name: argument, describe: text, required, many } of takes) {
    const inner = `${argument}${many ? '...' : ''}`
    command.argument(required ? `<${inner}>` : `[${inner}]`, text)
  }
  for (const { flags, describe: text, default: fallback, choices } of options) {
    const option = new Option(flags, text)
    if (fallback !== undefined) option.default(fallback)
    if (choices) option.choices([...choices])
    command.addOption(option)
  }
  command.option('--app <dir>', 'the folder of the app', '.').option('--json', 'answer in JSON')
  command.action(async () => {
    const { app: _, json = false, ...given } = command.opts<Record<string, string | boolean | undefined>>()
    await run(
      declared.name,
      callOf(
        command.processedArgs.flat().filter(arg => arg !== undefined),
        given,
        json === true,
      ),
    )
  })
}

function callOf(args: readonly string[], options: CommandCall['options'], json: boolean): CommandCall {
  return {
    args,
    options,
    json,
    interactive: process.stdin.isTTY === true && process.stdout.isTTY === true,
    print: line => process.stdout.write(`${line}\n`),
    table: rows => process.stdout.write(json ? `${JSON.stringify(rows)}\n` : textTable(rows)),
  }
}
