import { ValidationError } from '../../../core/index.js'

/** Name, texts and focal point of a file, as the client sends them. */
export interface FileInfo {
  readonly name?: string | null
  readonly alternativeText?: string | null
  readonly caption?: string | null
  /** The focal point of a picture, as shares of its width and height. */
  readonly focalX?: number | null
  readonly focalY?: number | null
}

const words = ['name', 'alternativeText', 'caption'] as const
const longest = 255

/** Reads `fileInfo` as forms and JSON bring it: an object or its text, once or once for each file. */
export function readInfos(sent: unknown): FileInfo[] {
  if (sent === undefined || sent === null) return []
  const list = Array.isArray(sent) ? sent : [sent]
  return list.flatMap((one, index) => {
    const at = list.length > 1 ? ['fileInfo', String(index)] : ['fileInfo']
    const value = typeof one === 'string' ? parsed(one) : one
    return Array.isArray(value) ? value.map(inner => readInfo(inner, inner, at)) : [readInfo(value, one, at)]
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readInfo(value: unknown, sent: unknown, at: readonly string[]): FileInfo {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refusal(
      at,
      'must be an object',
      `must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${print(sent)}\`).`,
    )
  const info: Record<string, string | number | null> = {}
  for (const word of words) {
    const said = (value as Record<string, unknown>)[word]
    if (said === undefined) continue
    if (said !== null && typeof said !== 'string')
      throw refusal(
        [...at, word],
        'must be a string',
        `must be a \`string\` type, but the final value was: \`${print(said)}\`.`,
      )
    if (said !== null && said.length > longest) throw refusal([...at, word], `must be at most ${longest} characters`)
    info[word] = said
  }
  for (const share of ['focalX', 'focalY']) {
    const said = (value as Record<string, unknown>)[share]
    if (said === undefined) continue
    if (said !== null && !(typeof said === 'number' && said >= 0 && said <= 1))
      throw refusal([...at, share], 'must be a number from 0 to 1')
    info[share] = said
  }
  return info
}

const print = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 200)

/** `older` is the same in the words of Strapi 4. */
function refusal(path: readonly string[], reason: string, older = reason): ValidationError {
  const dotted = path
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
  return ValidationError.of([
    { path, message: `${dotted} ${reason}`, name: 'ValidationError', older: `${dotted} ${older}` },
  ])
}
