/** A server that listens and says nothing: it has been stopped, or the network between is gone. */
export class Silence extends Error {
  override readonly name = 'Silence'
}

/** Milliseconds after the time in which the server itself ends a statement; one that is very busy takes its time for that. */
const grace = 5000

/**
 * The answer to a statement, which may take as long as statements may. A connection that says nothing for longer is cut:
 * the system would wait for hours before it takes the other side for gone.
 */
export async function heard<T>(answer: Promise<T>, statementTimeout: number, cut: () => void): Promise<T> {
  if (statementTimeout <= 0) return answer
  let watch: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    watch = setTimeout(() => {
      cut()
      reject(new Silence('the database server has not answered in time'))
    }, statementTimeout + grace)
  })
  try {
    return await Promise.race([answer, silence])
  } finally {
    clearTimeout(watch)
  }
}
