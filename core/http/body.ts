import type { Middleware } from 'koa'
import type { BodyLimits } from '../config/types.js'
import { BadRequestError, PayloadTooLargeError, RequestError, ValidationError } from '../errors.js'
import type { BodyPlace, ReadBody } from '../plugin-parts.js'

/** Deeper bodies are no content: they only cost. */
const deepest = 100

/** How plugins read bodies of a media type. */
export type BodyReaders = ReadonlyMap<string, (place: BodyPlace) => Promise<ReadBody>>

/**
 * Reads the body of a request that has one, within the limits of its kind. With hints, JSON that was sent as a form is
 * called so; without, it is a form in which nothing is found.
 */
export function bodyReader(
  limits: BodyLimits,
  hints: boolean,
  plugged: BodyReaders,
): (place: BodyPlace) => Promise<ReadBody> {
  // The parser brings much with it; a server that is only read from never needs it.
  let parser: Promise<Middleware> | undefined
  const load = async (): Promise<Middleware> =>
    (await import('koa-body')).koaBody({
      jsonLimit: limits.json,
      formLimit: limits.form,
      textLimit: limits.text,
      multipart: false,
      parsedMethods: ['POST', 'PUT', 'PATCH'] as never,
      jsonStrict: true,
      onError: error => {
        throw error
      },
    }) as unknown as Middleware
  const done = async () => undefined
  const pluggedTypes = [...plugged.keys()]
  return async place => {
    const { ctx } = place
    const type = pluggedTypes.length > 0 && ctx.is(pluggedTypes)
    if (type) return (plugged.get(type) as NonNullable<ReturnType<BodyReaders['get']>>)(place)
    try {
      parser ??= load()
      await (await parser)(ctx as never, done)
    } catch (error) {
      throw explain(error as Error & { status?: number; type?: string })
    }
    const { body } = ctx.request as { body?: unknown }
    if (hints && ctx.is('urlencoded')) checkForm(body)
    return { body }
  }
}

/** What curl sends when nobody tells it the type: a form whose first name is the beginning of a JSON text. */
function checkForm(body: unknown): void {
  const [name = ''] = Object.keys(Object(body))
  if (name.trimStart().startsWith('{'))
    throw new ValidationError(
      'the body looks like JSON and was sent as a form; send it with Content-Type: application/json',
    )
}

function explain(error: Error & { status?: number; type?: string; code?: string }): unknown {
  if (error instanceof RequestError) return error
  if (error.status === 413 || error.type === 'entity.too.large')
    return new PayloadTooLargeError('request entity too large')
  if (/^invalid JSON/.test(error.message)) return new BadRequestError(error.message, 'Error')
  if (error instanceof SyntaxError) return new BadRequestError(error.message, 'SyntaxError')
  if (error.status === 415)
    return new BadRequestError(
      'the body has an encoding that is not supported; send it plain, or with gzip, deflate or br',
    )
  // What the decompressor or the parser finds wrong with the bytes is the client's to mend.
  const isClients =
    error.status === 400 ||
    // The connection broke before anybody began to read.
    error.type === 'stream.not.readable' ||
    /^(Z_|ERR_)/.test(String(error.code)) ||
    /invalid|aborted|size did not match/i.test(error.message)
  return isClients ? new BadRequestError('the body cannot be read', 'Error') : error
}

/** Walks without recursion: a body of a megabyte can be nested deeper than any stack. */
export function checkDepth(body: unknown): void {
  let level: unknown[] = [body]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) {
      const message = `the body is nested more than ${deepest} levels deep`
      throw new ValidationError(message, { errors: [{ path: [], message, name: 'ValidationError' }] })
    }
    const next: unknown[] = []
    for (const value of level)
      if (typeof value === 'object' && value !== null)
        for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) next.push(inner)
    level = next
  }
}
