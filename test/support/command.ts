import { EventEmitter } from 'node:events'
import { tmpdir } from 'node:os'
import { PassThrough, Writable } from 'node:stream'
import type { Io } from '../../core/tools/cli/io.js'
import { run } from '../../core/tools/cli/run.js'
import { ownEnv } from './terminal.js'

type Env = Readonly<Record<string, string>>

export interface CommandResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a command in this process. It sees these variables and no others, and leaves the variables and the working
 * directory of this process alone. Plugins and config files that read `process.env` themselves, signals, terminals and
 * servers need a process: that is `stele` of `terminal.ts`.
 */
export async function stele(
  args: readonly string[],
  { cwd = tmpdir(), env = {}, stdin = '' }: { readonly cwd?: string; readonly env?: Env; readonly stdin?: string } = {},
): Promise<CommandResult> {
  const [stdout, stderr] = [new TextSink(), new TextSink()]
  const io: Io = {
    stdin: new PassThrough().end(stdin),
    stdout,
    stderr,
    env: { ...ownEnv, ...env },
    cwd,
    enter: () => undefined,
    signals: new EventEmitter(),
    exit: code => {
      throw new Error(`the command ended the process with ${code}`)
    },
  }
  const status = await run(args, io)
  return { status, stdout: stdout.text, stderr: stderr.text }
}

class TextSink extends Writable {
  text = ''

  override _write(part: Buffer, _: string, done: () => void): void {
    this.text += part
    done()
  }
}
