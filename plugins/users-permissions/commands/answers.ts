import { BootError, type CommandCall, RequestError } from '../../../core/index.js'
import { type Change, lineOf } from '../permissions/plan.js'

/** Prints a result: a sentence for people, a row for programs. */
export function tell(
  { json, table, print }: CommandCall,
  row: Readonly<Record<string, unknown>>,
  sentence: string,
): void {
  if (json) table([row])
  else print(sentence)
}

/** Changes of roles as a diff. */
export function report({ print, table, json }: CommandCall, changes: readonly Change[]): void {
  if (json) table(changes.map(({ role, does, what }) => ({ role, does, what })))
  else if (changes.length === 0) print('the roles are as config/permissions declares them')
  else for (const change of changes) print(lineOf(change))
}

/** A command reports a refused request as a sentence. */
export async function refusable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const { errors = [] } = (error.details ?? {}) as { errors?: { message: string; path: string[] }[] }
    const sentences = errors.map(({ message, path }) =>
      path.length > 0 && !message.startsWith(String(path[0])) ? `${path.join('.')}: ${message}` : message,
    )
    throw new BootError(sentences.join('\n') || error.message, { cause: error })
  }
}
