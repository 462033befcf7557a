/**
 * The messages with which errors of drivers came. Other code throws errors with the same codes and words, for which nothing may be
 * retried and no connection distrusted; and query builders put the statement, with its values, before a message.
 */
const messages = new WeakMap<Error, string>()

/** Notes an error of a driver, where it enters. */
export function noted<T>(error: T): T {
  if (error instanceof Error && !messages.has(error)) messages.set(error, error.message)
  return error
}

/** The result of a driver that answers at once. */
export function ofDriver<T>(ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    throw noted(error)
  }
}

/** The message with which an error of a driver came; undefined for any other error. */
export const driverMessage = (error: unknown): string | undefined =>
  error instanceof Error ? messages.get(error) : undefined
