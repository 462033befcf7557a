import { createInterface } from 'node:readline/promises'
import { BootError } from '../../errors.js'
import type { Io } from './io.js'

/** Asks before something is lost. Without a terminal, `--yes` is required. */
export async function confirm(question: string, yes: boolean, { stdin, stderr }: Io): Promise<void> {
  if (yes) return
  if (!stdin.isTTY) throw new BootError(`${question} Pass --yes to do it without being asked.`, { kind: 'usage' })
  const terminal = createInterface({ input: stdin, output: stderr })
  try {
    const answer = await terminal.question(`${question} [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new BootError('nothing was done', { kind: 'stopped' })
  } finally {
    terminal.close()
  }
}
