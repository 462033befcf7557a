import type { Field, Link } from '../schema/types.js'
import { hasSecrets } from './checked-input.js'
import type { CheckedInput } from './input.js'

/** Input whose secrets have been hashed, and the input before that. */
export interface SealedInput {
  readonly raw: CheckedInput
  readonly sealed: CheckedInput
}

/**
 * Secrets are hashed before the transaction begins: hashing takes longer than everything else. Input that was changed in the
 * transaction takes the hashes that are `known` for its unchanged values.
 */
export async function seal(input: CheckedInput, known?: SealedInput): Promise<CheckedInput> {
  if (!hasSecrets(input)) return input
  const values = new Map<Field, unknown>()
  for (const [field, value] of input.values) {
    const { seal } = field.type
    const isKnown = known !== undefined && known.raw.values.get(field) === value
    values.set(field, !seal || value === null ? value : isKnown ? known.sealed.values.get(field) : await seal(value))
  }
  const parts: CheckedInput['parts'][number][] = []
  for (const { link, items } of input.parts) {
    const sealed: CheckedInput[] = []
    for (const [index, item] of items.entries()) sealed.push(await seal(item, known && partOf(known, link, index)))
    parts.push({ link, items: sealed })
  }
  return { ...input, values, parts }
}

function partOf({ raw, sealed }: SealedInput, link: Link, index: number): SealedInput | undefined {
  const itemOf = ({ parts }: CheckedInput) => parts.find(part => part.link === link)?.items[index]
  const [rawItem, sealedItem] = [itemOf(raw), itemOf(sealed)]
  return rawItem && sealedItem && { raw: rawItem, sealed: sealedItem }
}
