import { BadRequestError, PayloadTooLargeError, RequestError } from '../errors.js'

/** Newer versions of Node.js add line and column to the position; a response is the same on all of them. */
const withoutLine = (message: string): string => message.replace(/ \(line \d+ column \d+\)$/, '')

/** What is wrong with a JSON text, without the words of the parser. */
function whyNoJson(message: string): string {
  const [, position] = / at position (\d+)/.exec(message) ?? []
  if (position !== undefined)
    return `The body is not valid JSON: what stands at character ${Number(position) + 1} is wrong`
  return /end of/.test(message) ? 'The body is not valid JSON: it ends too early' : 'The body is not valid JSON'
}

/** What an error of the parser means for the client. */
export function explainBody(error: Error & { status?: number; type?: string; code?: string }): unknown {
  if (error instanceof RequestError) return error
  if (error.status === 413 || error.type === 'entity.too.large')
    return new PayloadTooLargeError(
      'The body is larger than bodies of its kind may be; send less, or raise "body" in config/server',
    ).withOlder('request entity too large')
  if (/^invalid JSON/.test(error.message))
    return new BadRequestError('The body must be a JSON object or list', 'Error').withOlder(error.message)
  if (error instanceof SyntaxError)
    return new BadRequestError(whyNoJson(error.message), 'SyntaxError').withOlder(withoutLine(error.message))
  if (error.status === 415)
    return new BadRequestError(
      'The body has an encoding that is not supported; send it plain, or with gzip, deflate or br',
    )
  // What the decompressor or the parser finds wrong with the bytes is the client's to fix.
  const isClients =
    error.status === 400 ||
    // The connection broke before the body was read.
    error.type === 'stream.not.readable' ||
    /^(Z_|ERR_)/.test(String(error.code)) ||
    /invalid|aborted|size did not match/i.test(error.message)
  return isClients
    ? new BadRequestError('The body cannot be read: it is incomplete or damaged; send it again', 'Error')
    : error
}
