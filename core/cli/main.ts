#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { BootError } from '../errors.js'
import { listPluginCommands, runPluginCommand } from './plugin-command.js'
import { start } from './start.js'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const program = new Command('stele')
  .description('A content REST server: a small kernel, and everything else a plugin.')
  .version(version)
  .showHelpAfterError()

program
  .command('start')
  .description('serve an app: its content types, its config, its database')
  .option('--app <dir>', 'the folder of the app', '.')
  .option('--port <number>', 'the port to listen on, in place of the configured one', readPort)
  .action(start)

program
  .command('commands')
  .description('list the commands that the plugins of an app add: stele <command>')
  .option('--app <dir>', 'the folder of the app', '.')
  .option('--json', 'as JSON')
  .action(listPluginCommands)

try {
  const [first = ''] = process.argv.slice(2)
  const isOwn = first === '' || first.startsWith('-') || first === 'help'
  if (isOwn || program.commands.some(command => command.name() === first)) await program.parseAsync()
  else await runPluginCommand(process.argv.slice(2))
} catch (error) {
  // Wrong settings are the operator's to mend: a sentence says it, a stack would hide it.
  if (!(error instanceof BootError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function readPort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('a port is a number from 0 to 65535')
  return port
}
