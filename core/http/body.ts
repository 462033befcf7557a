import type { Context, Middleware } from 'koa'
import type { BodyLimits } from '../config/types.js'
import {
  BadRequestError,
  PayloadTooLargeError,
  RequestError,
  UnsupportedMediaTypeError,
  ValidationError,
} from '../errors.js'
import { brokenAt } from '../kit/broken-json.js'
import type { BodyPlace, ReadBody } from './parts.js'

/** No legitimate body nests deeper; rejecting it bounds the work. */
const deepest = 100

/** The body readers of plugins, by media type. */
export type BodyReaders = ReadonlyMap<string, (place: BodyPlace) => Promise<ReadBody>>

const jsonTypes = [
  'application/json',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/vnd.api+json',
  'application/csp-report',
  'application/reports+json',
]
const formType = 'application/x-www-form-urlencoded'

/** True for media types that the server parses itself, where plugins give their bodies another shape, too. */
export const isParsed = (type: string): boolean => jsonTypes.includes(type) || type === formType

/** Parses JSON, forms and texts, within the limits of each kind. */
export class BodyParser {
  readonly #limits: BodyLimits
  /** Media types that have to reach their routes as they were sent. */
  readonly #left: string[]
  // The parser brings much with it; a server that is only read from never needs it.
  #parser: Promise<Middleware> | undefined
  /** Bodies that were read before their route is known. */
  #early: WeakMap<Context, Promise<void>> | undefined

  constructor(limits: BodyLimits, left: readonly string[]) {
    this.#limits = limits
    this.#left = left.filter(type => !isParsed(type))
  }

  /** Puts the body where the parser leaves it, which others may have changed since it was read early. */
  parse(ctx: Context): Promise<void> {
    return this.#early?.get(ctx) ?? this.#parse(ctx)
  }

  /** The body of a request, read once for all who ask, the route included; undefined where it is left to the route. */
  async early(ctx: Context): Promise<unknown> {
    if (this.#left.length > 0 && ctx.is(this.#left)) return undefined
    this.#early ??= new WeakMap()
    const parsed = this.#early.get(ctx) ?? this.#parse(ctx)
    this.#early.set(ctx, parsed)
    await parsed
    return bodyOf(ctx)
  }

  async #parse(ctx: Context): Promise<void> {
    try {
      this.#parser ??= this.#load()
      await (await this.#parser)(knownMethod(ctx), done)
    } catch (error) {
      throw explainBody(error as Error & { status?: number; type?: string })
    }
  }

  async #load(): Promise<Middleware> {
    const { json, form, text } = this.#limits
    return (await import('koa-body')).koaBody({
      jsonLimit: json,
      formLimit: form,
      textLimit: text,
      multipart: false,
      jsonTypes,
      urlencodedTypes: [formType],
      parsedMethods: ['POST', 'PUT', 'PATCH'] as never,
      jsonStrict: true,
      onError: error => {
        throw error
      },
    }) as unknown as Middleware
  }
}

const done = async () => undefined

const bodyOf = (ctx: Context): unknown => (ctx.request as { body?: unknown }).body

/**
 * Reads the body of a request that has one. A strict reader refuses a body in a type that
 * it does not read; otherwise such a request has none. Types of `plugged` come on top of `types`.
 */
export function bodyReader(
  parser: BodyParser,
  isStrict: boolean,
  plugged: BodyReaders,
  types: readonly string[] = ['application/json', formType],
): (place: Omit<BodyPlace, 'parsed'>) => Promise<ReadBody> {
  const pluggedTypes = [...plugged.keys()]
  const checkType = typeCheck([...new Set([...types, ...pluggedTypes])])
  const parsed = async (ctx: Context): Promise<unknown> => {
    // The usual media type needs no comparison with a list of types.
    const isChecked = isStrict && ctx.req.headers['content-type'] !== 'application/json'
    if (isChecked) checkType(ctx)
    await parser.parse(ctx)
    const body = bodyOf(ctx)
    if (isChecked && ctx.is(formType)) checkForm(body)
    return body
  }
  return async place => {
    const { ctx } = place
    const type = pluggedTypes.length > 0 && ctx.is(pluggedTypes)
    const read = type ? plugged.get(type) : undefined
    return read ? read({ ...place, parsed: () => parsed(ctx) }) : { body: await parsed(ctx) }
  }
}

/** The parser refuses methods that are younger than itself. */
const knownMethod = (ctx: Context): Context =>
  ctx.method === 'QUERY' ? Object.create(ctx, { method: { value: 'POST' } }) : ctx

