import { readFileSync } from 'node:fs'
import { BootError } from '../errors.js'

/** The variables that the process was started with, `.env` included. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The text of a variable. As containers have their secrets in files, `<NAME>_FILE` may say where the text stands; a file that
 * ends with a line break is the text before it.
 */
export function variableOf(environment: Environment, name: string): string | undefined {
  const text = Object.hasOwn(environment, name) ? environment[name] : undefined
  const pointer = `${name}_FILE`
  const file = Object.hasOwn(environment, pointer) ? environment[pointer] : undefined
  if (file === undefined || file === '') return text
  if (text !== undefined && text !== '')
    throw new BootError(`The environment variables ${name} and ${pointer} are both set; remove one of them`)
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new BootError(
      `The environment variable ${pointer} names a file that cannot be read: ${(cause as Error).message}`,
      {
        cause,
      },
    )
  }
}
