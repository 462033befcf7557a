import type { Copy } from '../../../model/form/copy.js'

/** The values that the next new entry of a type begins with. */
let pending: { readonly uid: string; readonly copy: Copy } | undefined

export function beginWith(uid: string, copy: Copy): void {
  pending = { uid, copy }
}

/** The copy that a new entry begins with, once. */
export function takePending(uid: string): Copy | undefined {
  const found = pending?.uid === uid ? pending.copy : undefined
  pending = undefined
  return found
}
