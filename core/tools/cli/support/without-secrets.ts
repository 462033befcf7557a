import { isSection } from '../../../config/merge.js'
import { maskSecrets } from '../../../log.js'

const isSecret = /authorization|cookie|passw|token|secret|salt|key|credential|auth|user|dsn/i

/**
 * Settings for people who help: numbers and switches as they are, and texts only where core knows what they mean and
 * their names are not those of secrets. What plugins are told may be a secret under any name.
 */
export function withoutSecrets(value: unknown, showsTexts: boolean): unknown {
  if (Array.isArray(value)) return value.map(one => withoutSecrets(one, showsTexts))
  if (isSection(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, withoutSecrets(inner, showsTexts && !isSecret.test(name))]),
    )
  if (typeof value === 'string') return showsTexts ? maskSecrets(value) : '[text]'
  return typeof value === 'function' ? '[function]' : value
}

/** The end of a log, line by line, with what looks like a secret replaced. */
export const lastLines = (text: string, count: number): string[] =>
  text.split('\n').filter(Boolean).slice(-count).map(maskSecrets)
