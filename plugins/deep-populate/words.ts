import { InvalidParameter } from '../../core/index.js'
import { asList } from '../../core/plugin-kit.js'

/** `deep`, with the depth that it says. */
export interface DeepRequest {
  readonly depth: number | undefined
}

/** Reads `deep`, `deep,3` and the same as a list; undefined if a populate asks for something else. */
export function readDeep(raw: unknown, path: readonly string[]): DeepRequest | undefined {
  const words = wordsOf(raw)
  if (words?.[0] !== 'deep') return undefined
  const [, depth, ...others] = words
  if (depth === undefined) return { depth }
  if (others.length > 0 || !/^0*[1-9]\d{0,2}$/.test(depth))
    throw new InvalidParameter(path, 'takes deep, or deep,3 with a depth from 1 to 999, and nothing beside it')
  return { depth: Number(depth) }
}

function wordsOf(raw: unknown): string[] | undefined {
  const items = typeof raw === 'string' ? [raw] : asList(raw)
  // A number comes in a JSON body.
  if (!items?.every(item => typeof item === 'string' || typeof item === 'number')) return undefined
  return items.flatMap(item => String(item).split(',')).map(word => word.trim())
}
