/** SIGINT and SIGTERM as a signal that work can look at; a second one ends the process. */
export function interruption(): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const stop = () => (controller.signal.aborted ? process.exit(1) : controller.abort())
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const name of signals) process.on(name, stop)
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) process.off(name, stop)
    },
  }
}
