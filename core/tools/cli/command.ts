import type { Io } from './io.js'

/** A command of its own file in `commands/`; the program finds it there by the name of the file. */
export interface Command<Options extends object = object> {
  readonly says: string
  /** Orders the commands in the help. */
  readonly place: number
  /** The one argument that it needs. */
  readonly argument?: { readonly name: string; readonly says: string }
  readonly options: readonly CommandOption[]
  /** Options that the plugins of an app add; an app that cannot be read has none, and the command says why. */
  readonly furtherOptions?: (app: string, io: Io) => Promise<readonly CommandOption[]>
  /** Resolves to the exit code; nothing is 0. It imports what it needs here, so that the help comes at once. */
  run(call: Call<Options>): Promise<number> | Promise<void>
}

export interface CommandOption {
  /** `--port <number>` takes a value, `--json` does not. */
  readonly flags: string
  readonly says: string
  readonly default?: string
  readonly choices?: readonly string[]
  readonly read?: (text: string) => unknown
}

/** A call of a command. */
export interface Call<Options> {
  readonly options: Options
  /** Empty where the command takes none. */
  readonly argument: string
  readonly io: Io
}

/** Checks a command against the options that it runs with. */
export const defineCommand = <Options extends object>(command: Command<Options>): Command => command

/** Options that several commands have. */
export const appOption: CommandOption = { flags: '--app <dir>', says: 'the folder of the app', default: '.' }
export const jsonOption: CommandOption = { flags: '--json', says: 'print JSON' }
