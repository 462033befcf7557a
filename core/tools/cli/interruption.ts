import type { Io } from './io.js'

/** SIGINT and SIGTERM as a signal that work can look at; a second one ends the process. */
export function interruption({ signals, exit }: Io): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const stop = () => (controller.signal.aborted ? exit(1) : controller.abort())
  const names = ['SIGINT', 'SIGTERM'] as const
  for (const name of names) signals.on(name, stop)
  return {
    signal: controller.signal,
    release: () => {
      for (const name of names) signals.off(name, stop)
    },
  }
}
