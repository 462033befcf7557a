import type { Config } from '../config/types.js'
import type { Route } from '../http/routes.js'
import type { Format } from '../plugin-parts.js'
import type { EnabledPlugin } from './arrange.js'

export const formatsOf = (plugins: readonly EnabledPlugin[]): Map<string, Format> =>
  new Map(plugins.flatMap(({ spec }) => Object.entries(spec.formats ?? {})))

/** Errors in the form of the route that they come from. */
export function errorFormat(config: Config, plugins: readonly EnabledPlugin[]) {
  const formats = formatsOf(plugins)
  return (route: Route | undefined, error: Readonly<Record<string, unknown>>): unknown => {
    const format = formats.get(route?.format ?? config.api.rest.format ?? '')
    return format?.error ? format.error(error) : { data: null, error }
  }
}
