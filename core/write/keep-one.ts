import { ValidationError } from '../errors.js'
import { leadsNowhere } from './attributes.js'
import type { CheckedRelation } from './checked-input.js'

/** Refuses to leave a required relation without an entry: only with the stored links at hand is it known what a write leaves. */
export function keepOne({ mustLead, path }: CheckedRelation, left: readonly unknown[]): void {
  if (mustLead && left.length === 0) throw ValidationError.of([leadsNowhere(path)])
}
