import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { BootError } from '../../errors.js'
import type { GivenCall } from '../../plugin/parts.js'
import type { Io } from './io.js'

/** Asks the person in front of a terminal, one line at a time. */
export const asking =
  ({ stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>): NonNullable<GivenCall['ask']> =>
  async (question, { hidden = false } = {}) => {
    // The terminal itself shows what is typed, unless the reader of lines does that, into nothing.
    const terminal = createInterface({ input: stdin, output: hidden ? nowhere() : stderr, terminal: true })
    if (hidden) stderr.write(question)
    const closed = new Promise<never>((_, reject) => {
      terminal.once('close', () => reject(new BootError('nothing was done', { kind: 'stopped' })))
    })
    terminal.once('SIGINT', () => terminal.close())
    try {
      return await Promise.race([terminal.question(hidden ? '' : question), closed])
    } finally {
      if (hidden) stderr.write('\n')
      closed.catch(() => undefined)
      terminal.close()
    }
  }

const nowhere = (): Writable => new Writable({ write: (_part, _encoding, done) => done() })
