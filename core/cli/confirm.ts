import { createInterface } from 'node:readline/promises'
import { BootError } from '../errors.js'

/** Asks before something is lost. Where nobody can answer, `--yes` has to have been said. */
export async function confirm(question: string, yes: boolean): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new BootError(`${question} Say --yes to do it, as nobody can be asked here.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question} [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new BootError('nothing was done')
  } finally {
    terminal.close()
  }
}
