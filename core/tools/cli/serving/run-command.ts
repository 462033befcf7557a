import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { own } from '../../../kit/own-folder.js'

/** A command that ended with another exit code than 0. */
export class CommandFailure extends Error {
  readonly code: number
  readonly #name: string | undefined

  constructor(name: string | undefined, code: number, message: string) {
    super(message)
    this.#name = name
    this.code = code
  }

  isOf(name: string): boolean {
    return this.#name === name
  }
}

/** Runs a command of this program in a thread of its own, which no signal reaches, and resolves to its output. */
export async function outputOf(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const thread = new Worker(own('core/tools/cli/stele.js'), { argv: [...args], env, stdout: true, stderr: true })
  const [output, errors, [code]] = await Promise.all([text(thread.stdout), text(thread.stderr), once(thread, 'exit')])
  if (code === 0) return output
  throw new CommandFailure(args[0], code, errors.trim() || `stele ${args[0]} ended with code ${code}`)
}
