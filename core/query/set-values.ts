import { type Ask, type Caller, immediate, type Write } from './ask.js'
import { Late, Now } from './tree.js'

/** A write with the values that the server sets for the caller: they take the place of what was sent. */
export function withSets(write: Write, { type, permission, action }: Ask, caller: Caller, now: Date): Write {
  if (write.action === 'delete') return write
  const sets = immediate(caller.sets?.(permission ?? action, type.uid), "a caller's sets")
  if (!sets) return write
  const told = (value: unknown) =>
    value instanceof Now ? now.toISOString() : value instanceof Late ? value.of(caller as never) : value
  const values = Object.fromEntries(Object.entries(sets).map(([name, value]) => [name, told(value)]))
  const sent = Object.entries(write.data).filter(([name]) => !Object.hasOwn(values, name))
  return { ...write, data: Object.fromEntries(sent), set: { ...write.set, ...values } }
}