/** Refuses a body that would be read as none: the client forgot the header, or means another one. */
function typeCheck(types: readonly string[]): (ctx: Context) => void {
  const [last, ...others] = [...types].reverse()
  const accepted = `send ${others.length > 0 ? `${others.reverse().join(', ')} or ` : ''}${last}`
  return ctx => {
    // Null says that there is no body.
    if (ctx.is(...jsonTypes, ...types) !== false) return
    const isMissing = ctx.get('Content-Type') === ''
    const wrong = isMissing
      ? 'The body has no Content-Type'
      : 'The Content-Type of the body is not one that is read here'
    throw new UnsupportedMediaTypeError(`${wrong}; ${accepted}`)
  }
}

/** Refuses the body that curl sends without a Content-Type option: a form whose first name is the beginning of a JSON text. */
function checkForm(body: unknown): void {
  const [name = ''] = Object.keys(Object(body))
  if (name.trimStart().startsWith('{'))
    throw new UnsupportedMediaTypeError(
      `The body looks like JSON and was sent as ${formType}; send it with Content-Type: application/json`,
    )
}

/** Refuses a body that is nested too deep; one of a megabyte can be nested deeper than any stack. */
export function checkDepth(body: unknown): void {
  if (!isDeeper(body, deepest)) return
  const message = `The body is nested more than ${deepest} levels deep; send a flatter one`
  throw new ValidationError(message, { errors: [{ path: [], message, name: 'ValidationError' }] })
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels < 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1))
}

/** Newer versions of Node.js add line and column to the position; a response is the same on all of them. */
const withoutLine = (message: string): string => message.replace(/ \(line \d+ column \d+\)$/, '')

/** A message about an invalid JSON text, without the words of the engine. */
function whyNoJson(message: string, text: string): string {
  const at = text.length <= longestSearched ? brokenAt(text) : placeIn(message, text)
  if (at === undefined) return 'The body is not valid JSON'
  return at < text.length
    ? `The body is not valid JSON: what stands at character ${at + 1} is wrong`
    : 'The body is not valid JSON: it ends too early'
}

/** Characters of a text that is searched for its mistake: longer ones would hold up other requests. */
const longestSearched = 4096

/** The place that the message of the engine tells, as a position or by the characters around it. */
function placeIn(message: string, text: string): number | undefined {
  const [, position] = / at position (\d+)/.exec(message) ?? []
  if (position !== undefined) return Number(position)
  if (/end of/.test(message)) return text.length
  const [, around] = /, \.\.\."(.*)"(?:\.\.\.)? is not valid JSON$/s.exec(message) ?? []
  const at = around === undefined ? -1 : text.indexOf(around)
  // Ten characters stand before the one that is wrong.
  return around !== undefined && at >= 0 && at === text.lastIndexOf(around) ? at + 10 : undefined
}

/** The message of the parser for valid JSON with the name `__proto__`. */
const forbiddenName = 'Object contains forbidden prototype property'
const unreadable = 'The body cannot be read: it is incomplete or damaged; send it again'

/** The error that a client gets for one of the parser. */
function explainBody(error: Error & { status?: number; type?: string; code?: string; body?: unknown }): unknown {
  if (error instanceof RequestError) return error
  if (error.status === 413 || error.type === 'entity.too.large')
    return new PayloadTooLargeError(
      'The body is larger than bodies of its kind may be; send less, or raise "body" in config/server',
    ).withOlder('request entity too large')
  if (/^invalid JSON/.test(error.message))
    return new BadRequestError('The body must be a JSON object or list').withOlder(error.message, 'Error')
  if (error.message === forbiddenName)
    return new BadRequestError('The body has the name "__proto__", which no attribute can have').withOlder(
      error.message,
      'SyntaxError',
    )
  if (error instanceof SyntaxError)
    return new BadRequestError(whyNoJson(error.message, String(error.body))).withOlder(
      withoutLine(error.message),
      'SyntaxError',
    )
  if (error.status === 415)
    return new BadRequestError(
      'The body has an encoding that is not supported; send it plain, or with gzip, deflate or br',
    )
  // Bytes that the decompressor or the parser rejects are the client's to fix.
  const isClients =
    error.status === 400 ||
    // The connection broke before the body was read.
    error.type === 'stream.not.readable' ||
    /^(Z_|ERR_)/.test(String(error.code)) ||
    /invalid|aborted|size did not match/i.test(error.message)
  return isClients ? new BadRequestError(unreadable).withOlder(unreadable, 'Error') : error
}
