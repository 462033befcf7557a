import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config/types.js'
import type { Format, HeaderTest } from '../content/format.js'
import type { FormattedError } from '../http/responses/errors.js'
import type { Route } from '../http/routes.js'
import type { Log } from '../log.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import { type Action, immediate } from '../query/ask.js'
import type { TypeOutline } from '../schema/types.js'

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

/** The name of the format in which plugins have an action on a type answered; that of the first one. */
export function servedFormats(plugins: readonly EnabledPlugin[]) {
  const serving = plugins.flatMap(({ spec, config }) =>
    Object.entries(spec.formats ?? {}).flatMap(([name, { serves }]) => (serves ? [{ name, serves, config }] : [])),
  )
  return (type: TypeOutline, action: Action): string | undefined =>
    serving.find(({ name, serves, config }) => immediate(serves.test(type, action, config), `${name}.serves.test`))
      ?.name
}

/** The name by which a request wants the usual form: no format has it. */
const usual = '(usual)'

/** Formats that requests choose by a header. */
export interface WantedFormats {
  /** The headers that are looked at: responses vary by them. */
  readonly headers: readonly string[]
  /** The name of the first format that wants a request. */
  choose(sent: IncomingHttpHeaders): string | undefined
}

/** Undefined if no format chooses itself: then no request is looked at. */
export function wantedFormats(plugins: readonly EnabledPlugin[]): WantedFormats | undefined {
  const formats = [...formatsOf(plugins)]
  const wanting = [
    ...formats.flatMap(([name, { wants }]) => (wants ? [choosing(name, wants, `${name}.wants.test`)] : [])),
    ...formats.flatMap(([name, { serves }]) =>
      serves?.unless ? [choosing(usual, serves.unless, `${name}.serves.unless.test`)] : [],
    ),
  ]
  if (wanting.length === 0) return undefined
  return {
    headers: [...new Set(wanting.map(({ shown }) => shown))],
    choose: sent =>
      wanting.find(({ header, test, whose }) => {
        const value = sent[header]
        return typeof value === 'string' && immediate(test(value), whose)
      })?.name,
  }
}

const choosing = (name: string, { header, test }: HeaderTest, whose: string) => ({
  ...{ name, test, whose },
  header: header.toLowerCase(),
  shown: header,
})

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
