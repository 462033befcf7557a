import { isMainThread } from 'node:worker_threads'

/** A stream that a command reads from, or writes to; a terminal says that it is one. */
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** The parts of the process that a command may use, so that a test can run commands in its own process. */
export interface Io {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: NodeJS.ProcessEnv
  /** The folder that relative paths of the command line start from. */
  readonly cwd: string
  /** Makes the app's folder the working directory: config files of older projects write paths relative to it. */
  readonly enter: (folder: string) => void
  /** The source of SIGINT and SIGTERM. */
  readonly signals: Pick<NodeJS.EventEmitter, 'on' | 'off'>
  /** Ends the process at once, with work in progress. */
  readonly exit: (code: number) => unknown
}

export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process
  return {
    ...{ stdin, stdout, stderr, env },
    cwd: process.cwd(),
    enter: folder => isMainThread && process.chdir(folder),
    signals: process,
    exit: code => process.exit(code),
  }
}
