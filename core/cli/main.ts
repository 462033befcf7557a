#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { BootError } from '../errors.js'
import { runPluginCommand } from './plugin-command.js'
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
  .command('run')
  .description('run a command of a plugin; without a name, list them')
  .argument('[name]', 'the command')
  .argument('[args...]', 'what the command takes')
  .option('--app <dir>', 'the folder of the app', '.')
  .action(runPluginCommand)

try {
  await program.parseAsync()
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
