import { print } from './print.js'

/** The thrown value as an error: a text or another value has no stack, and the log would not say where it comes from. */
export const thrown = (reason: unknown): Error =>
  reason instanceof Error
    ? reason
    : new Error(`${print(reason)} was thrown, which is no error and has no stack; expected new Error(...)`)
