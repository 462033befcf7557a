import { BootError, type CommandCall, type Issue, RequestError } from '../../../core/index.js'

/** Prints a result: a sentence for people, a row for programs. */
export function tell(
  { json, table, print }: CommandCall,
  row: Readonly<Record<string, unknown>>,
  sentence: string,
): void {
  if (json) table([row])
  else print(sentence)
}

/** A command reports a refusal as a sentence. */
export async function refusable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const issues = (error.details?.errors ?? []) as readonly Issue[]
    throw new BootError(issues.map(sentenceOf).join('\n') || error.message, { cause: error })
  }
}

const sentenceOf = ({ path, message }: Issue): string =>
  path.length === 0 || message.startsWith(String(path[0])) ? message : `${path.join('.')}: ${message}`
