import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config/types.js'
import type { Format } from '../content/format.js'
import type { FormattedError } from '../http/responses/errors.js'
import type { Route } from '../http/routes.js'
import type { Log } from '../log.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import { immediate } from '../query/ask.js'

/** The formats of all plugins; their results are checked. */
export const formatsOf = (plugins: readonly EnabledPlugin[]): Map<string, Format> =>
  new Map(
    plugins.flatMap(({ spec }) =>
      Object.entries(spec.formats ?? {}).map(([name, format]) => [
        name,
        checked(format, `plugin ${spec.name}, ${name}`),
      ]),
    ),
  )

function checked(format: Format, whose: string): Format {
  return {
    ...format,
    one: (...given) => body(format.one(...given), `${whose}.one`),
    many: (...given) => body(format.many(...given), `${whose}.many`),
    ...(format.error && { error: given => body(format.error?.(given), `${whose}.error`) }),
  }
}

/** A response without a return would have no body, and no length either. */
function body(given: unknown, whose: string): unknown {
  if (given === undefined) throw new Error(`${whose} returned nothing; expected the body (is a return missing?)`)
  return immediate(given, whose)
}

/** Formats that requests choose by a header. */
export interface WantedFormats {
  /** The headers that are looked at: responses vary by them. */
  readonly headers: readonly string[]
  /** The name of the first format that wants a request. */
  choose(sent: IncomingHttpHeaders): string | undefined
}

/** Undefined if no format chooses itself: then no request is looked at. */
export function wantedFormats(plugins: readonly EnabledPlugin[]): WantedFormats | undefined {
  const wanting = [...formatsOf(plugins)].flatMap(([name, { wants }]) =>
    wants ? [{ name, test: wants.test, header: wants.header.toLowerCase(), shown: wants.header }] : [],
  )
  if (wanting.length === 0) return undefined
  return {
    headers: [...new Set(wanting.map(({ shown }) => shown))],
    choose: sent =>
      wanting.find(({ name, header, test }) => {
        const value = sent[header]
        return typeof value === 'string' && immediate(test(value), `${name}.wants.test`)
      })?.name,
  }
}

/** Errors in the form of the route that they come from; in the usual one where that fails. */
export function errorFormat(config: Config, plugins: readonly EnabledPlugin[], log: Log) {
  const formats = formatsOf(plugins)
  return (route: Route | undefined, error: Readonly<Record<string, unknown>>, wanted?: string): FormattedError => {
    const format = formats.get(route?.format ?? wanted ?? config.api.rest.format ?? '')
    try {
      const type = format?.mediaType
      if (format?.error) return { body: format.error(error), ...(type !== undefined && { type }) }
    } catch (err) {
      log.error({ err }, 'a format failed to write an error')
    }
    return { body: { data: null, error } }
  }
}
