import { Command, Option } from 'commander'
import { BootError } from '../errors.js'
import type { AppCommand } from '../kernel.js'
import type { CommandCall } from '../plugin-parts.js'
import { open } from './start.js'
import { textTable } from './table.js'

/** Runs a command that a plugin of the app brings: `stele <command> ...`, where the command may be two words. */
export async function runPluginCommand(argv: readonly string[]): Promise<void> {
  const app = await open({ app: folderOf(argv) }, 'warn', 'command')
  try {
    const program = programOf(app.commands)
    const [first = ''] = argv
    if (!program.commands.some(command => command.name() === first)) {
      const known = app.commands.map(({ name }) => name).join(', ') || 'none'
      throw new BootError(`neither stele nor a plugin of this app has the command "${first}"; plugins bring: ${known}`)
    }
    await program.parseAsync([...argv], { from: 'user' })
  } finally {
    await app.close()
  }
}

/** Lists what the plugins of an app add to the command line. */
export async function listPluginCommands(options: { readonly app: string; readonly json?: true }): Promise<void> {
  const app = await open(options, 'warn', 'command')
  try {
    const rows = app.commands.map(({ name, describe }) => ({ command: name, describe }))
    process.stdout.write(options.json ? `${JSON.stringify(rows)}\n` : textTable(rows))
  } finally {
    await app.close()
  }
}

/** The folder has to be known before the commands are: it decides which there are. */
function folderOf(argv: readonly string[]): string {
  const at = argv.findIndex(word => word === '--app' || word.startsWith('--app='))
  const word = argv[at]
  if (word === undefined) return '.'
  return word === '--app' ? (argv[at + 1] ?? '.') : word.slice('--app='.length)
}

function programOf(commands: readonly AppCommand[]): Command {
  const program = new Command('stele').showHelpAfterError()
  for (const command of commands) {
    const words = command.name.split(' ')
    const name = words.pop() as string
    add(words.reduce(groupOf, program), name, command)
  }
  return program
}

function groupOf(parent: Command, name: string): Command {
  return parent.commands.find(known => known.name() === name) ?? parent.command(name)
}

function add(parent: Command, name: string, { describe, arguments: takes = [], options = [], run }: AppCommand): void {
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
