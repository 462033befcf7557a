import { InvalidArgumentError } from 'commander'
import type { CommandOption } from '../command.js'

/** `--port`, which every command that serves has. */
export const portOption: CommandOption = {
  flags: '--port <number>',
  says: 'the port to listen on; overrides the configured one',
  read: readPort,
}

function readPort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('a port is a number from 0 to 65535')
  return port
}
