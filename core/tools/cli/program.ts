import { readdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Option, Command as Program } from 'commander'
import { own, ownVersion } from '../../kit/own-folder.js'
import type { Command, CommandOption } from './command.js'
import type { Io } from './io.js'

const folder = own('core/tools/cli/commands/')
const file = /^([a-z-]+)\.[jt]s$/

/** The commands of the server itself: one for each file of `commands/`. */
export const commandNames = (): string[] => readdirSync(folder).flatMap(name => file.exec(name)?.[1] ?? [])

export async function loadCommand(name: string): Promise<Command> {
  const found = readdirSync(folder).find(one => file.exec(one)?.[1] === name)
  return ((await import(pathToFileURL(path.join(folder, `${found}`)).href)) as { command: Command }).command
}

/** Runs a command line with the help of these commands; resolves to the exit code. */
export async function runCommand(argv: readonly string[], names: readonly string[], io: Io): Promise<number> {
  const program = programOn(io)
    .description('A content REST server: a small kernel, and everything else a plugin.')
    .version(ownVersion())
  const loaded = await Promise.all(names.map(async name => ({ name, command: await loadCommand(name) })))
  let code = 0
  for (const { name, command } of loaded.sort((one, other) => one.command.place - other.command.place)) {
    const added = program.command(name).description(command.says)
    if (command.argument) added.argument(`<${command.argument.name}>`, command.argument.says)
    for (const option of command.options) added.addOption(optionOf(option))
    const further = names.length === 1 ? await command.furtherOptions?.(folderOf(argv), io).catch(() => []) : []
    const isNew = ({ flags }: CommandOption) => !command.options.some(own => own.flags === flags)
    for (const option of further?.filter(isNew) ?? []) added.addOption(optionOf(option))
    added.action(async () => {
      const [argument = ''] = added.args
      code = (await command.run({ options: added.opts(), argument, io })) ?? 0
    })
  }
  await program.parseAsync(argv, { from: 'user' })
  return code
}

/** The folder of the app, read before the command line is parsed: its plugins add commands. */
export function folderOf(argv: readonly string[]): string {
  const at = argv.findIndex(word => word === '--app' || word.startsWith('--app='))
  const word = argv[at]
  if (word === undefined) return '.'
  return word === '--app' ? (argv[at + 1] ?? '.') : word.slice('--app='.length)
}

/** A program whose help and errors go to the streams of the command, and which ends no process. */
export function programOn({ stdout, stderr }: Io): Program {
  return new Program('stele')
    .showHelpAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: text => stdout.write(text),
      writeErr: text => stderr.write(text),
      getOutHelpWidth: () => (stdout.isTTY ? stdout.columns : undefined) as number,
      getErrHelpWidth: () => (stderr.isTTY ? stderr.columns : undefined) as number,
    })
}

/** An option as the library that reads command lines takes it. */
export function optionOf({ flags, says, default: fallback, choices, read }: CommandOption): Option {
  const option = new Option(flags, says)
  if (choices) option.choices([...choices])
  if (read) option.argParser(read)
  return fallback === undefined ? option : option.default(fallback)
}
